import type { KeywordPattern, PatternNode } from '../../../../query/pattern/keyword-pattern.ts'
import { patternMatcher } from '../../../../query/pattern/keyword-pattern-matcher.ts'
import type { DictionaryData } from '../../segment/dictionary.ts'

/** True for a pattern that is a text anywhere in a term, which is found without reading the terms. */
export const isPlainText = ({ node, anchoredStart, anchoredEnd }: KeywordPattern): boolean =>
  node.kind === 'literal' && node.text !== '' && !anchoredStart && !anchoredEnd

/** Returns the longest text that every match contains, '' if there is none. */
export function requiredText({ node }: KeywordPattern): string {
  const members: readonly PatternNode[] = node.kind === 'sequence' ? node.members : [node]
  return members.reduce((longest, member) => {
    return member.kind === 'literal' && member.text.length > longest.length ? member.text : longest
  }, '')
}

/** Returns the codes of the terms that match a pattern, in ascending order. Only terms with its text are read. */
export function codesOfPattern(
  pattern: KeywordPattern,
  data: DictionaryData,
  term: (code: number) => string,
): Uint32Array {
  const found = codesWithText(requiredText(pattern), data)
  if (isPlainText(pattern)) return found
  const matches = patternMatcher(pattern)
  return found.filter((code) => matches(term(code)))
}

/** Returns the codes of the terms that contain a text. The bytes of all terms follow each other. */
function codesWithText(text: string, { bytes, starts }: DictionaryData): Uint32Array {
  // Terms are well formed.
  if (!text.isWellFormed()) return new Uint32Array(0)
  const sought = Buffer.from(text)
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = starts.at(-1) ?? 0
  const codes: number[] = []
  let code = 1
  for (let at = all.indexOf(sought); at >= 0 && at < end; ) {
    code = codeAt(at, starts, code)
    const termEnd = starts[code] ?? end
    // The text may begin in one term and end in the next.
    const isWithin = at + sought.length <= termEnd
    if (isWithin) codes.push(code)
    at = all.indexOf(sought, isWithin ? termEnd : at + 1)
  }
  return Uint32Array.from(codes)
}

/** Returns the code of the term with the byte at `at`, which is not before that of `from`. */
function codeAt(at: number, starts: Uint32Array, from: number): number {
  let step = 1
  let low = from
  while (low + step < starts.length && (starts[low + step - 1] ?? 0) <= at) {
    low += step
    step *= 2
  }
  let high = Math.min(low + step, starts.length)
  // The first code whose term ends after the byte.
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((starts[middle] ?? 0) <= at) low = middle + 1
    else high = middle
  }
  return low
}
