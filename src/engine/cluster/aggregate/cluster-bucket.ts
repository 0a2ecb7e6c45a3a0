import type { BucketKey, ComparableBucket, MetricValue } from '../../../query/aggregation/bucket.ts'
import { compareBuckets, compareKeys } from '../../../query/aggregation/bucket-order.ts'
import type { AggregationLevel } from '../../../query/plan/aggregation-plan.ts'
import type { BucketList, FoundDocument } from '../../engine.ts'

const NONE: readonly never[] = []

/**
 * A bucket during the execution of its plan. The root represents the whole selection and holds the buckets of the first
 * level.
 */
export class ClusterBucket implements ComparableBucket {
  readonly key: BucketKey
  readonly parent: ClusterBucket | undefined
  /** Index of its level; -1 for the root. */
  readonly depth: number
  count: number
  metrics: readonly MetricValue[]
  tops: readonly (readonly FoundDocument[])[] = NONE
  /** Sorted and cut to size. */
  children: readonly ClusterBucket[] = NONE
  #counted = 0
  #byKey: ReadonlyMap<unknown, ClusterBucket> | undefined

  constructor(
    key: BucketKey,
    parent: ClusterBucket | undefined,
    count: number,
    metrics: readonly MetricValue[] = NONE,
  ) {
    this.key = key
    this.parent = parent
    this.depth = parent === undefined ? -1 : parent.depth + 1
    this.count = count
    this.metrics = metrics
  }

  /** Sorts the buckets and keeps the first ones. `cut`: number of documents in buckets the cluster did not return. */
  adopt(buckets: readonly ClusterBucket[], level: AggregationLevel, cut: number): void {
    this.#counted = sumOf(buckets) + cut
    this.#keep(buckets, level)
  }

  /** Sorts and cuts again after the sort values have become exact, without the buckets in `gone`. */
  reorder(level: AggregationLevel, gone: ReadonlySet<ClusterBucket>): void {
    this.#keep(
      this.children.filter((child) => !gone.has(child)),
      level,
    )
  }

  #keep(buckets: readonly ClusterBucket[], { order, size }: AggregationLevel): void {
    this.children = buckets.toSorted(compareBuckets(order)).slice(0, size)
    this.#byKey = undefined
  }

  /** Number of documents in the buckets that were cut off. */
  get others(): number {
    return Math.max(0, this.#counted - sumOf(this.children))
  }

  child(key: BucketKey): ClusterBucket | undefined {
    this.#byKey ??= new Map(this.children.map((child) => [nameOf(child.key), child]))
    return this.#byKey.get(nameOf(key))
  }
}

const sumOf = (buckets: readonly ClusterBucket[]): number => buckets.reduce((sum, { count }) => sum + count, 0)

/** Returns a map key that identifies a bucket key within its level. */
export const nameOf = (key: BucketKey): unknown => (typeof key === 'object' ? `${key.x}/${key.y}` : key)

/** Returns the buckets of a level, in order. */
export function nodesAt(root: ClusterBucket, depth: number): readonly ClusterBucket[] {
  let nodes: readonly ClusterBucket[] = [root]
  for (let level = 0; level <= depth; level++) nodes = nodes.flatMap(({ children }) => children)
  return nodes
}

/** Returns the buckets of a level sorted by key, so that neighbours have much in common. */
export function nodesByKey(root: ClusterBucket, depth: number): readonly ClusterBucket[] {
  let nodes: readonly ClusterBucket[] = [root]
  for (let level = 0; level <= depth; level++) {
    nodes = nodes.flatMap(({ children }) => children.toSorted((a, b) => compareKeys(a.key, b.key)))
  }
  return nodes
}

/** Returns the ancestors of a bucket and the bucket itself, from the first level down; without the root. */
export function lineage(node: ClusterBucket): readonly ClusterBucket[] {
  return node.parent === undefined ? [] : [...lineage(node.parent), node]
}

/** Converts the buckets below a node to a result. `levels`: number of levels below the node. */
export function bucketList({ children, others }: ClusterBucket, levels: number): BucketList {
  return {
    others,
    buckets: children.map((child) => ({
      key: child.key,
      count: child.count,
      metrics: child.metrics,
      tops: child.tops,
      ...(levels > 1 ? { children: bucketList(child, levels - 1) } : {}),
    })),
  }
}
