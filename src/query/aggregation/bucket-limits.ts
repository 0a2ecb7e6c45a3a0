import { problem } from '../../errors.ts'
import type { AggregationLevel } from '../plan/aggregation-plan.ts'

export interface BucketLimits {
  readonly buckets: number
  readonly bucketHits: number
}

/** LIMIT_EXCEEDED when one response would hold more buckets, all levels together. */
export function checkBucketCount(count: number, limits: Pick<BucketLimits, 'buckets'>): void {
  if (count <= limits.buckets) return
  const reason = `must not make more than ${limits.buckets} buckets; narrow the filter or choose a larger interval`
  throw problem('LIMIT_EXCEEDED', { parameter: 'aggregations', reason, setting: 'limits.buckets' })
}

/** LIMIT_EXCEEDED when `counts`, the buckets of each level, have more places for fetched documents together. */
export function checkBucketHits(
  counts: readonly number[],
  levels: readonly Pick<AggregationLevel, 'tops'>[],
  limits: BucketLimits,
): void {
  const hits = levels.reduce((sum, { tops }, depth) => sum + fetchedPerBucket(tops) * (counts[depth] ?? 0), 0)
  if (hits <= limits.bucketHits) return
  const reason = `must not fetch more than ${limits.bucketHits} documents for all buckets together`
  throw problem('LIMIT_EXCEEDED', { parameter: 'fetch_hits', value: hits, reason, setting: 'limits.bucketHits' })
}

/** A document picked for its geometry is not a fetched one. */
const fetchedPerBucket = (tops: AggregationLevel['tops']): number =>
  tops.reduce((sum, { size, having }) => sum + (having === undefined ? size : 0), 0)
