import { isWithinEdits } from '../../query/edit-distance.ts'
import { fuzzyPattern } from '../../query/fuzzy-pattern.ts'
import { holdsPhrase } from '../../query/phrase.ts'
import type { FuzzyPredicate, PhrasePredicate } from '../../query/predicate.ts'
import { anyValue } from './any-value.ts'
import type { SqlBuilder } from './sql-builder.ts'
import type { FieldLayout } from './table-layout.ts'

/**
 * A TEXT column holds the tokens of the field, each between blanks (` the quick fox `); several values of one document
 * are separated by a line feed, so that no phrase reaches from one into the next. A token never contains either.
 */
export function tokenText(values: readonly (readonly string[])[]): string {
  return values.map((tokens) => ` ${tokens.join(' ')}${tokens.length > 0 ? ' ' : ''}`).join('\n')
}

export function compilePhrase(p: PhrasePredicate, field: FieldLayout, sql: SqlBuilder): string {
  const end = p.lastIsPrefix ? '' : ' '
  if (p.slop === 0 || p.tokens.length === 1) {
    return `contains(${field.column}, ${sql.bind(` ${p.tokens.join(' ')}${end}`, 'VARCHAR')})`
  }
  const each = p.tokens.map((token, i) => {
    const last = i === p.tokens.length - 1
    return `contains(${field.column}, ${sql.bind(` ${token}${last ? end : ' '}`, 'VARCHAR')})`
  })
  const matcher = sql.match({ text: (text) => holdsSloppyPhrase(text, p) })
  return `CASE WHEN ${each.join(' AND ')} THEN match_text(${matcher}, ${field.column}) ELSE FALSE END`
}

function holdsSloppyPhrase(text: string, p: PhrasePredicate): boolean {
  return text.split('\n').some((value) =>
    holdsPhrase(
      value.split(' ').filter((t) => t !== ''),
      p,
    ),
  )
}

/** Run by the database, off the main thread, except for long words. */
export function compileFuzzy(p: FuzzyPredicate, field: FieldLayout, sql: SqlBuilder): string {
  const isText = field.type === 'TEXT'
  const pattern = fuzzyPattern(p.word, p.edits, isText ? '[^ \\n]' : '.')
  if (pattern !== undefined) {
    const whole = sql.bind(isText ? ` ${pattern} ` : `\\A${pattern}\\z`, 'VARCHAR')
    return anyValue(field, (value) => `regexp_matches(${value}, ${whole}, 's')`)
  }
  const test = isText
    ? (text: string) => text.split(/[ \n]/).some((token) => token !== '' && isWithinEdits(token, p.word, p.edits))
    : (text: string) => isWithinEdits(text, p.word, p.edits)
  const matcher = sql.match({ text: test })
  const parts = intactParts(p.word, p.edits).map((part) => sql.bind(part, 'VARCHAR'))
  return anyValue(field, (value) => {
    const holdsPart = parts.map((part) => `contains(${value}, ${part})`).join(' OR ')
    return `CASE WHEN ${holdsPart} THEN match_text(${matcher}, ${value}) ELSE FALSE END`
  })
}

/** One of these parts of a word is left by any `edits` edits: an edit, a swap across their border, harms two at most. */
function intactParts(word: string, edits: number): readonly string[] {
  const letters = Array.from(word)
  const count = 2 * edits + 1
  return Array.from({ length: count }, (_, i) =>
    letters.slice(Math.floor((i * letters.length) / count), Math.floor(((i + 1) * letters.length) / count)).join(''),
  )
}
