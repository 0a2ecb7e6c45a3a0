import type { DuckDBValue } from '@duckdb/node-api'
import type { BucketKey, ComparableBucket, MetricValue } from '../../../query/aggregation/bucket.ts'
import { compareBuckets } from '../../../query/aggregation/bucket-order.ts'
import type { AggregationLevel } from '../../../query/plan/aggregation-plan.ts'
import { compareCodePoints } from '../../../query/value/code-point-order.ts'
import type { BucketList, FoundDocument } from '../../engine.ts'

export type Unite = 'sum' | 'min' | 'max'

/** Shared empty list. A tree may have a hundred thousand nodes, and most have nothing to list. */
const NONE: readonly never[] = []

/** A bucket while its level is built. The root holds the buckets of the first level. */
export class BucketNode implements ComparableBucket {
  readonly key: BucketKey
  readonly parent: BucketNode | undefined
  /** SQL value of the key. */
  readonly code: DuckDBValue
  count = 0
  /** Partial results of the metrics and tops. */
  partials: readonly DuckDBValue[] = NONE
  metrics: readonly MetricValue[] = NONE
  /** For each top of one document: the value of its first sort key. Null if no document has a value. */
  bounds: readonly (DuckDBValue | undefined)[] = NONE
  tops: readonly (readonly FoundDocument[])[] = NONE
  children: BucketNode[] | undefined
  /** Children, sorted and cut to size. */
  kept: readonly BucketNode[] = NONE
  others = 0

  constructor(key: BucketKey, parent: BucketNode | undefined, code: DuckDBValue = null) {
    this.key = key
    this.parent = parent
    this.code = code
  }

  newChild(key: BucketKey, code: DuckDBValue): BucketNode {
    const node = new BucketNode(key, this, code)
    if (this.children) this.children.push(node)
    else this.children = [node]
    return node
  }

  setMetric(place: number, value: MetricValue): void {
    this.metrics = replaced(this.metrics, place, value)
  }

  setTop(place: number, documents: readonly FoundDocument[]): void {
    this.tops = replaced(this.tops, place, documents)
  }

  /**
   * Sorts the children and keeps the first `size`. `others` already holds the count of those cut by the database.
   */
  keep({ order, size }: AggregationLevel): void {
    if (!this.children) return
    this.children.sort(compareBuckets(order))
    this.kept = size === undefined ? this.children : this.children.slice(0, size)
    for (let i = this.kept.length; i < this.children.length; i++) this.others += this.children[i]?.count ?? 0
  }
}

function replaced<T>(list: readonly T[], place: number, value: T): readonly T[] {
  const copy = [...list]
  copy[place] = value
  return copy
}

export function uniteValues(a: DuckDBValue, b: DuckDBValue, unite: Unite): DuckDBValue {
  if (a === null) return b
  if (b === null) return a
  if (unite === 'sum') return typeof a === 'bigint' && typeof b === 'bigint' ? a + b : Number(a) + Number(b)
  const before = typeof a === 'string' && typeof b === 'string' ? compareCodePoints(a, b) < 0 : a < b
  return (unite === 'min') === before ? a : b
}

/** Converts a finished tree to the result. */
export function bucketList(node: BucketNode, levels: number): BucketList {
  return {
    others: node.others,
    buckets: node.kept.map((child) => ({
      key: child.key,
      count: child.count,
      metrics: child.metrics,
      tops: child.tops,
      ...(levels > 1 ? { children: bucketList(child, levels - 1) } : {}),
    })),
  }
}

/** The kept nodes of a level, in order. */
export function keptNodes(root: BucketNode, depth: number): readonly BucketNode[] {
  let nodes: readonly BucketNode[] = [root]
  for (let level = 0; level <= depth; level++) nodes = nodes.flatMap((node) => node.kept)
  return nodes
}
