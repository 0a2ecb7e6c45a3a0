/**
 * True when `a` becomes `b` by at most `edits` insertions, deletions, substitutions or swaps of neighbours, counted in
 * code points (optimal string alignment). Only cells within `edits` of the diagonal are computed.
 */
export function isWithinEdits(a: string, b: string, edits: number): boolean {
  // A code point is one or two code units, so most texts are told apart by their lengths alone.
  if (a.length > 2 * (b.length + edits) || b.length > 2 * (a.length + edits)) return false
  const s = Array.from(a)
  const t = Array.from(b)
  if (Math.abs(s.length - t.length) > edits) return false
  const far = edits + 1
  let beforeLast: number[] = []
  let last = Array.from({ length: t.length + 1 }, (_, j) => Math.min(j, far))
  for (let i = 1; i <= s.length; i++) {
    const row: number[] = new Array(t.length + 1).fill(far)
    row[0] = Math.min(i, far)
    let least = row[0]
    const end = Math.min(t.length, i + edits)
    for (let j = Math.max(1, i - edits); j <= end; j++) {
      const cost = s[i - 1] === t[j - 1] ? 0 : 1
      let best = Math.min((last[j] ?? far) + 1, (row[j - 1] ?? far) + 1, (last[j - 1] ?? far) + cost)
      if (i > 1 && j > 1 && s[i - 1] === t[j - 2] && s[i - 2] === t[j - 1]) {
        best = Math.min(best, (beforeLast[j - 2] ?? far) + 1)
      }
      row[j] = Math.min(best, far)
      least = Math.min(least, row[j] ?? far)
    }
    // a swap may lead on from the row before
    if (least > edits && last.every((distance) => distance > edits)) return false
    beforeLast = last
    last = row
  }
  return (last[t.length] ?? far) <= edits
}
