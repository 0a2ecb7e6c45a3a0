/**
 * True when `a` becomes `b` by at most `edits` insertions, deletions, substitutions or swaps of neighbours, counted in
 * code points (optimal string alignment).
 */
export function isWithinEdits(a: string, b: string, edits: number): boolean {
  const s = [...a]
  const t = [...b]
  if (Math.abs(s.length - t.length) > edits) return false
  let beforeLast: number[] = []
  let last = Array.from({ length: t.length + 1 }, (_, j) => j)
  for (let i = 1; i <= s.length; i++) {
    const row = [i]
    for (let j = 1; j <= t.length; j++) {
      const cost = s[i - 1] === t[j - 1] ? 0 : 1
      let best = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + cost)
      if (i > 1 && j > 1 && s[i - 1] === t[j - 2] && s[i - 2] === t[j - 1])
        best = Math.min(best, (beforeLast[j - 2] ?? 0) + 1)
      row.push(best)
    }
    if (Math.min(...row) > edits && Math.min(...last) > edits) return false
    beforeLast = last
    last = row
  }
  return (last[t.length] ?? 0) <= edits
}
