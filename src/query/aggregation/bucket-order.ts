import type { BucketOrder } from '../plan/aggregation-plan.ts'
import { compareScalars } from '../value/scalar-order.ts'
import type { BucketKey, ComparableBucket, MetricValue } from './bucket.ts'

/** The total order of buckets (spec 2.8 of aggregations), used by all engines and the server. */
export function compareBuckets(order: BucketOrder): (a: ComparableBucket, b: ComparableBucket) => number {
  const sign = order.descending ? -1 : 1
  switch (order.by) {
    case 'key':
      return (a, b) => sign * compareKeys(a.key, b.key)
    case 'count':
      return (a, b) => sign * (a.count - b.count) || compareKeys(a.key, b.key)
    case 'metric':
      return (a, b) =>
        compareResults(a.metrics[order.metric], b.metrics[order.metric], sign) || compareKeys(a.key, b.key)
  }
}

/** Ascending: strings by code point, numbers by value, false before true, tiles by x, then y. */
export function compareKeys(a: BucketKey, b: BucketKey): number {
  if (typeof a === 'object' && typeof b === 'object') return a.x - b.x || a.y - b.y
  if (typeof a === 'object' || typeof b === 'object') throw new Error('keys of one level must be of one kind')
  return compareScalars(a, b)
}

/** Buckets without a value come last in both directions. */
function compareResults(a: MetricValue | undefined, b: MetricValue | undefined, sign: number): number {
  if (typeof a !== 'number') return typeof b === 'number' ? 1 : 0
  if (typeof b !== 'number') return -1
  return sign * (a - b)
}
