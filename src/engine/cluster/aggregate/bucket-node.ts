import type { BucketKey, ComparableBucket, MetricValue } from '../../../query/aggregation/bucket.ts'
import { compareBuckets, compareKeys } from '../../../query/aggregation/bucket-order.ts'
import type { AggregationLevel } from '../../../query/plan/aggregation-plan.ts'
import type { BucketList, FoundDocument } from '../../engine.ts'

const NONE: readonly never[] = []

/** A bucket while its plan is answered. The root stands for the whole selection and holds those of the first level. */
export class BucketNode implements ComparableBucket {
  readonly key: BucketKey
  readonly parent: BucketNode | undefined
  /** Place of its level; -1 for the root. */
  readonly depth: number
  count: number
  metrics: readonly MetricValue[]
  tops: readonly (readonly FoundDocument[])[] = NONE
  /** In order and cut to size. */
  children: readonly BucketNode[] = NONE
  #counted = 0
  #byKey: ReadonlyMap<unknown, BucketNode> | undefined

  constructor(key: BucketKey, parent: BucketNode | undefined, count: number, metrics: readonly MetricValue[] = NONE) {
    this.key = key
    this.parent = parent
    this.depth = parent === undefined ? -1 : parent.depth + 1
    this.count = count
    this.metrics = metrics
  }

  /** Orders buckets and keeps the first; `cut`: documents in those that were not told. */
  adopt(buckets: readonly BucketNode[], level: AggregationLevel, cut: number): void {
    this.#counted = sumOf(buckets) + cut
    this.#keep(buckets, level)
  }

  /** The same again, after what buckets are ordered by has become exact, and without those that are gone. */
  reorder(level: AggregationLevel, gone: ReadonlySet<BucketNode>): void {
    this.#keep(
      this.children.filter((child) => !gone.has(child)),
      level,
    )
  }

  #keep(buckets: readonly BucketNode[], { order, size }: AggregationLevel): void {
    this.children = buckets.toSorted(compareBuckets(order)).slice(0, size)
    this.#byKey = undefined
  }

  /** Documents in the buckets that were cut. */
  get others(): number {
    return Math.max(0, this.#counted - sumOf(this.children))
  }

  child(key: BucketKey): BucketNode | undefined {
    this.#byKey ??= new Map(this.children.map((child) => [nameOf(child.key), child]))
    return this.#byKey.get(nameOf(key))
  }
}

const sumOf = (buckets: readonly BucketNode[]): number => buckets.reduce((sum, { count }) => sum + count, 0)

/** The same for keys that are equal, and for no others of their level. */
export const nameOf = (key: BucketKey): unknown => (typeof key === 'object' ? `${key.x}/${key.y}` : key)

/** The buckets of a level, in order. */
export function nodesAt(root: BucketNode, depth: number): readonly BucketNode[] {
  let nodes: readonly BucketNode[] = [root]
  for (let level = 0; level <= depth; level++) nodes = nodes.flatMap(({ children }) => children)
  return nodes
}

/** The same in the order of the keys, so that neighbours have much in common. */
export function nodesByKey(root: BucketNode, depth: number): readonly BucketNode[] {
  let nodes: readonly BucketNode[] = [root]
  for (let level = 0; level <= depth; level++) {
    nodes = nodes.flatMap(({ children }) => children.toSorted((a, b) => compareKeys(a.key, b.key)))
  }
  return nodes
}

/** The bucket of each level that a bucket lies in, itself the last; without the root. */
export function lineage(node: BucketNode): readonly BucketNode[] {
  return node.parent === undefined ? [] : [...lineage(node.parent), node]
}

/** What is answered below a bucket; `levels`: how many there are below it. */
export function bucketList({ children, others }: BucketNode, levels: number): BucketList {
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
