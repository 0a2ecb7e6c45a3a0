import type { AggregationResult, Bucket, BucketList } from '../../engine/engine.ts'
import type { MetricValue } from '../../query/aggregation/bucket.ts'
import { type BucketLimits, checkBucketCount, checkBucketHits } from '../../query/aggregation/bucket-limits.ts'
import { compareBuckets } from '../../query/aggregation/bucket-order.ts'
import type { AggregationLevel, AggregationPlan, MetricPlan } from '../../query/plan/aggregation-plan.ts'
import { type BucketSteps, bucketSteps } from './bucket-steps.ts'

interface FilledLevel extends AggregationLevel {
  readonly steps: BucketSteps | undefined
}

/**
 * Returns the buckets of the engine and, in histograms, the empty ones between the first and the last (spec 2.1), in
 * the order of their level. Throws LIMIT_EXCEEDED before they are built if the total is too large.
 */
export function fillBuckets(
  result: AggregationResult,
  { levels, limits }: Pick<AggregationPlan, 'levels'> & { readonly limits: BucketLimits },
): AggregationResult {
  const filled = levels.map((level) => ({ ...level, steps: bucketSteps(level.grouping) }))
  const counts = countBuckets(result, filled)
  const all = counts.reduce((sum, count) => sum + count, 0)
  checkBucketCount(all, limits)
  checkBucketHits(counts, levels, limits)
  return { ...result, ...fillList(result, filled, 0) }
}

/** Counts the buckets of each level, including empty ones. */
function countBuckets(result: BucketList, levels: readonly FilledLevel[]): readonly number[] {
  let lists: readonly BucketList[] = [result]
  return levels.map(({ steps }, depth) => {
    let count = 0
    for (const { buckets } of lists) count += steps === undefined ? buckets.length : span(buckets, steps)
    if (depth + 1 < levels.length) {
      lists = lists.flatMap(({ buckets }) => buckets.flatMap(({ children }) => children ?? []))
    }
    return count
  })
}

function span(buckets: readonly Bucket[], { ordinalOf }: BucketSteps): number {
  let first = Number.POSITIVE_INFINITY
  let last = Number.NEGATIVE_INFINITY
  for (const { key } of buckets) {
    const ordinal = ordinalOf(Number(key))
    if (ordinal < first) first = ordinal
    if (ordinal > last) last = ordinal
  }
  return buckets.length === 0 ? 0 : Math.max(buckets.length, last - first + 1)
}

function fillList(list: BucketList, levels: readonly FilledLevel[], depth: number): BucketList {
  const level = levels[depth]
  if (level === undefined) return list
  const isLast = depth + 1 === levels.length
  // Reuse the buckets of the last level, the most numerous, if nothing has to be added.
  const isComplete = isLast && level.metrics.length === 0
  const buckets = isComplete
    ? list.buckets
    : list.buckets.map((bucket) => ({
        ...bucket,
        metrics: withZeros(bucket.metrics, level.metrics),
        ...(isLast ? {} : { children: fillList(bucket.children ?? NO_BUCKETS, levels, depth + 1) }),
      }))
  if (level.steps === undefined) return { ...list, buckets }
  const whole = withEmpty(buckets, level.steps, emptyBucket(level, isLast))
  const isOrdered = level.order.by === 'key' && !level.order.descending
  return { ...list, buckets: isOrdered ? whole : whole.sort(compareBuckets(level.order)) }
}

const NO_BUCKETS: BucketList = { buckets: [], others: 0 }

/** Sums and cardinalities are 0 if no document has a value (spec 2.10). */
function withZeros(values: readonly MetricValue[], plans: readonly MetricPlan[]): readonly MetricValue[] {
  return plans.map(({ kind }, i) => values[i] ?? (kind === 'sum' || kind === 'cardinality' ? 0 : null))
}

function emptyBucket(level: AggregationLevel, isLast: boolean): Omit<Bucket, 'key'> {
  return {
    count: 0,
    metrics: withZeros([], level.metrics),
    tops: level.tops.map(() => []),
    ...(isLast ? {} : { children: NO_BUCKETS }),
  }
}

/** Returns the buckets in key order. */
function withEmpty(
  buckets: readonly Bucket[],
  { ordinalOf, keyOf }: BucketSteps,
  empty: Omit<Bucket, 'key'>,
): Bucket[] {
  const whole: Bucket[] = []
  let previous = Number.NaN
  let first = Number.NaN
  for (const bucket of buckets.toSorted(compareBuckets({ by: 'key', descending: false }))) {
    const key = Number(bucket.key)
    const ordinal = ordinalOf(key)
    // Offset added to `first`: above 2^53 incrementing a double has no effect.
    const gap = ordinal - first
    for (let i = 0; i < gap; i++) {
      const between = keyOf(first + i)
      // There, adjacent ordinals may have the same double: add each key once.
      if (between > previous && between < key) whole.push({ ...empty, key: between })
      previous = Math.max(previous, between)
    }
    whole.push(bucket)
    previous = key
    first = ordinal + 1
  }
  return whole
}
