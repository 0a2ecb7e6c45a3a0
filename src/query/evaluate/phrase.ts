import type { PhrasePredicate } from '../plan/predicate.ts'

/**
 * True if the tokens of one value contain the phrase: in order, with at most `slop` other tokens between them in total.
 */
export function holdsPhrase(tokens: readonly string[], p: PhrasePredicate): boolean {
  return tokens.some((_, start) => startsAt(tokens, start, p))
}

function startsAt(tokens: readonly string[], start: number, p: PhrasePredicate): boolean {
  const last = p.tokens.length - 1
  const fits = (token: string | undefined, i: number): boolean =>
    token === p.tokens[i] || (i === last && p.lastIsPrefix && token?.startsWith(p.tokens[i] ?? '') === true)
  // The nearest next occurrence is always the best, because only the total span counts.
  let at = start
  if (!fits(tokens[at], 0)) return false
  for (let i = 1; i <= last; i++) {
    do at++
    while (at < tokens.length && !fits(tokens[at], i))
    if (at >= tokens.length) return false
  }
  return at - start - last <= p.slop
}
