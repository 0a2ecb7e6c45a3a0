/**
 * Returns the known key most similar to the given one, for "did you mean"; undefined if none is close. `most`: number of
 * edits that still count as close.
 */
export function nearestKey(
  written: string,
  known: readonly string[],
  most = Math.max(3, written.length / 2),
): string | undefined {
  const fold = (key: string): string => key.toLowerCase().replace(/[^a-z0-9]/g, '')
  const sought = fold(written)
  const ranked = known
    .map((key) => ({ key, folded: fold(key) }))
    .filter(({ folded }) => Math.abs(folded.length - sought.length) <= most)
    .map(({ key, folded }) => ({ key, distance: editDistance(sought, folded), length: folded.length }))
    // with all its letters replaced, no name is similar
    .filter(({ distance, length }) => distance < length)
    .sort((a, b) => a.distance - b.distance)
  const best = ranked[0]
  return best !== undefined && best.distance <= most ? best.key : undefined
}

/** Levenshtein distance. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const current = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      current.push(Math.min(replaced, (previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1))
    }
    previous = current
  }
  return previous[b.length] ?? 0
}
