import type { WireObject } from '../../../cluster-client/cluster-client.ts'
import { checkBucketCount } from '../../../query/aggregation/bucket-limits.ts'
import type {
  AggregationLevel,
  AggregationPlan,
  GridGrouping,
  Grouping,
  MetricPlan,
} from '../../../query/plan/aggregation-plan.ts'
import { askInside, type ClusterAggregation, levelOf, type RawBucket, type RawLevel } from './bucket-request.ts'
import { ClusterBucket, nodesAt, nodesByKey } from './cluster-bucket.ts'
import { askedSize, compileBucketMetrics, compileLevel, isAskedAgain, LEVEL, readFirstMetrics } from './level-query.ts'
import { readMetrics } from './metric-query.ts'

/** Maximum number of buckets per request, for levels with a size. */
const MOST_CHILDREN = 50_000

/** Bits of the cell number up to which further levels are nested in a whole grid at once. */
const FEW_CELLS_BITS = 10

/** First and last level of a request. */
type Phase = readonly [from: number, to: number]

/**
 * Groups levels into requests. Levels below another one are requested once its buckets are known, unless it has few
 * buckets.
 */
export function phasesOf({ levels }: AggregationPlan): readonly Phase[] {
  const phases: Phase[] = []
  let from = 0
  for (const [depth, level] of levels.entries()) {
    if (depth < levels.length - 1 && level.size === undefined && areFew(level.grouping)) continue
    phases.push([from, depth])
    from = depth + 1
  }
  return phases
}

/** True if a grouping makes few buckets for any documents. */
function areFew(grouping: Grouping): boolean {
  switch (grouping.kind) {
    case 'datehistogram':
      return grouping.interval.kind === 'calendar'
    case 'geotile':
      return 2 * grouping.level <= FEW_CELLS_BITS
    case 'geohash':
      return 5 * grouping.level <= FEW_CELLS_BITS
    default:
      return false
  }
}

/** Adds the buckets of the levels of a phase. Counts and metrics of the level above become exact. */
export async function runPhase(work: ClusterAggregation, [from, to]: Phase): Promise<void> {
  const { root, plan } = work
  const above = plan.levels[from - 1]
  const again = isAskedAgain(plan, from - 1) ? above : undefined
  const parents = nodesByKey(root, from - 1)
  const unsure: ClusterBucket[] = []
  const size = plan.levels[to]?.size ?? 1
  const most = Math.max(1, Math.floor(MOST_CHILDREN / size))
  const aggs = { ...compileBucketMetrics(again?.metrics ?? [], plan), ...compileLevels(work, from, to, false) }
  const found = new Set<ClusterBucket>()
  for (let at = 0; at < parents.length; at += most) {
    await askInside(work, parents.slice(at, at + most), aggs, (parent, answer) => {
      found.add(parent)
      if (again) readAgain(parent, answer, again.metrics)
      unsure.push(...readLevels(work, parent, answer, from, to, false))
    })
    checkBucketCount(bucketsIn(root), plan.limits)
  }
  if (again) dropAndReorder(work, from - 1, found)
  await askInside(work, unsure, compileLevels(work, to, to, true), (parent, answer) => {
    readLevels(work, parent, answer, to, to, true)
  })
}

/** Updates a bucket with the exact values from a request by key. */
export function readAgain(node: ClusterBucket, answer: RawBucket, metrics: readonly MetricPlan[]): void {
  node.count = answer.doc_count ?? node.count
  node.metrics = readMetrics(metrics, answer)
}

/** Removes buckets that a request by key did not find: their documents are gone. */
export function dropAndReorder(
  { root, plan }: ClusterAggregation,
  depth: number,
  found: ReadonlySet<ClusterBucket>,
): void {
  const level = plan.levels[depth]
  if (level === undefined) return
  const gone = new Set(nodesAt(root, depth).filter((node) => !found.has(node)))
  for (const parent of nodesAt(root, depth - 1)) parent.reorder(level, gone)
}

function bucketsIn({ children }: ClusterBucket): number {
  return children.reduce((sum, child) => sum + bucketsIn(child), children.length)
}

function compileLevels({ plan }: ClusterAggregation, from: number, to: number, wide: boolean): WireObject {
  let nested: WireObject = {}
  for (let depth = to; depth >= from; depth--) nested = { [LEVEL]: compileLevel(plan, depth, wide, nested) }
  return nested
}

/**
 * Reads buckets and returns the parents with ties at the cut: there the cluster cut the cells by its order, not by
 * ours.
 */
function readLevels(
  work: ClusterAggregation,
  parent: ClusterBucket,
  answer: RawBucket,
  depth: number,
  to: number,
  wide: boolean,
): readonly ClusterBucket[] {
  const { plan, readers } = work
  const level = plan.levels[depth]
  if (level === undefined) return []
  const again = isAskedAgain(plan, depth)
  const raw = levelOf(answer)
  const isCut = areCellsCut(plan, level, raw, wide)
  const unsure: ClusterBucket[] = []
  const nodes = raw.buckets.flatMap((bucket) => {
    const key = readers[depth]?.(bucket.key)
    if (key === undefined) return []
    const node = new ClusterBucket(key, parent, bucket.doc_count ?? 0, readFirstMetrics(level, again, bucket))
    if (depth < to) unsure.push(...readLevels(work, node, bucket, depth + 1, to, wide))
    return [node]
  })
  parent.adopt(nodes, level, raw.sum_other_doc_count ?? 0)
  if (isCut && !wide && endsAmongEquals(raw, level.size ?? 0)) unsure.push(parent)
  return unsure
}

/** True if more cells may exist than were returned. Throws LIMIT_EXCEEDED if those may be among the requested ones. */
function areCellsCut({ limits }: AggregationPlan, level: AggregationLevel, raw: RawLevel, wide: boolean): boolean {
  const { grouping, size } = level
  if (!isGrid(grouping) || raw.buckets.length < askedSize(level, limits.buckets + 1, wide)) return false
  // For shapes, cells outside the scope are returned too.
  const arePassedOver = grouping.scope !== undefined && grouping.field.type === 'GEO_SHAPE'
  if (size === undefined || arePassedOver) checkBucketCount(limits.buckets + 1, limits)
  return true
}

const isGrid = (grouping: Grouping): grouping is GridGrouping =>
  grouping.kind === 'geotile' || grouping.kind === 'geohash' || grouping.kind === 'geohex'

/** True if the last returned bucket has the same count as the last kept one. */
function endsAmongEquals({ buckets }: RawLevel, size: number): boolean {
  return buckets[size - 1]?.doc_count === buckets.at(-1)?.doc_count
}
