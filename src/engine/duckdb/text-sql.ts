import { isWithinEdits } from '../../query/edit-distance.ts'
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

export function compileFuzzy(p: FuzzyPredicate, field: FieldLayout, sql: SqlBuilder): string {
  const test =
    field.type === 'TEXT'
      ? (text: string) => text.split(/[ \n]/).some((token) => token !== '' && isWithinEdits(token, p.word, p.edits))
      : (text: string) => isWithinEdits(text, p.word, p.edits)
  const matcher = sql.match({ text: test })
  return anyValue(field, (value) => `match_text(${matcher}, ${value})`)
}
