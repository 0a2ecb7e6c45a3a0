import type { DuckDBValue } from '@duckdb/node-api'
import type { AggregationLevel } from '../../query/aggregation-plan.ts'
import type { BucketKey, ComparableBucket, MetricValue } from '../../query/bucket.ts'
import { compareBuckets } from '../../query/bucket-order.ts'
import { compareCodePoints } from '../../query/code-point-order.ts'
import type { FoundDocument } from '../engine.ts'

export type Unite = 'sum' | 'min' | 'max'

/** A bucket while its level is made. The root holds the buckets of the first level. */
export class BucketNode implements ComparableBucket {
  readonly key: BucketKey
  readonly parent: BucketNode | undefined
  /** SQL value of the key in each domain; absent where no row of the domain has it. */
  readonly codes: DuckDBValue[] = []
  count = 0
  /** United over the rows seen so far. */
  partials: DuckDBValue[] = []
  metrics: MetricValue[] = []
  /** For each top of one document: what its first sort key is; null when no document has a value. */
  bounds: (DuckDBValue | undefined)[] = []
  tops: (readonly FoundDocument[])[] = []
  readonly #children = new Map<string | number | bigint | boolean, BucketNode>()
  /** In order and cut to size. */
  kept: readonly BucketNode[] = []
  others = 0

  constructor(key: BucketKey, parent: BucketNode | undefined) {
    this.key = key
    this.parent = parent
  }

  child(key: BucketKey): BucketNode {
    const name = typeof key === 'object' ? `${key.x}/${key.y}` : key
    let node = this.#children.get(name)
    if (!node) {
      node = new BucketNode(key, this)
      this.#children.set(name, node)
    }
    return node
  }

  get children(): Iterable<BucketNode> {
    return this.#children.values()
  }

  add(count: number, partials: readonly DuckDBValue[], unites: readonly Unite[]): void {
    this.count += count
    this.partials =
      this.partials.length === 0
        ? [...partials]
        : this.partials.map((before, i) => uniteValues(before, partials[i] ?? null, unites[i] ?? 'sum'))
  }

  /** Orders the children and keeps the first `size`; `others` may hold the count of those the engine cut already. */
  keep({ order, size }: AggregationLevel): void {
    const ordered = [...this.#children.values()].sort(compareBuckets(order))
    this.kept = size === undefined ? ordered : ordered.slice(0, size)
    for (const node of ordered.slice(this.kept.length)) this.others += node.count
  }
}

export function uniteValues(a: DuckDBValue, b: DuckDBValue, unite: Unite): DuckDBValue {
  if (a === null) return b
  if (b === null) return a
  if (unite === 'sum') return typeof a === 'bigint' && typeof b === 'bigint' ? a + b : Number(a) + Number(b)
  const before = typeof a === 'string' && typeof b === 'string' ? compareCodePoints(a, b) < 0 : a < b
  return (unite === 'min') === before ? a : b
}

/** The nodes of a level that were kept, in order. */
export function keptNodes(root: BucketNode, depth: number): readonly BucketNode[] {
  let nodes: readonly BucketNode[] = [root]
  for (let level = 0; level <= depth; level++) nodes = nodes.flatMap((node) => node.kept)
  return nodes
}
