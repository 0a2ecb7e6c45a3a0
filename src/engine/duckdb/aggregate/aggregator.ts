import { checkBucketCount, checkBucketHits } from '../../../query/aggregation/bucket-limits.ts'
import type { AggregationPlan } from '../../../query/plan/aggregation-plan.ts'
import type { AggregationResult } from '../../engine.ts'
import { readTables, type Tables } from '../condition/snapshot.ts'
import type { Database } from '../database/database.ts'
import { countIn } from '../search/searcher.ts'
import { BucketNode, bucketList, keptNodes } from './bucket-tree.ts'
import { addDistinctCounts } from './distinct-counts.ts'
import { groupLevel } from './group-level.ts'
import { refuseManyHexagons } from './hexagon-limit.ts'
import type { TableAggregation } from './table-aggregation.ts'
import { addTops } from './top-rows.ts'

/** Returns the buckets of a plan, read from one snapshot. */
export function aggregate(
  database: Database,
  named: Tables,
  plan: AggregationPlan,
  signal: AbortSignal | undefined,
): Promise<AggregationResult> {
  return readTables(database, named, signal, async (reader, tables) => {
    const work = { reader, tables, plan }
    await refuseManyHexagons(work)
    return build(work)
  })
}

/** Builds the buckets level by level: only the kept buckets of a level have inner buckets. */
async function build(work: TableAggregation): Promise<AggregationResult> {
  const { plan, reader, tables } = work
  const root = new BucketNode('', undefined)
  let total: number | undefined
  let buckets = 0
  for (const depth of plan.levels.keys()) {
    const counted = await groupLevel(work, root, depth)
    if (depth === 0) total = counted
    buckets += keptNodes(root, depth).length
    checkBucketCount(buckets, plan.limits)
    await addDistinctCounts(work, root, depth)
  }
  const counts = plan.levels.map((_, depth) => keptNodes(root, depth).length)
  checkBucketHits(counts, plan.levels, plan.limits)
  for (const [depth, level] of plan.levels.entries()) await addTops(work, level.tops, keptNodes(root, depth), depth)
  return {
    total: total ?? (await countIn(reader, tables, plan)),
    ...bucketList(root, plan.levels.length),
  }
}
