import { compareRows, isBehind, type RowKey } from './row-order.ts'

interface SoughtRows {
  /** Number of rows. */
  readonly rows: number
  /** Absent if all rows match. */
  readonly matches: ((row: number) => boolean) | undefined
  readonly keys: readonly RowKey[]
  /** Keys of the cursor. Only rows after it are returned. */
  readonly after: readonly number[] | undefined
  readonly wanted: number
}

interface FirstRows {
  readonly found: readonly number[]
  /** Number of all matching rows. */
  readonly total: number
}

/** Minimum number of surplus rows before they are cut. Fewer are not worth it. */
const CUT_AT_LEAST = 256

/** Returns the first rows in the order of their keys. */
export function firstRows({ rows, matches, keys, after, wanted }: SoughtRows): FirstRows {
  const [first] = keys
  if (!first) throw new Error('an order must have a key')
  let found: number[] = []
  let last = Number.POSITIVE_INFINITY
  let cutAt = 2 * wanted + CUT_AT_LEAST
  let total = 0
  // Cuts by the first key only, because numbers sort much faster. Rows equal to the last one are kept.
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
