import type { AggregationPlan } from '../../query/aggregation-plan.ts'
import type { BucketKey } from '../../query/bucket.ts'
import { checkBucketCount } from '../../query/bucket-limits.ts'
import { narrowTo } from './bucket-narrowing.ts'
import { type BucketNode, lineage, nameOf, nodesAt } from './bucket-node.ts'
import { ClusterRefusal, type Query, type WireJson, type WireObject } from './cluster-client.ts'
import type { ClusterContext } from './cluster-context.ts'
import { compileGrouping, type KeyReader } from './grouping-query.ts'
import { LEVEL } from './level-query.ts'
import { sendSearch } from './search-call.ts'

/** What the steps of one aggregation share. */
export interface Aggregating {
  readonly context: ClusterContext
  readonly plan: AggregationPlan
  /** The selection. */
  readonly query: Query
  readonly root: BucketNode
  /** Of each level. */
  readonly readers: readonly KeyReader[]
  readonly signal: AbortSignal | undefined
}

/** A bucket as clusters answer it, or the answer itself. */
export type RawBucket = WireObject & { readonly key?: WireJson; readonly doc_count?: number }

export interface RawLevel {
  readonly buckets: readonly RawBucket[]
  /** Of terms: documents in the terms that were cut. */
  readonly sum_other_doc_count?: number
}

/** The buckets nested in a bucket. */
export function levelOf(bucket: RawBucket): RawLevel {
  const level = bucket[LEVEL] as unknown as RawLevel | undefined
  return level ?? { buckets: [] }
}

/**
 * Asks for `aggs` inside each of these buckets of one level, or for the whole selection inside the root, and hands the
 * answer of each to `read`. A request that makes more buckets than the cluster takes is asked in two halves.
 */
export async function askInside(
  work: Aggregating,
  parents: readonly BucketNode[],
  aggs: WireObject,
  read: (parent: BucketNode, answer: RawBucket) => void,
): Promise<void> {
  const [first] = parents
  if (first === undefined) return
  const { context, plan, root, signal } = work
  const inside = compileInside(work, parents, aggs)
  const filter = [work.query, ...inside.narrowing]
  const wantsTotal = first === root
  const body = { size: 0, track_total_hits: wantsTotal, query: { bool: { filter } }, aggs: inside.aggs }
  try {
    const { hits, aggregations = {} } = await sendSearch(context, plan.indices, body, signal)
    if (wantsTotal) root.count = hits.total?.value ?? 0
    visit(work, root, aggregations, first.depth, new Set(parents), read)
  } catch (error) {
    if (!isTooMany(error)) throw error
    if (parents.length === 1) checkBucketCount(plan.limits.buckets + 1, plan.limits)
    const half = Math.ceil(parents.length / 2)
    await askInside(work, parents.slice(0, half), aggs, read)
    await askInside(work, parents.slice(half), aggs, read)
  }
}

/** Whether a request made more buckets than the cluster takes. */
export const isTooMany = (error: unknown): boolean =>
  error instanceof ClusterRefusal &&
  [error.type, error.reason].some((text) => text.includes('too_many_buckets_exception'))

interface Inside {
  readonly aggs: WireObject
  readonly narrowing: readonly Query[]
}

/** The levels above `aggs`, with the buckets of all lineages: those of other combinations are passed over afterwards. */
function compileInside({ plan, root }: Aggregating, parents: readonly BucketNode[], aggs: WireObject): Inside {
  const lineages = parents.map(lineage)
  const depth = parents[0]?.depth ?? -1
  const most = plan.limits.buckets + 1
  const arePart = parents.length < nodesAt(root, depth).length
  let inner = aggs
  const narrowing: Query[] = []
  for (let d = depth; d >= 0; d--) {
    const level = plan.levels[d]
    if (level === undefined) continue
    const { grouping, size } = level
    const keys = distinctKeys(lineages.flatMap((nodes) => nodes[d]?.key ?? []))
    inner = { [LEVEL]: { ...compileGrouping(grouping, { keys, most }), aggs: inner } }
    const query = arePart || size !== undefined ? narrowTo(grouping, keys) : undefined
    if (query) narrowing.push(query)
  }
  return { aggs: inner, narrowing }
}

function distinctKeys(keys: readonly BucketKey[]): readonly BucketKey[] {
  return [...new Map(keys.map((key) => [nameOf(key), key])).values()]
}

function visit(
  work: Aggregating,
  node: BucketNode,
  answer: RawBucket,
  depth: number,
  parents: ReadonlySet<BucketNode>,
  read: (parent: BucketNode, answer: RawBucket) => void,
): void {
  if (node.depth === depth) {
    if (parents.has(node)) read(node, answer)
    return
  }
  const reader = work.readers[node.depth + 1]
  for (const bucket of levelOf(answer).buckets) {
    const key = reader?.(bucket.key)
    const child = key === undefined ? undefined : node.child(key)
    if (child) visit(work, child, bucket, depth, parents, read)
  }
}
