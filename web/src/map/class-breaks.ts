/** Ways to divide numbers into classes. */
export const classings = ['quantile', 'equal', 'log', 'natural'] as const
export type Classing = (typeof classings)[number]

/** Values that natural breaks are computed from; its time grows with the square. */
const SAMPLE = 300

/** Returns the lower bounds of at most `count` classes of sorted values, ascending and distinct. */
export function classBreaks(sorted: readonly number[], count: number, classing: Classing): readonly number[] {
  const [min, max] = [sorted[0], sorted.at(-1)]
  if (min === undefined || max === undefined) return []
  if (min === max) return [min]
  return rounded(min, [...new Set(rawBreaks(sorted, count, classing))])
}

function rawBreaks(sorted: readonly number[], count: number, classing: Classing): readonly number[] {
  const [min = 0, max = 0] = [sorted[0], sorted.at(-1)]
  const parts = Array.from({ length: count }, (_, i) => i / count)
  switch (classing) {
    case 'quantile':
      return parts.map((part) => sorted[Math.floor(part * sorted.length)] ?? min)
    case 'equal':
      return parts.map((part) => min + (max - min) * part)
    case 'log':
      return equalRatios(sorted, parts)
    case 'natural':
      return naturalBreaks(sampleOf(sorted, SAMPLE), count)
  }
}

/** Equal ratios of the positive values; the others are in the first class. */
function equalRatios(sorted: readonly number[], parts: readonly number[]): readonly number[] {
  const [min = 0, max = 0] = [sorted[0], sorted.at(-1)]
  const low = sorted.find((value) => value > 0)
  if (low === undefined) return [min]
  const ratios = parts.map((part) => low * (max / low) ** part)
  return min < low ? [min, ...ratios.slice(1)] : ratios
}

/** Evenly spaced values of a sorted list, with its first and its last. */
export function sampleOf(sorted: readonly number[], most: number): readonly number[] {
  if (sorted.length <= most) return sorted
  const step = (sorted.length - 1) / (most - 1)
  return Array.from({ length: most }, (_, i) => sorted[Math.round(i * step)] ?? 0)
}

/**
 * Classes with the least sum of squared deviations, by dynamic programming (Fisher 1958, On grouping for maximum
 * homogeneity).
 */
function naturalBreaks(sorted: readonly number[], count: number): readonly number[] {
  const n = sorted.length
  const sums = [0]
  const squares = [0]
  for (const [i, value] of sorted.entries()) {
    sums.push((sums[i] ?? 0) + value)
    squares.push((squares[i] ?? 0) + value * value)
  }
  const cost = (from: number, to: number): number => {
    const sum = (sums[to] ?? 0) - (sums[from] ?? 0)
    return (squares[to] ?? 0) - (squares[from] ?? 0) - (sum * sum) / (to - from)
  }
  let best = Array.from({ length: n + 1 }, (_, to) => (to === 0 ? 0 : cost(0, to)))
  const starts: number[][] = []
  for (let k = 2; k <= Math.min(count, n); k++) {
    const next = best.slice()
    const start = new Array<number>(n + 1).fill(0)
    for (let to = k; to <= n; to++) {
      let least = Number.POSITIVE_INFINITY
      for (let from = k - 1; from < to; from++) {
        const total = (best[from] ?? 0) + cost(from, to)
        if (total >= least) continue
        least = total
        start[to] = from
      }
      next[to] = least
    }
    starts.push(start)
    best = next
  }
  const breaks: number[] = []
  let end = n
  for (const start of starts.reverse()) {
    end = start[end] ?? 0
    breaks.unshift(sorted[end] ?? 0)
  }
  return [sorted[0] ?? 0, ...breaks]
}

/** Rounds to a hundredth of the narrowest class, so that a legend can be read. The first class contains the minimum. */
function rounded(min: number, breaks: readonly number[]): readonly number[] {
  const gaps = breaks.slice(1).map((value, i) => value - (breaks[i] ?? 0))
  const narrowest = Math.min(...gaps)
  const unit = 10 ** (Math.floor(Math.log10(narrowest)) - 1)
  if (!Number.isFinite(unit) || unit === 0) return breaks
  const to = (value: number, round: (x: number) => number): number =>
    Number((round(value / unit) * unit).toPrecision(12))
  return breaks.map((value, i) => (i === 0 ? Math.min(min, to(value, Math.floor)) : to(value, Math.round)))
}
