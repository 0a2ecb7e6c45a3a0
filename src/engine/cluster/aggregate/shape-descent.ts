import type { GridGrouping } from '../../../query/plan/aggregation-plan.ts'
import { sendSearch } from '../request/search-call.ts'
import { type ClusterAggregation, isTooMany, levelOf } from './bucket-request.ts'
import { compileGrouping } from './grouping-query.ts'
import { LEVEL } from './level-query.ts'

/**
 * Number of cells per shape, in bits, that a node can safely hold in memory. Nodes list all cells of a shape before
 * they count them, without a limit: a large shape in a fine grid would crash the node.
 */
const MOST_CELLS_BITS = 18

/** Bits by which the number of cells grows per level. */
const BITS = { geotile: 2, geohash: 5 } as const

/**
 * True if no shape of the selection has more cells in the grid than nodes can handle. The cells of coarser levels give
 * an upper bound for finer ones. False if a coarser level already exceeds `limits.buckets`.
 */
export async function isWithinReach(work: ClusterAggregation, grouping: GridGrouping): Promise<boolean> {
  if (grouping.kind === 'geohex' || grouping.field.type !== 'GEO_SHAPE') return true
  const bits = BITS[grouping.kind]
  let level = Math.floor(MOST_CELLS_BITS / bits)
  while (level < grouping.level) {
    const cells = await countCells(work, { ...grouping, level })
    if (cells > work.plan.limits.buckets) return false
    const spare = MOST_CELLS_BITS - Math.ceil(Math.log2(Math.max(1, cells)))
    level += Math.max(1, Math.floor(spare / bits))
  }
  return true
}

/** Returns the number of cells that the shapes of the selection intersect, capped at `limits.buckets` + 1. */
async function countCells(
  { context, plan, query, signal }: ClusterAggregation,
  grouping: GridGrouping,
): Promise<number> {
  const size = plan.limits.buckets + 1
  const aggs = { [LEVEL]: compileGrouping(grouping, { size, perShard: size, order: [] }) }
  const body = { size: 0, track_total_hits: false, query: { bool: { filter: [query] } }, aggs }
  try {
    const { aggregations = {} } = await sendSearch(context, plan.indices, body, signal)
    return levelOf(aggregations).buckets.length
  } catch (error) {
    if (isTooMany(error)) return size
    throw error
  }
}
