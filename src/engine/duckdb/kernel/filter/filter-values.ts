import { BLOCK } from '../../segment/column.ts'
import type { SelectRows } from '../row-test.ts'
import { createMask } from './filter-mask.ts'

/** Tests the values of a column by their position, which is the row if each row has at most one value. */
export interface ValueTest {
  /** Sets `mask[i]` to 1 if value `from` + i matches, else to 0; at most BLOCK values. */
  readonly fill: (from: number, to: number, mask: Uint8Array) => void
  readonly holds: (at: number) => boolean
  readonly select?: SelectRows
}

/** The test of rows with several values: row r has those from `starts[r]` to `starts[r + 1]`. */
export function testSeveral({ fill, holds }: ValueTest, starts: Uint32Array): ValueTest {
  const found = createMask()
  return {
    fill(from, to, mask) {
      mask.fill(0, 0, to - from)
      const last = starts[to] ?? 0
      let row = from
      for (let at = starts[from] ?? 0; at < last; at += BLOCK) {
        const end = Math.min(last, at + BLOCK)
        fill(at, end, found)
        for (let i = at; i < end; i++) {
          if (found[i - at] === 0) continue
          while ((starts[row + 1] ?? last) <= i) row++
          mask[row - from] = 1
        }
      }
    },
    holds(row) {
      const end = starts[row + 1] ?? 0
      for (let at = starts[row] ?? 0; at < end; at++) if (holds(at)) return true
      return false
    },
  }
}

/** True for rows that have a value. */
export function testAnyOfSeveral(starts: Uint32Array): ValueTest {
  return {
    fill(from, to, mask) {
      for (let row = from; row < to; row++) mask[row - from] = Number((starts[row + 1] ?? 0) > (starts[row] ?? 0))
    },
    holds: (row) => (starts[row + 1] ?? 0) > (starts[row] ?? 0),
  }
}

/** Doubles from `low` to `high`, both included. NaN does not match. */
export function testDoubles(values: Float64Array, low: number, high: number): ValueTest {
  return {
    fill: (from, to, mask) => fillBetween(values, from, to - from, low, high, mask),
    holds(at) {
      const value = values[at] ?? Number.NaN
      return value >= low && value <= high
    },
    select: (rows, list) => selectBetween(values, rows, low, high, list),
  }
}

/** The row is written in any case, and overwritten by the next one if it does not match: without a branch. */
function selectBetween(values: Float64Array, rows: Uint32Array, low: number, high: number, list: Uint32Array): number {
  let count = 0
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] ?? 0
    const value = values[row] ?? 0
    list[count] = row
    count += Number(value >= low) & Number(value <= high)
  }
  return count
}

/** For tests without a faster way. */
export const selectBy =
  (holds: (row: number) => boolean): SelectRows =>
  (rows, list) => {
    let count = 0
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i] ?? 0
      if (holds(row)) list[count++] = row
    }
    return count
  }

function fillBetween(
  values: Float64Array,
  from: number,
  count: number,
  low: number,
  high: number,
  mask: Uint8Array,
): void {
  for (let i = 0; i < count; i++) {
    const value = values[from + i] ?? 0
    // Without a branch, which would be mispredicted.
    mask[i] = Number(value >= low) & Number(value <= high)
  }
}

/** Doubles that are among the wanted ones, which ascend. */
export function testListedDoubles(values: Float64Array, wanted: Float64Array): ValueTest {
  const between = testDoubles(values, wanted[0] ?? 0, wanted.at(-1) ?? -1)
  const holds = (at: number): boolean => isListed(wanted, values[at] ?? Number.NaN)
  return {
    fill(from, to, mask) {
      between.fill(from, to, mask)
      for (let i = 0; i < to - from; i++) if (mask[i] === 1 && !holds(from + i)) mask[i] = 0
    },
    holds,
  }
}

/** True if an ascending list contains a value. */
export function isListed(ascending: Float64Array | Uint32Array, value: number): boolean {
  let low = 0
  let high = ascending.length - 1
  while (low <= high) {
    const middle = (low + high) >>> 1
    const there = ascending[middle] ?? 0
    if (there === value) return true
    if (there < value) low = middle + 1
    else high = middle - 1
  }
  return false
}
