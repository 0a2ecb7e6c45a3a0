/** Rows of an arranged table by number, from `first` to `end` (exclusive). */
export interface RowSpan {
  readonly first: number
  readonly end: number
}

export const countRows = (spans: readonly RowSpan[]): number => spans.reduce((n, { first, end }) => n + end - first, 0)

/** Builds disjoint, sorted spans. Spans must be added in order; adjacent ones are merged. */
export class RowSpans {
  readonly #spans: { first: number; end: number }[] = []

  add(first: number, end: number): void {
    if (first >= end) return
    const before = this.#spans.at(-1)
    if (before?.end === first) before.end = end
    else this.#spans.push({ first, end })
  }

  get spans(): readonly RowSpan[] {
    return this.#spans
  }
}

/** Returns the rows in both lists. Each list must be disjoint and sorted. */
export function intersectSpans(some: readonly RowSpan[], others: readonly RowSpan[]): readonly RowSpan[] {
  const common = new RowSpans()
  let next = 0
  for (const { first, end } of some) {
    for (; next < others.length && (others[next]?.end ?? 0) <= first; next++);
    for (let i = next; i < others.length; i++) {
      const other = others[i]
      if (!other || other.first >= end) break
      common.add(Math.max(first, other.first), Math.min(end, other.end))
    }
  }
  return common.spans
}

/** Returns a test whether a row is in the spans, which must be disjoint and sorted. */
export function rowTest(spans: readonly RowSpan[]): (row: number) => boolean {
  return (row) => {
    const span = spans[firstWhere(spans.length, (i) => (spans[i]?.first ?? 0) > row) - 1]
    return span !== undefined && row < span.end
  }
}

/** Converts indices over all spans (from 0) to row numbers of the table. */
export function numberRows(rows: readonly number[], spans: readonly RowSpan[]): readonly number[] {
  let before = 0
  const shifts = spans.map(({ first, end }) => {
    const shift = { from: before, by: first - before }
    before += end - first
    return shift
  })
  return rows.map((row) => {
    const shift = shifts[firstWhere(shifts.length, (i) => (shifts[i]?.from ?? 0) > row) - 1]
    return row + (shift?.by ?? 0)
  })
}

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
