import { holdsPhrase } from '../../../query/evaluate/phrase.ts'
import type { FuzzyPredicate, PhrasePredicate } from '../../../query/plan/predicate.ts'
import { isWithinEdits } from '../../../query/text/edit-distance.ts'
import { fuzzyPattern } from '../../../query/text/fuzzy-pattern.ts'
import { NUMBER } from '../database/sought-rows.ts'
import type { ChunkTest, Seek, SqlBuilder } from '../database/sql-builder.ts'
import { anyValue, hasSeveral, listOf } from '../index/several-values.ts'
import type { FieldLayout } from '../index/table-layout.ts'
import type { IndexTable } from '../table/index-table.ts'

export function compilePhrase(
  p: PhrasePredicate,
  field: FieldLayout,
  { table }: IndexTable,
  sql: SqlBuilder,
  seek: Seek,
): string {
  const end = p.lastIsPrefix ? '' : ' '
  if (p.slop === 0 || p.tokens.length === 1) {
    return `contains(${field.column}, ${sql.bind(` ${p.tokens.join(' ')}${end}`, 'VARCHAR')})`
  }
  const rows = (near: string, own: SqlBuilder): readonly string[] => {
    const each = p.tokens.map((token, i) => {
      const last = i === p.tokens.length - 1
      return `contains(${field.column}, ${own.bind(` ${token}${last ? end : ' '}`, 'VARCHAR')})`
    })
    return [`SELECT ${NUMBER}, ${field.column} FROM ${table} WHERE ${[near, ...each].join(' AND ')}`]
  }
  return seek(
    rows,
    testTexts((text) => holdsSloppyPhrase(text, p)),
  )
}

function holdsSloppyPhrase(text: string, p: PhrasePredicate): boolean {
  return text.split('\n').some((value) =>
    holdsPhrase(
      value.split(' ').filter((t) => t !== ''),
      p,
    ),
  )
}

/** Uses a regular expression in the database, except for long words. */
export function compileFuzzy(
  p: FuzzyPredicate,
  field: FieldLayout,
  { table }: IndexTable,
  sql: SqlBuilder,
  seek: Seek,
): string {
  const isText = field.type === 'TEXT'
  const pattern = fuzzyPattern(p.word, p.edits, isText ? '[^ \\n]' : '.')
  if (pattern !== undefined) {
    const whole = sql.bind(isText ? ` ${pattern} ` : `\\A${pattern}\\z`, 'VARCHAR')
    return anyValue(field, (value) => `regexp_matches(${value}, ${whole}, 's')`)
  }
  const rows = (near: string, own: SqlBuilder): readonly string[] => {
    const parts = intactParts(p.word, p.edits).map((part) => own.bind(part, 'VARCHAR'))
    const holdsPart = (value: string): string => `(${parts.map((part) => `contains(${value}, ${part})`).join(' OR ')})`
    const single = `SELECT ${NUMBER}, ${field.column} FROM ${table} WHERE ${near} AND ${holdsPart(field.column)}`
    if (!field.several) return [single]
    const all = `SELECT _seq, unnest(${listOf(field)}) AS v FROM ${table} WHERE ${near} AND ${hasSeveral(field)}`
    return [single, `SELECT ${NUMBER}, v FROM (${all}) WHERE ${holdsPart('v')}`]
  }
  const test = isText
    ? (text: string) => text.split(/[ \n]/).some((token) => token !== '' && isWithinEdits(token, p.word, p.edits))
    : (text: string) => isWithinEdits(text, p.word, p.edits)
  return seek(rows, testTexts(test))
}

/** Tests texts, which are the column after the row number. */
const testTexts =
  (matches: (text: string) => boolean): ChunkTest =>
  (chunk) => {
    const texts = chunk.getColumnVector(1)
    return (row) => {
      const text = texts.getItem(row)
      return typeof text === 'string' && matches(text)
    }
  }

/**
 * Splits a word into parts of which at least one survives any `edits` edits: one edit, such as a swap across the border
 * of two parts, changes at most two.
 */
function intactParts(word: string, edits: number): readonly string[] {
  const letters = Array.from(word)
  const count = 2 * edits + 1
  return Array.from({ length: count }, (_, i) =>
    letters.slice(Math.floor((i * letters.length) / count), Math.floor(((i + 1) * letters.length) / count)).join(''),
  )
}
