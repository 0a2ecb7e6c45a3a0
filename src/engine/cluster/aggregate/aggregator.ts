import { Problem } from '../../../errors.ts'
import { checkBucketCount, checkBucketHits } from '../../../query/aggregation/bucket-limits.ts'
import type { AggregationLevel, AggregationPlan } from '../../../query/plan/aggregation-plan.ts'
import type { AggregationResult } from '../../engine.ts'
import type { ClusterContext } from '../request/cluster-context.ts'
import { countMatching } from '../request/search-call.ts'
import { findDisputed } from '../scanned/disputed-field.ts'
import { missingPrimitive } from '../scanned/missing-primitive.ts'
import { aggregateByScan } from '../scanned/scanned-aggregation.ts'
import { compileSelection } from '../selection/selection-query.ts'
import { countExactly } from './bucket-cardinalities.ts'
import { BucketNode, bucketList, nodesAt } from './bucket-node.ts'
import type { Aggregating } from './bucket-request.ts'
import { keyReader } from './grouping-query.ts'
import { phasesOf, runPhase } from './level-phases.ts'
import { isWithinReach } from './shape-descent.ts'
import { addTops, checkTopSizes } from './top-hits.ts'

/** What nodes do badly: they list all cells of a shape, wherever those are. */
const LARGE_SHAPES = 'grids of shapes that lie in very many cells'

/** The buckets of a plan. What the cluster lacks is computed from documents. */
export async function aggregate(
  context: ClusterContext,
  plan: AggregationPlan,
  signal?: AbortSignal,
): Promise<AggregationResult> {
  if (plan.indices.length === 0) return { total: 0, buckets: [], others: 0 }
  const primitive = missingPrimitive(plan, context.dialect)
  if (primitive !== undefined) return aggregateByScan(context, plan, primitive, signal)
  const disputed = await findDisputed(context, plan, plan.levels, signal)
  if (disputed !== undefined) {
    return aggregateByScan(context, plan, `buckets of indices in which ${disputed} has different types`, signal)
  }
  for (const { tops } of plan.levels) checkTopSizes(tops)
  const query = await compileSelection(context, plan, signal)
  const levels = withTerms(plan.levels)
  const readers = levels.map(({ grouping }) => keyReader(grouping))
  const root = new BucketNode('', undefined, 0)
  const isFilled = await fill({ context, plan: { ...plan, levels }, query, root, readers, signal })
  if (!isFilled) return aggregateByScan(context, plan, LARGE_SHAPES, signal)
  return { total: root.count, ...bucketList(root, plan.levels.length) }
}

/** The levels before the first that includes no term at all, in which no bucket is; an empty list means all to clusters. */
function withTerms(levels: readonly AggregationLevel[]): readonly AggregationLevel[] {
  const empty = levels.findIndex(
    ({ grouping }) =>
      grouping.kind === 'term' && grouping.include?.kind === 'values' && grouping.include.values.length === 0,
  )
  return empty < 0 ? levels : levels.slice(0, empty)
}

/** Adds all buckets below the root; false where only a look at the documents tells them. */
async function fill(work: Aggregating): Promise<boolean> {
  const { context, plan, root, query, signal } = work
  const { levels, limits } = plan
  if (levels.length === 0) root.count = await countMatching(context, plan.indices, query, signal)
  if (!(await areShapesWithinReach(work))) return false
  try {
    for (const phase of phasesOf(plan)) await runPhase(work, phase)
  } catch (error) {
    if (areCellsPassedOver(plan) && error instanceof Problem && error.code === 'LIMIT_EXCEEDED') return false
    throw error
  }
  const counts = levels.map((_, depth) => nodesAt(root, depth).length)
  checkBucketHits(counts, levels, limits)
  for (const depth of levels.keys()) {
    await countExactly(work, depth)
    await addTops(work, depth)
  }
  return true
}

/** False where only a look at the documents tells; LIMIT_EXCEEDED where the cells are certainly too many. */
async function areShapesWithinReach(work: Aggregating): Promise<boolean> {
  const { levels, limits } = work.plan
  for (const [depth, { grouping, size }] of levels.entries()) {
    if (!('level' in grouping) || (await isWithinReach(work, grouping))) continue
    if (depth === 0 && size === undefined && grouping.scope === undefined) checkBucketCount(limits.buckets + 1, limits)
    return false
  }
  return true
}

/** Whether the cluster tells, and counts against its limits, cells that are not wanted. */
function areCellsPassedOver({ levels }: AggregationPlan): boolean {
  return levels.some(
    ({ grouping }) => 'scope' in grouping && grouping.scope !== undefined && grouping.field.type === 'GEO_SHAPE',
  )
}
