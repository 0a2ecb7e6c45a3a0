import { compareRows, isBehind, type RowKey } from './row-order.ts'

export interface SoughtRows {
  /** How many there are. */
  readonly rows: number
  /** Absent: all match. */
  readonly matches: ((row: number) => boolean) | undefined
  readonly keys: readonly RowKey[]
  /** Keys of the place behind which they are sought. */
  readonly after: readonly number[] | undefined
  readonly wanted: number
}

export interface FirstRows {
  readonly found: readonly number[]
  /** Of all that match. */
  readonly total: number
}

/** Fewer are not worth it. */
const CUT_AT_LEAST = 256

/** The first rows in the order of their keys. */
export function firstRows({ rows, matches, keys, after, wanted }: SoughtRows): FirstRows {
  const [first] = keys
  if (!first) throw new Error('an order has a key')
  let found: number[] = []
  let last = Number.POSITIVE_INFINITY
  let cutAt = 2 * wanted + CUT_AT_LEAST
  let total = 0
  // By the first key alone, which numbers are sorted by much faster; all that are equal to the last one stay.
  const cut = (): void => {
    last = Float64Array.from(found, first).sort()[wanted - 1] ?? last
    found = found.filter((row) => first(row) <= last)
    cutAt = Math.max(cutAt, 2 * found.length)
  }
  for (let row = 0; row < rows; row++) {
    if (matches && !matches(row)) continue
    total++
    if (first(row) > last || (after && !isBehind(keys, row, after))) continue
    found.push(row)
    if (found.length >= cutAt) cut()
  }
  cut()
  return { found: found.sort((a, b) => compareRows(keys, a, b)).slice(0, wanted), total }
}
