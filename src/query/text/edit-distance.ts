/** Letters of a word: UTF-16 code units if each is a code point, else the code points. */
type Letters = string | readonly string[]

/**
 * True if `a` becomes `b` by at most `edits` insertions, deletions, substitutions or swaps of neighbours, counted in
 * code points (optimal string alignment).
 */
export function isWithinEdits(a: string, b: string, edits: number): boolean {
  return isNear(lettersOf(a), 0, lettersOf(b), 0, edits)
}

const lettersOf = (word: string): Letters => (/[\ud800-\udfff]/.test(word) ? Array.from(word) : word)

/** As `isWithinEdits`, for the suffixes at `from` and `start`. Skipping equal letters never increases the distance. */
function isNear(a: Letters, from: number, b: Letters, start: number, edits: number): boolean {
  if (Math.abs(a.length - from - (b.length - start)) > edits) return false
  let i = from
  let j = start
  while (i < a.length && j < b.length && a[i] === b[j]) {
    i++
    j++
  }
  if (i === a.length || j === b.length) return a.length - i + b.length - j <= edits
  if (edits === 0) return false
  const isSwapped = i + 1 < a.length && j + 1 < b.length && a[i] === b[j + 1] && a[i + 1] === b[j]
  return (
    isNear(a, i + 1, b, j + 1, edits - 1) ||
    isNear(a, i + 1, b, j, edits - 1) ||
    isNear(a, i, b, j + 1, edits - 1) ||
    (isSwapped && isNear(a, i + 2, b, j + 2, edits - 1))
  )
}
