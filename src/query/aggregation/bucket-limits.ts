import { problem } from '../../errors.ts'
import type { AggregationLevel } from '../plan/aggregation-plan.ts'

export interface BucketLimits {
  readonly buckets: number
  readonly bucketHits: number
}

/** Throws LIMIT_EXCEEDED if a response would have too many buckets, all levels together. */
export function checkBucketCount(count: number, limits: Pick<BucketLimits, 'buckets'>): void {
  if (count <= limits.buckets) return
  const reason = `must not produce more than ${limits.buckets} buckets; narrow the filter or choose a larger interval`
  throw problem('LIMIT_EXCEEDED', { parameter: 'aggregations', reason, setting: 'limits.buckets' })
}

/** Throws LIMIT_EXCEEDED if the buckets could return too many documents together; `counts` is the buckets per level. */
export function checkBucketHits(
  counts: readonly number[],
  levels: readonly Pick<AggregationLevel, 'tops'>[],
  limits: BucketLimits,
): void {
  const hits = levels.reduce((sum, { tops }, depth) => sum + fetchedPerBucket(tops) * (counts[depth] ?? 0), 0)
  if (hits <= limits.bucketHits) return
  const reason = `must not return more than ${limits.bucketHits} documents for all buckets together; request fewer`
  throw problem('LIMIT_EXCEEDED', { parameter: 'fetch_hits', value: hits, reason, setting: 'limits.bucketHits' })
}

/** A document picked for its geometry is not a fetched document. */
const fetchedPerBucket = (tops: AggregationLevel['tops']): number =>
  tops.reduce((sum, { size, having }) => sum + (having === undefined ? size : 0), 0)
