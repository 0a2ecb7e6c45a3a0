import { BLOCK } from '../../../segment/column.ts'
import type { Buckets } from '../arrays/accumulator.ts'

interface SpreadValues {
  readonly positions: Uint32Array
  readonly buckets: Buckets
  readonly count: number
}

let positionScratch = new Uint32Array(BLOCK)
let bucketScratch = new Uint32Array(BLOCK)

/** Returns the positions of all values of rows that may have several, and for each the bucket of its row. Reused. */
export function spreadValues(
  starts: Uint32Array,
  rows: Uint32Array | undefined,
  from: number,
  buckets: Buckets,
  count: number,
): SpreadValues {
  let total = 0
  for (let i = 0; i < count; i++) {
    const row = rows === undefined ? from + i : (rows[i] ?? 0)
    total += (starts[row + 1] ?? 0) - (starts[row] ?? 0)
  }
  if (total > positionScratch.length) {
    positionScratch = new Uint32Array(2 * total)
    bucketScratch = new Uint32Array(2 * total)
  }
  let next = 0
  for (let i = 0; i < count; i++) {
    const row = rows === undefined ? from + i : (rows[i] ?? 0)
    const bucket = typeof buckets === 'number' ? buckets : (buckets[i] ?? 0)
    const end = starts[row + 1] ?? 0
    for (let position = starts[row] ?? 0; position < end; position++) {
      positionScratch[next] = position
      bucketScratch[next++] = bucket
    }
  }
  return { positions: positionScratch, buckets: typeof buckets === 'number' ? buckets : bucketScratch, count: total }
}
