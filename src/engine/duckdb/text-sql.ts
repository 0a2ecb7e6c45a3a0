import type { FuzzyPredicate, PhrasePredicate } from '../../query/predicate.ts'
import { anyValue } from './any-value.ts'
import { isWithinEdits } from './edit-distance.ts'
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

/** Tokens in order with at most `slop` others between them in all. */
function holdsSloppyPhrase(text: string, p: PhrasePredicate): boolean {
  return text.split('\n').some((value) => {
    const tokens = value.split(' ').filter((t) => t !== '')
    return tokens.some((_, start) => phraseStartsAt(tokens, start, p))
  })
}

function phraseStartsAt(tokens: readonly string[], start: number, p: PhrasePredicate): boolean {
  const last = p.tokens.length - 1
  const fits = (token: string | undefined, i: number): boolean =>
    token === p.tokens[i] || (i === last && p.lastIsPrefix && token?.startsWith(p.tokens[i] ?? '') === true)
  // The nearest next occurrence is always the best one, because only the span of the whole counts.
  let at = start
  if (!fits(tokens[at], 0)) return false
  for (let i = 1; i <= last; i++) {
    do at++
    while (at < tokens.length && !fits(tokens[at], i))
    if (at >= tokens.length) return false
  }
  return at - start - last <= p.slop
}

export function compileFuzzy(p: FuzzyPredicate, field: FieldLayout, sql: SqlBuilder): string {
  const test =
    field.type === 'TEXT'
      ? (text: string) => text.split(/[ \n]/).some((token) => token !== '' && isWithinEdits(token, p.word, p.edits))
      : (text: string) => isWithinEdits(text, p.word, p.edits)
  const matcher = sql.match({ text: test })
  return anyValue(field, (value) => `match_text(${matcher}, ${value})`)
}
