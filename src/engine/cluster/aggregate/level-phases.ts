import type { WireObject } from '../../../cluster-client/cluster-client.ts'
import { checkBucketCount } from '../../../query/aggregation/bucket-limits.ts'
import type {
  AggregationLevel,
  AggregationPlan,
  GridGrouping,
  Grouping,
  MetricPlan,
} from '../../../query/plan/aggregation-plan.ts'
import { BucketNode, nodesAt, nodesByKey } from './bucket-node.ts'
import { type Aggregating, askInside, levelOf, type RawBucket, type RawLevel } from './bucket-request.ts'
import { askedSize, compileBucketMetrics, compileLevel, isAskedAgain, LEVEL, readFirstMetrics } from './level-query.ts'
import { readMetrics } from './metric-query.ts'

/** Buckets one request asks for, where a size tells how many there are. */
const MOST_CHILDREN = 50_000

/** Cells of a whole grid that others are nested in at once. */
const FEW_CELLS_BITS = 10

/** First and last level of a request. */
type Phase = readonly [from: number, to: number]

/** Levels that are asked for together: what is nested in others waits until these are known, unless they are few. */
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

/** Whether a grouping makes few buckets, whatever the documents. */
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

/** Adds the buckets of the levels of a phase below those of the level above, whose counts and metrics become exact. */
export async function runPhase(work: Aggregating, [from, to]: Phase): Promise<void> {
  const { root, plan } = work
  const above = plan.levels[from - 1]
  const again = isAskedAgain(plan, from - 1) ? above : undefined
  const parents = nodesByKey(root, from - 1)
  const unsure: BucketNode[] = []
  const size = plan.levels[to]?.size ?? 1
  const most = Math.max(1, Math.floor(MOST_CHILDREN / size))
  const aggs = { ...compileBucketMetrics(again?.metrics ?? [], plan), ...compileLevels(work, from, to, false) }
  const found = new Set<BucketNode>()
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

/** Takes over what a request that names the bucket tells of it. */
export function readAgain(node: BucketNode, answer: RawBucket, metrics: readonly MetricPlan[]): void {
  node.count = answer.doc_count ?? node.count
  node.metrics = readMetrics(metrics, answer)
}

/** Buckets that were not found again have lost their documents since. */
export function dropAndReorder({ root, plan }: Aggregating, depth: number, found: ReadonlySet<BucketNode>): void {
  const level = plan.levels[depth]
  if (level === undefined) return
  const gone = new Set(nodesAt(root, depth).filter((node) => !found.has(node)))
  for (const parent of nodesAt(root, depth - 1)) parent.reorder(level, gone)
}

function bucketsIn({ children }: BucketNode): number {
  return children.reduce((sum, child) => sum + bucketsIn(child), children.length)
}

function compileLevels({ plan }: Aggregating, from: number, to: number, wide: boolean): WireObject {
  let nested: WireObject = {}
  for (let depth = to; depth >= from; depth--) nested = { [LEVEL]: compileLevel(plan, depth, wide, nested) }
  return nested
}

/** Answers the buckets whose cells were cut among equals, by the cluster's order and not by ours. */
function readLevels(
  work: Aggregating,
  parent: BucketNode,
  answer: RawBucket,
  depth: number,
  to: number,
  wide: boolean,
): readonly BucketNode[] {
  const { plan, readers } = work
  const level = plan.levels[depth]
  if (level === undefined) return []
  const again = isAskedAgain(plan, depth)
  const raw = levelOf(answer)
  const isCut = areCellsCut(plan, level, raw, wide)
  const unsure: BucketNode[] = []
  const nodes = raw.buckets.flatMap((bucket) => {
    const key = readers[depth]?.(bucket.key)
    if (key === undefined) return []
    const node = new BucketNode(key, parent, bucket.doc_count ?? 0, readFirstMetrics(level, again, bucket))
    if (depth < to) unsure.push(...readLevels(work, node, bucket, depth + 1, to, wide))
    return [node]
  })
  parent.adopt(nodes, level, raw.sum_other_doc_count ?? 0)
  if (isCut && !wide && endsAmongEquals(raw, level.size ?? 0)) unsure.push(parent)
  return unsure
}

/** Whether there may be more cells than were told; LIMIT_EXCEEDED when those can be among the wanted ones. */
function areCellsCut({ limits }: AggregationPlan, level: AggregationLevel, raw: RawLevel, wide: boolean): boolean {
  const { grouping, size } = level
  if (!isGrid(grouping) || raw.buckets.length < askedSize(level, limits.buckets + 1, wide)) return false
  // Of shapes, cells outside the scope are told too.
  const arePassedOver = grouping.scope !== undefined && grouping.field.type === 'GEO_SHAPE'
  if (size === undefined || arePassedOver) checkBucketCount(limits.buckets + 1, limits)
  return true
}

const isGrid = (grouping: Grouping): grouping is GridGrouping =>
  grouping.kind === 'geotile' || grouping.kind === 'geohash' || grouping.kind === 'geohex'

/** Whether the last bucket told has no smaller a count than the last one kept. */
function endsAmongEquals({ buckets }: RawLevel, size: number): boolean {
  return buckets[size - 1]?.doc_count === buckets.at(-1)?.doc_count
}
