import { checkBucketCount, checkBucketHits } from '../../../query/aggregation/bucket-limits.ts'
import type { AggregationPlan } from '../../../query/plan/aggregation-plan.ts'
import type { AggregationResult } from '../../engine.ts'
import { locateRows } from '../condition/located-rows.ts'
import { lookUpIn, readTables, type Tables } from '../condition/snapshot.ts'
import type { Database } from '../database/database.ts'
import { countIn } from '../search/searcher.ts'
import { approaches, TooManyGroups } from './aggregation-approach.ts'
import { BucketNode, bucketList, keptNodes } from './bucket-tree.ts'
import { addDistinctCounts } from './distinct-counts.ts'
import { groupPhase } from './group-phase.ts'
import { refuseManyHexagons } from './hexagon-limit.ts'
import { countPlacedTiles } from './placed-tiles.ts'
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
    const counted = await countPlacedTiles(plan, tables)
    if (counted) return counted
    const located = await locateRows(plan.predicate, tables, lookUpIn(reader))
    await refuseManyHexagons({ reader, tables, plan, located })
    for (const approach of approaches(plan, tables)) {
      try {
        return await build({ reader, tables, plan, located, approach })
      } catch (error) {
        if (!(error instanceof TooManyGroups)) throw error
      }
    }
    throw new Error('the last approach must support any number of groups')
  })
}

async function build(work: TableAggregation): Promise<AggregationResult> {
  const { plan, approach, reader, tables } = work
  const root = new BucketNode('', undefined)
  let total: number | undefined
  let buckets = 0
  for (const [from, to] of approach.phases) {
    const counted = await groupPhase(work, root, from, to)
    if (from === 0) total = counted
    for (let depth = from; depth <= to; depth++) {
      buckets += keptNodes(root, depth).length
      checkBucketCount(buckets, plan.limits)
      await addDistinctCounts(work, root, depth)
    }
  }
  const counts = plan.levels.map((_, depth) => keptNodes(root, depth).length)
  checkBucketHits(counts, plan.levels, plan.limits)
  for (const [depth, level] of plan.levels.entries()) await addTops(work, level.tops, keptNodes(root, depth), depth)
  return {
    total: total ?? (await countIn(reader, tables, plan)),
    ...bucketList(root, plan.levels.length),
  }
}
