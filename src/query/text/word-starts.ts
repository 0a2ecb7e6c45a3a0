import { lowerCaseToken, tokenize } from './text-analysis.ts'

/**
 * Whether a term, or the rest of it from a place where the text analysis starts a token, begins with `prefix`
 * (spec 5.10), which is in lower case as tokens are.
 */
export function beginsWord(term: string, prefix: string): boolean {
  const lower = lowerCaseToken(term)
  if (lower.startsWith(prefix)) return true
  if (!lower.includes(prefix)) return false
  // Lower-casing moves nothing, and between two tokens there is nothing that looks like the beginning of the next.
  let at = 0
  for (const token of tokenize(term)) {
    at = lower.indexOf(token, at)
    if (lower.startsWith(prefix, at)) return true
    at += token.length
  }
  return false
}
