import { lowerCaseToken, tokenize } from './text-analysis.ts'

/**
 * True if a term, or its suffix at the start of one of its tokens, begins with `prefix` (spec 5.10). `prefix` is in
 * lower case, as tokens are.
 */
export function beginsWord(term: string, prefix: string): boolean {
  const lower = lowerCaseToken(term)
  if (lower.startsWith(prefix)) return true
  if (!lower.includes(prefix)) return false
  // Lower-casing does not change offsets, and the text between two tokens cannot contain the next token.
  let at = 0
  for (const token of tokenize(term)) {
    at = lower.indexOf(token, at)
    if (lower.startsWith(prefix, at)) return true
    at += token.length
  }
  return false
}
