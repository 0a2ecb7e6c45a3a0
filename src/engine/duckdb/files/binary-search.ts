/**
 * Binary search: returns the smallest number below `count` for which `holds` is true, or `count` if there is none. If
 * `holds` is true for a number, it must be true for all larger ones.
 */
export function firstWhere(count: number, holds: (i: number) => boolean): number {
  let [low, high] = [0, count]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (holds(middle)) high = middle
    else low = middle + 1
  }
  return low
}
