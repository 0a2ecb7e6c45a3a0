import type { BucketKey, ComparableBucket, MetricValue } from '../../../query/aggregation/bucket.ts'
import { type BucketLimits, checkBucketCount, checkBucketHits } from '../../../query/aggregation/bucket-limits.ts'
import { compareBuckets } from '../../../query/aggregation/bucket-order.ts'
import type { AggregationLevel, AggregationPlan } from '../../../query/plan/aggregation-plan.ts'
import type { Turn } from '../../../turn.ts'
import type { ScannedDocuments } from './scanned-document.ts'
import { type KeysOf, scannedKeys } from './scanned-keys.ts'
import { scannedMetric } from './scanned-metric.ts'
import { scannedPick } from './scanned-top.ts'

/** Documents with one key, by row number, and the nested buckets. */
export class ScannedBucket implements ComparableBucket {
  readonly key: BucketKey
  /** Distinct row numbers in ascending order. */
  readonly members: number[]
  metrics: readonly MetricValue[] = []
  /** Selected documents, for each top of the level. */
  picks: readonly (readonly number[])[] = []
  /** Sorted and cut to size. */
  children: readonly ScannedBucket[] = []
  others = 0

  constructor(key: BucketKey, members: number[]) {
    this.key = key
    this.members = members
  }

  get count(): number {
    return this.members.length
  }
}

/** Computes the buckets of a plan. The root holds those of the first level. */
export async function groupScanned(
  plan: AggregationPlan,
  documents: ScannedDocuments,
  turn: Turn,
): Promise<ScannedBucket> {
  const { levels, limits } = plan
  const root = new ScannedBucket(
    '',
    Array.from({ length: documents.count }, (_, document) => document),
  )
  const counts: number[] = []
  let parents: readonly ScannedBucket[] = [root]
  let total = 0
  for (const level of levels) {
    const made: ScannedBucket[] = []
    const keysOf = scannedKeys(level.grouping, documents, limits)
    for (const parent of parents) {
      // Without a size, buckets count against the limit while they are created.
      const most = level.size === undefined ? limits.buckets - total - made.length : Number.POSITIVE_INFINITY
      const groups = await groupMembers(parent, keysOf, most, limits, turn)
      await keepFirst(parent, groups, level, documents, turn)
      made.push(...parent.children)
      checkBucketCount(total + made.length, limits)
    }
    total += made.length
    counts.push(made.length)
    parents = made
  }
  checkBucketHits(counts, levels, limits)
  await addPicks(root, levels, documents, turn)
  return root
}

async function groupMembers(
  { members }: ScannedBucket,
  keysOf: KeysOf,
  most: number,
  limits: BucketLimits,
  turn: Turn,
): Promise<ScannedBucket[]> {
  const groups = new Map<unknown, ScannedBucket>()
  for (const member of members) {
    if (turn.isOver) await turn.next()
    for (const key of keysOf(member)) {
      const name = typeof key === 'object' ? `${key.x}/${key.y}` : key
      const group = groups.get(name)
      if (group === undefined) groups.set(name, new ScannedBucket(key, [member]))
      else if (group.members.at(-1) !== member) group.members.push(member)
    }
    if (groups.size > most) checkBucketCount(limits.buckets + 1, limits)
  }
  return [...groups.values()]
}

/** Sorts and cuts the buckets. Of the buckets that are cut off, only the sort metric is computed. */
async function keepFirst(
  parent: ScannedBucket,
  groups: ScannedBucket[],
  { order, size, metrics }: AggregationLevel,
  documents: ScannedDocuments,
  turn: Turn,
): Promise<void> {
  const ordering = order.by === 'metric' ? metrics[order.metric] : undefined
  if (order.by === 'metric' && ordering !== undefined) {
    for (const group of groups) {
      if (turn.isOver) await turn.next()
      const values: MetricValue[] = metrics.map(() => null)
      values[order.metric] = scannedMetric(ordering, documents, group.members)
      group.metrics = values
    }
  }
  groups.sort(compareBuckets(order))
  parent.children = size === undefined ? groups : groups.slice(0, size)
  parent.others = groups.slice(parent.children.length).reduce((sum, { count }) => sum + count, 0)
  for (const child of parent.children) {
    if (turn.isOver) await turn.next()
    child.metrics = metrics.map((metric) => scannedMetric(metric, documents, child.members))
  }
}

async function addPicks(
  root: ScannedBucket,
  levels: readonly AggregationLevel[],
  documents: ScannedDocuments,
  turn: Turn,
): Promise<void> {
  let buckets: readonly ScannedBucket[] = [root]
  for (const { tops } of levels) {
    buckets = buckets.flatMap(({ children }) => children)
    const picks = tops.map((top) => scannedPick(top, documents))
    for (const bucket of buckets) {
      if (turn.isOver) await turn.next()
      bucket.picks = picks.map((pick) => pick(bucket.members))
    }
  }
}
