import { Problem } from '../../../errors.ts'
import { checkBucketCount, checkBucketHits } from '../../../query/aggregation/bucket-limits.ts'
import type { AggregationLevel, AggregationPlan } from '../../../query/plan/aggregation-plan.ts'
import type { Selection } from '../../../query/plan/plan.ts'
import type { AggregationResult } from '../../engine.ts'
import { readFieldHomes } from '../condition/field-homes.ts'
import type { ClusterContext } from '../request/cluster-context.ts'
import { countMatching } from '../request/search-call.ts'
import { missingPrimitive } from '../scanned/missing-primitive.ts'
import { aggregateByScan } from '../scanned/scanned-aggregation.ts'
import { neededFields } from '../scanned/scanned-fields.ts'
import { compileSelection } from '../selection/selection-query.ts'
import { countExactly } from './bucket-cardinalities.ts'
import type { ClusterAggregation } from './bucket-request.ts'
import { bucketList, ClusterBucket, nodesAt } from './cluster-bucket.ts'
import { keyReader } from './grouping-query.ts'
import { phasesOf, runPhase } from './level-phases.ts'
import { isWithinReach } from './shape-descent.ts'
import { addTops, checkTopSizes } from './top-hits.ts'

/** Expensive for nodes: they list all cells of a shape, including cells outside the scope. */
const LARGE_SHAPES = 'grids of shapes that cover very many cells'

/** Computes the buckets of a plan. Falls back to reading documents if the cluster lacks a primitive. */
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
    return aggregateByScan(context, plan, `grouping by ${disputed}, which has different types in the indices,`, signal)
  }
  for (const { tops } of plan.levels) checkTopSizes(tops)
  const query = await compileSelection(context, plan, signal)
  const levels = withTerms(plan.levels)
  const readers = levels.map(({ grouping }) => keyReader(grouping))
  const root = new ClusterBucket('', undefined, 0)
  const isFilled = await fill({ context, plan: { ...plan, levels }, query, root, readers, signal })
  if (!isFilled) return aggregateByScan(context, plan, LARGE_SHAPES, signal)
  return { total: root.count, ...bucketList(root, plan.levels.length) }
}

/**
 * Returns the levels before the first one with an empty list of included terms, which has no buckets. Clusters would
 * treat an empty list as all terms.
 */
function withTerms(levels: readonly AggregationLevel[]): readonly AggregationLevel[] {
  const empty = levels.findIndex(
    ({ grouping }) =>
      grouping.kind === 'term' && grouping.include?.kind === 'values' && grouping.include.values.length === 0,
  )
  return empty < 0 ? levels : levels.slice(0, empty)
}

/** Adds all buckets below the root. Returns false if the documents must be read instead. */
async function fill(work: ClusterAggregation): Promise<boolean> {
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

/**
 * Returns false if the documents must be read instead. Throws LIMIT_EXCEEDED if the number of cells is certainly too
 * large.
 */
async function areShapesWithinReach(work: ClusterAggregation): Promise<boolean> {
  const { levels, limits } = work.plan
  for (const [depth, { grouping, size }] of levels.entries()) {
    if (!('level' in grouping) || (await isWithinReach(work, grouping))) continue
    if (depth === 0 && size === undefined && grouping.scope === undefined) checkBucketCount(limits.buckets + 1, limits)
    return false
  }
  return true
}

/** True if the cluster returns cells outside the scope, which count against its limits. */
function areCellsPassedOver({ levels }: AggregationPlan): boolean {
  return levels.some(
    ({ grouping }) => 'scope' in grouping && grouping.scope !== undefined && grouping.field.type === 'GEO_SHAPE',
  )
}

/**
 * Returns the first field of the levels that has different types in some of the indices. A cluster rejects grouping and
 * sorting by such a field, or mixes incompatible values. An index where it has another type counts as one without it.
 */
async function findDisputed(
  context: ClusterContext,
  { indices }: Selection,
  levels: readonly AggregationLevel[],
  signal?: AbortSignal,
): Promise<string | undefined> {
  if (indices.length < 2) return undefined
  const { fields } = neededFields(levels)
  const members = fields.map((field) => ({ kind: 'exists', field }) as const)
  const homes = await readFieldHomes(context, { indices, predicate: { kind: 'and', members } }, signal)
  return fields.find(({ path }) => homes.get(path)?.some((home) => home.indices !== undefined))?.path
}
