import { problem } from '../errors.ts'

export interface BucketLimits {
  readonly buckets: number
  readonly bucketHits: number
}

/** LIMIT_EXCEEDED when one response would hold more buckets, all levels together. */
export function checkBucketCount(count: number, limits: BucketLimits, parameter = 'agg'): void {
  if (count <= limits.buckets) return
  const reason = `must not make more than ${limits.buckets} buckets; narrow the filter or choose a larger interval`
  throw problem('LIMIT_EXCEEDED', { parameter, reason, setting: 'limits.buckets' })
}

/** LIMIT_EXCEEDED when the buckets of a level would hold more fetched documents together. */
export function checkBucketHits(buckets: number, hits: number, limits: BucketLimits): void {
  if (buckets * hits <= limits.bucketHits) return
  const reason = `must not fetch more than ${limits.bucketHits} documents, buckets times n`
  throw problem('LIMIT_EXCEEDED', {
    parameter: 'fetch_hits',
    value: `${buckets} x ${hits}`,
    reason,
    setting: 'limits.bucketHits',
  })
}
