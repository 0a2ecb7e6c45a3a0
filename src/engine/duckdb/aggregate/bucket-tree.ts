import type { DuckDBValue } from '@duckdb/node-api'
import type { BucketKey, ComparableBucket, MetricValue } from '../../../query/aggregation/bucket.ts'
import { compareBuckets } from '../../../query/aggregation/bucket-order.ts'
import type { AggregationLevel } from '../../../query/plan/aggregation-plan.ts'
import { compareCodePoints } from '../../../query/value/code-point-order.ts'
import type { BucketList, FoundDocument } from '../../engine.ts'

export type Unite = 'sum' | 'min' | 'max'

/** There may be a hundred thousand nodes, most of them without anything to list: they share this. */
const NONE: readonly never[] = []

/** A bucket while its level is made. The root holds the buckets of the first level. */
export class BucketNode implements ComparableBucket {
  readonly key: BucketKey
  readonly parent: BucketNode | undefined
  /** SQL value of the key in each domain; absent where no row of the domain has it. */
  codes: readonly DuckDBValue[] = NONE
  count = 0
  /** United over the rows seen so far. */
  partials: readonly DuckDBValue[] = NONE
  metrics: readonly MetricValue[] = NONE
  /** For each top of one document: what its first sort key is; null when no document has a value. */
  bounds: readonly (DuckDBValue | undefined)[] = NONE
  tops: readonly (readonly FoundDocument[])[] = NONE
  children: BucketNode[] | undefined
  #byKey: Map<string | number | bigint | boolean, BucketNode> | undefined
  /** Children in order and cut to size. */
  kept: readonly BucketNode[] = NONE
  others = 0

  constructor(key: BucketKey, parent: BucketNode | undefined) {
    this.key = key
    this.parent = parent
  }

  /** The child of a key, made when there is none. */
  child(key: BucketKey): BucketNode {
    this.#byKey ??= new Map()
    const name = typeof key === 'object' ? `${key.x}/${key.y}` : key
    let node = this.#byKey.get(name)
    if (!node) {
      node = this.newChild(key)
      this.#byKey.set(name, node)
    }
    return node
  }

  /** A child of a key that has none and will not be asked for again. */
  newChild(key: BucketKey): BucketNode {
    const node = new BucketNode(key, this)
    if (this.children) this.children.push(node)
    else this.children = [node]
    return node
  }

  setCode(domain: number, code: DuckDBValue): void {
    this.codes = replaced(this.codes, domain, code)
  }

  setMetric(place: number, value: MetricValue): void {
    this.metrics = replaced(this.metrics, place, value)
  }

  setTop(place: number, documents: readonly FoundDocument[]): void {
    this.tops = replaced(this.tops, place, documents)
  }

  add(count: number, partials: readonly DuckDBValue[], unites: readonly Unite[]): void {
    this.count += count
    this.partials =
      this.partials.length === 0
        ? partials
        : this.partials.map((before, i) => uniteValues(before, partials[i] ?? null, unites[i] ?? 'sum'))
  }

  /** Orders the children and keeps the first `size`; `others` may hold the count of those the engine cut already. */
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

/** What a finished tree answers. */
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

/** The nodes of a level that were kept, in order. */
export function keptNodes(root: BucketNode, depth: number): readonly BucketNode[] {
  let nodes: readonly BucketNode[] = [root]
  for (let level = 0; level <= depth; level++) nodes = nodes.flatMap((node) => node.kept)
  return nodes
}
