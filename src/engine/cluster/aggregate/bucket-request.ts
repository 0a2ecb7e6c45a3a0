import { ClusterRefusal, type Query, type WireJson, type WireObject } from '../../../cluster-client/cluster-client.ts'
import type { BucketKey } from '../../../query/aggregation/bucket.ts'
import { checkBucketCount } from '../../../query/aggregation/bucket-limits.ts'
import type { AggregationPlan } from '../../../query/plan/aggregation-plan.ts'
import type { ClusterContext } from '../request/cluster-context.ts'
import { sendSearch } from '../request/search-call.ts'
import { narrowTo } from './bucket-narrowing.ts'
import { type ClusterBucket, lineage, nameOf, nodesAt } from './cluster-bucket.ts'
import { compileGrouping, type KeyReader } from './grouping-query.ts'
import { LEVEL } from './level-query.ts'

/** State shared by the steps of one aggregation. */
export interface ClusterAggregation {
  readonly context: ClusterContext
  readonly plan: AggregationPlan
  /** Query of the selection. */
  readonly query: Query
  readonly root: ClusterBucket
  /** One per level. */
  readonly readers: readonly KeyReader[]
  readonly signal: AbortSignal | undefined
}

/** A bucket in a cluster response, or the aggregations of the whole response. */
export type RawBucket = WireObject & { readonly key?: WireJson; readonly doc_count?: number }

export type RawLevel = {
  readonly buckets: readonly RawBucket[]
  /** For terms: number of documents in the terms that were cut off. */
  readonly sum_other_doc_count?: number
}

/** Returns the buckets nested in a bucket. */
export function levelOf(bucket: RawBucket): RawLevel {
  const level = bucket[LEVEL] as RawLevel | undefined
  return level ?? { buckets: [] }
}

/**
 * Maximum number of parent buckets per request. To collect the children of one parent, nodes go through the children of
 * all parents: the work is quadratic and nothing limits it.
 */
const MOST_AROUND_OTHERS = 1000

/**
 * Requests `aggs` inside each of these buckets of one level, or for the whole selection if the parent is the root.
 * Passes the response of each bucket to `read`. A request that is too large is split in two.
 */
export async function askInside(
  work: ClusterAggregation,
  parents: readonly ClusterBucket[],
  aggs: WireObject,
  read: (parent: ClusterBucket, answer: RawBucket) => void,
): Promise<void> {
  if (parents.length === 0) return
  const keys = keysOf(parents)
  const around = LEVEL in aggs ? keys : keys.slice(0, -1)
  const combinations = around.reduce((product, { length }) => product * length, 1)
  if (parents.length === 1 || combinations <= MOST_AROUND_OTHERS) {
    try {
      return await askOnce(work, parents, keys, aggs, read)
    } catch (error) {
      if (!isTooMany(error)) throw error
      const { limits } = work.plan
      if (parents.length === 1) checkBucketCount(limits.buckets + 1, limits)
    }
  }
  const half = Math.ceil(parents.length / 2)
  await askInside(work, parents.slice(0, half), aggs, read)
  await askInside(work, parents.slice(half), aggs, read)
}

async function askOnce(
  work: ClusterAggregation,
  parents: readonly ClusterBucket[],
  keys: readonly (readonly BucketKey[])[],
  aggs: WireObject,
  read: (parent: ClusterBucket, answer: RawBucket) => void,
): Promise<void> {
  const { context, plan, root, signal } = work
  const depth = keys.length - 1
  const arePart = parents.length < nodesAt(root, depth).length
  const wantsTotal = depth < 0
  const body = {
    size: 0,
    track_total_hits: wantsTotal,
    query: { bool: { filter: [work.query, ...compileNarrowing(plan, keys, arePart)] } },
    aggs: compileAbove(plan, keys, aggs),
  }
  const { hits, aggregations = {} } = await sendSearch(context, plan.indices, body, signal)
  if (wantsTotal) root.count = hits.total?.value ?? 0
  visit(work, root, aggregations, depth, new Set(parents), read)
}

/** Returns the keys of these buckets and of their ancestors, per level. */
function keysOf(parents: readonly ClusterBucket[]): readonly (readonly BucketKey[])[] {
  const lineages = parents.map(lineage)
  return (lineages[0] ?? []).map((_, depth) => {
    const keys = lineages.flatMap((nodes) => nodes[depth]?.key ?? [])
    return [...new Map(keys.map((key) => [nameOf(key), key])).values()]
  })
}

/**
 * Wraps `aggs` in the levels above, for all keys. Key combinations that are not among our buckets are skipped later.
 */
function compileAbove(
  { levels, limits }: AggregationPlan,
  keys: readonly (readonly BucketKey[])[],
  aggs: WireObject,
): WireObject {
  return keys.reduceRight<WireObject>((inner, some, depth) => {
    const grouping = levels[depth]?.grouping
    if (grouping === undefined) throw new Error(`level ${depth} does not exist`)
    return { [LEVEL]: { ...compileGrouping(grouping, { keys: some, most: limits.buckets + 1 }), aggs: inner } }
  }, aggs)
}

/** Returns queries that let nodes skip documents outside the buckets, if there may be any. */
function compileNarrowing(
  { levels }: AggregationPlan,
  keys: readonly (readonly BucketKey[])[],
  arePart: boolean,
): readonly Query[] {
  return keys.flatMap((some, depth): readonly Query[] => {
    const level = levels[depth]
    const query = level && (arePart || level.size !== undefined) ? narrowTo(level.grouping, some) : undefined
    return query === undefined ? [] : [query]
  })
}

/** True if a request exceeded the bucket limit of the cluster. */
export const isTooMany = (error: unknown): boolean =>
  error instanceof ClusterRefusal &&
  [error.type, error.reason].some((text) => text.includes('too_many_buckets_exception'))

function visit(
  work: ClusterAggregation,
  node: ClusterBucket,
  answer: RawBucket,
  depth: number,
  parents: ReadonlySet<ClusterBucket>,
  read: (parent: ClusterBucket, answer: RawBucket) => void,
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
