/**
 * Maximum word length by number of edits, in code points, for which RE2 still runs the pattern as a DFA: with two edits
 * the pattern grows with the cube of the length, and a word of 20 takes twenty times as long as one of 12.
 */
const LONGEST = [0, 40, 12] as const

/**
 * Returns an RE2 pattern for the strings within `edits` (1 or 2) edits of a word: insertions, deletions, substitutions
 * and swaps of neighbours in code points, as in `isWithinEdits`. `other` is the class of characters a string may
 * contain. Undefined for words that are too long.
 */
export function fuzzyPattern(word: string, edits: number, other: string): string | undefined {
  const letters = Array.from(word, quote)
  if (letters.length > (LONGEST[edits] ?? 0)) return undefined
  const known = new Map<string, string>()

  /** Pattern of the word from `at` on, with at most `left` edits. */
  const rest = (at: number, left: number): string => {
    if (left === 0) return letters.slice(at).join('')
    const key = `${at} ${left}`
    const made = known.get(key) ?? `(?:${alternatives(at, left).join('|')})`
    known.set(key, made)
    return made
  }
  const alternatives = (at: number, left: number): readonly string[] => {
    const letter = letters[at]
    const inserted = other + rest(at, left - 1)
    if (letter === undefined) return [inserted, '']
    const next = letters[at + 1]
    return [
      letter + rest(at + 1, left),
      other + rest(at + 1, left - 1),
      rest(at + 1, left - 1),
      inserted,
      ...(next === undefined ? [] : [next + letter + rest(at + 2, left - 1)]),
    ]
  }
  return rest(0, edits)
}

const quote = (letter: string): string =>
  /^[A-Za-z0-9_]$/.test(letter) ? letter : `\\x{${(letter.codePointAt(0) ?? 0).toString(16)}}`
