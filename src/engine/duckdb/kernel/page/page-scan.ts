import type { Turn } from '../../../../turn.ts'
import { BLOCK } from '../../segment/column.ts'
import type { Filter } from '../filter/filter.ts'
import type { RowBatch } from '../row-batch.ts'
import type { TopRows } from '../top-rows.ts'
import type { RowOrder } from './page-order.ts'

const ranksOfBatch = new Float64Array(BLOCK)
const picked = new Uint32Array(BLOCK)

/** Up to this share of the rows of a batch, ranks are computed row by row. */
const SPARSE = 1 / 8

/** Collects the first rows of a part by looking at all matching rows. Returns the number of these. */
export async function scanRows(filter: Filter, order: RowOrder, top: TopRows, turn: Turn): Promise<number> {
  let count = 0
  for (const batch of filter.batches()) {
    count += batch.count
    if (batch.count > 0 && mayHold(batch, order, top.threshold)) addBatch(batch, order, top)
    if (turn.isOver) await turn.next()
  }
  return count
}

/** False if the summaries of the blocks tell that no row is wanted. */
function mayHold({ from, to }: RowBatch, { ranks: { lowest, highest }, bound }: RowOrder, threshold: number): boolean {
  for (let block = Math.floor(from / BLOCK); block * BLOCK < to; block++) {
    if ((!lowest || lowest(block) <= threshold) && (!highest || highest(block) >= bound)) return true
  }
  return false
}

function addBatch({ from, to, rows, count }: RowBatch, order: RowOrder, top: TopRows): void {
  const { ranks, bound } = order
  if (!rows) {
    addRange(from, to, order, top)
    return
  }
  const isSparse = count < (to - from) * SPARSE
  if (!isSparse) ranks.fill(from, to, ranksOfBatch, top.threshold)
  for (let i = 0; i < count; i++) {
    const row = rows[i] ?? 0
    const rank = isSparse ? ranks.of(row) : (ranksOfBatch[row - from] ?? 0)
    if (rank > top.threshold || rank < bound || (rank === bound && !order.isAfter(row))) continue
    top.add(row, rank)
  }
}

/** Adds the best of a range of at most BLOCK rows. `filter`: which rows match; undefined: all. Returns the rows tested. */
export function addRange(
  from: number,
  to: number,
  { ranks, bound, isAfter }: RowOrder,
  top: TopRows,
  filter?: Pick<Filter, 'holds'>,
): number {
  ranks.fill(from, to, ranksOfBatch, top.threshold)
  const count = pickRanks(ranksOfBatch, to - from, bound, top.threshold, picked)
  if (count === 0) return 0
  // If ranks fall with the rows, the last rows should come first, or each row would beat those before it.
  const isFalling = (ranksOfBatch[picked[count - 1] ?? 0] ?? 0) < (ranksOfBatch[picked[0] ?? 0] ?? 0)
  let tested = 0
  for (let n = 0; n < count; n++) {
    const i = picked[isFalling ? count - 1 - n : n] ?? 0
    const rank = ranksOfBatch[i] ?? 0
    if (rank > top.threshold || rank < bound || (rank === bound && !isAfter(from + i))) continue
    if (filter) {
      tested++
      if (!filter.holds(from + i)) continue
    }
    top.add(from + i, rank)
  }
  return tested
}

/** Finds the ranks between two others, both included, and perhaps some close to these. */
function pickRanks(ranks: Float64Array, count: number, lowest: number, highest: number, places: Uint32Array): number {
  let found = 0
  if (lowest === -Infinity) {
    for (let i = 0; i < count; i++) if ((ranks[i] ?? 0) <= highest) places[found++] = i
  } else if (highest === Infinity) {
    for (let i = 0; i < count; i++) if ((ranks[i] ?? 0) >= lowest) places[found++] = i
  } else {
    // Two branches would often be mispredicted. The distance from the middle takes one, which is rarely taken.
    const middle = lowest / 2 + highest / 2
    const most = highest / 2 - lowest / 2 + (Math.abs(lowest) + Math.abs(highest)) * 1e-15
    for (let i = 0; i < count; i++) if (Math.abs((ranks[i] ?? 0) - middle) <= most) places[found++] = i
  }
  return found
}
