import { ClusterRefusal, type Query, type WireJson, type WireObject } from '../../../cluster-client/cluster-client.ts'
import type { BucketKey } from '../../../query/aggregation/bucket.ts'
import { checkBucketCount } from '../../../query/aggregation/bucket-limits.ts'
import type { AggregationPlan } from '../../../query/plan/aggregation-plan.ts'
import type { ClusterContext } from '../request/cluster-context.ts'
import { sendSearch } from '../request/search-call.ts'
import { narrowTo } from './bucket-narrowing.ts'
import { type BucketNode, lineage, nameOf, nodesAt } from './bucket-node.ts'
import { compileGrouping, type KeyReader } from './grouping-query.ts'
import { LEVEL } from './level-query.ts'

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
 * Buckets that one request may nest others in. Nodes gather what is nested in each of them by a look at all that is
 * nested in any: the work grows with the square, and nothing stops it.
 */
const MOST_AROUND_OTHERS = 1000

/**
 * Asks for `aggs` inside each of these buckets of one level, or for the whole selection inside the root, and hands the
 * answer of each to `read`. What is too much for one request is asked in two halves.
 */
export async function askInside(
  work: Aggregating,
  parents: readonly BucketNode[],
  aggs: WireObject,
  read: (parent: BucketNode, answer: RawBucket) => void,
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
  work: Aggregating,
  parents: readonly BucketNode[],
  keys: readonly (readonly BucketKey[])[],
  aggs: WireObject,
  read: (parent: BucketNode, answer: RawBucket) => void,
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

/** The keys of these buckets and of those around them, for each level. */
function keysOf(parents: readonly BucketNode[]): readonly (readonly BucketKey[])[] {
  const lineages = parents.map(lineage)
  return (lineages[0] ?? []).map((_, depth) => {
    const keys = lineages.flatMap((nodes) => nodes[depth]?.key ?? [])
    return [...new Map(keys.map((key) => [nameOf(key), key])).values()]
  })
}

/** The levels above `aggs`, of all keys: combinations that are no bucket of ours are passed over afterwards. */
function compileAbove(
  { levels, limits }: AggregationPlan,
  keys: readonly (readonly BucketKey[])[],
  aggs: WireObject,
): WireObject {
  return keys.reduceRight<WireObject>((inner, some, depth) => {
    const grouping = levels[depth]?.grouping
    if (grouping === undefined) throw new Error(`there is no level ${depth}`)
    return { [LEVEL]: { ...compileGrouping(grouping, { keys: some, most: limits.buckets + 1 }), aggs: inner } }
  }, aggs)
}

/** Spares nodes the documents outside the buckets, where there are such. */
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

/** Whether a request made more buckets than the cluster takes. */
export const isTooMany = (error: unknown): boolean =>
  error instanceof ClusterRefusal &&
  [error.type, error.reason].some((text) => text.includes('too_many_buckets_exception'))

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
