import type { Turn } from '../../../../turn.ts'
import { BLOCK } from '../../segment/column.ts'
import type { Part } from '../../segment/part.ts'
import type { Filter } from '../filter/filter.ts'
import type { TopRows } from '../top-rows.ts'
import type { RowOrder } from './page-order.ts'
import { addRange } from './page-scan.ts'
import type { Walk } from './sort-key.ts'

/** Rows that a walk tests before it is given up, besides some for each row of the page. */
const PATIENCE = 20_000
const PATIENCE_PER_ROW = 4

const TURN_ROWS = 256

/** A walk is not tried if a scan looks at fewer rows. */
const FEW_ROWS = 4096

/**
 * Collects the first rows of a part by looking at rows in reading order until enough match. Returns false if this takes
 * too long, so that all matching rows must be scanned; then `top` has no rows, but its threshold still holds.
 */
export async function walkPart(
  part: Part,
  filter: Filter,
  order: RowOrder,
  top: TopRows,
  wanted: number,
  turn: Turn,
): Promise<boolean> {
  const patience = Math.min(PATIENCE + PATIENCE_PER_ROW * wanted, filter.most / 4)
  const done = await tryWalk(part, filter, order, top, wanted, patience, turn)
  if (!done) top.clear()
  return done
}

async function tryWalk(
  part: Part,
  filter: Filter,
  order: RowOrder,
  top: TopRows,
  wanted: number,
  patience: number,
  turn: Turn,
): Promise<boolean> {
  const { walk, lowest } = order.ranks
  if (filter.most <= FEW_ROWS) return false
  // At least so many rows must be looked at on average.
  if (walk && wanted * (part.rows / filter.most) <= patience) {
    if (await walkRows(walk, part, filter, order, top, patience, turn)) return true
    top.clear()
  }
  if (!lowest || (!filter.isAll && filter.most < part.rows / 4)) return false
  return walkBlocks(lowest, part, filter, order, top, patience, turn)
}

/** Looks at rows in the order of the first sort key. */
async function walkRows(
  { rows, from, to, isReversed }: Walk,
  part: Part,
  filter: Filter,
  order: RowOrder,
  top: TopRows,
  patience: number,
  turn: Turn,
): Promise<boolean> {
  const { ranks, bound, range } = order
  const count = to - from
  const [first, step] = isReversed ? [to - 1, -1] : [from, 1]
  const missing = ranks.ofValue(null)
  const mayBeMissing = count < part.rows && !range
  if (mayBeMissing && missing < 0 && bound === missing) return false
  const start = Math.max(bound, range?.lowest ?? -Infinity)
  const highest = range?.highest ?? Infinity
  let looked = 0
  for (let i = firstFrom(start, count, (n) => ranks.of(rows[first + n * step] ?? 0)); i < count; i++) {
    const row = rows[first + i * step] ?? 0
    const rank = ranks.of(row)
    if (rank > top.threshold || rank > highest) return true
    if (++looked > patience) return false
    if (looked % TURN_ROWS === 0 && turn.isOver) await turn.next()
    if (rank === bound && !order.isAfter(row)) continue
    if (filter.holds(row)) top.add(row, rank)
  }
  // All rows with a value were seen. Those without come first or last.
  return !mayBeMissing || missing < 0 || top.threshold < missing
}

/** First of `count` places whose rank is not below another; ranks ascend. */
function firstFrom(rank: number, count: number, rankAt: (place: number) => number): number {
  if (rank === -Infinity) return 0
  let low = 0
  let high = count
  while (low < high) {
    const middle = (low + high) >>> 1
    if (rankAt(middle) < rank) low = middle + 1
    else high = middle
  }
  return low
}

/** Looks at blocks in the order of their lowest rank, until it is above the threshold. */
async function walkBlocks(
  lowest: (block: number) => number,
  part: Part,
  filter: Filter,
  order: RowOrder,
  top: TopRows,
  patience: number,
  turn: Turn,
): Promise<boolean> {
  const { ranks, bound } = order
  const count = Math.ceil(part.rows / BLOCK)
  const bounds = new Float64Array(count)
  for (let block = 0; block < count; block++) bounds[block] = lowest(block)
  const blocks = new Uint32Array(count).map((_, i) => i)
  blocks.sort((a, b) => {
    const x = bounds[a] ?? 0
    const y = bounds[b] ?? 0
    return x < y ? -1 : x > y ? 1 : a - b
  })
  // If all rows match, looking at all blocks costs no more than a scan.
  const mostTested = filter.isAll ? Infinity : patience
  const mostLooked = filter.isAll ? Infinity : part.rows / 4
  let tested = 0
  let looked = 0
  for (const block of blocks) {
    if ((bounds[block] ?? 0) > top.threshold) return true
    if (ranks.highest && ranks.highest(block) < bound) continue
    const from = block * BLOCK
    const to = Math.min(part.rows, from + BLOCK)
    looked += to - from
    if (looked > mostLooked) return false
    tested += addRange(from, to, order, top, filter)
    if (tested > mostTested) return false
    if (turn.isOver) await turn.next()
  }
  return true
}
