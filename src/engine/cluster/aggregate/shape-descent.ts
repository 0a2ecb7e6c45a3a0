import type { GridGrouping } from '../../../query/plan/aggregation-plan.ts'
import { sendSearch } from '../request/search-call.ts'
import { type Aggregating, isTooMany, levelOf } from './bucket-request.ts'
import { compileGrouping } from './grouping-query.ts'
import { LEVEL } from './level-query.ts'

/**
 * Cells of one shape that a node can hold in memory without harm. It lists all cells of a shape before it counts them,
 * unbounded: a large shape in a fine grid would end it.
 */
const MOST_CELLS_BITS = 18

/** By how many bits the cells of a level are more than those of the level above. */
const BITS = { geotile: 2, geohash: 5 } as const

/**
 * Whether no shape of the selection lies in so many cells of the grid that a node must not be asked. The cells of coarser
 * levels bound those of finer ones; false when they are more than `limits.buckets` already.
 */
export async function isWithinReach(work: Aggregating, grouping: GridGrouping): Promise<boolean> {
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

/** The cells the shapes of the selection lie in; one more than allowed stands for any number beyond. */
async function countCells({ context, plan, query, signal }: Aggregating, grouping: GridGrouping): Promise<number> {
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
