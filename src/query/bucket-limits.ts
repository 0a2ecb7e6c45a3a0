import { problem } from '../errors.ts'

export interface BucketLimits {
  readonly buckets: number
  readonly bucketHits: number
}

/** LIMIT_EXCEEDED when one response would hold more buckets, all levels together. */
export function checkBucketCount(count: number, limits: BucketLimits): void {
  if (count <= limits.buckets) return
  const reason = `must not make more than ${limits.buckets} buckets; narrow the filter or choose a larger interval`
  throw problem('LIMIT_EXCEEDED', { parameter: 'aggregations', reason, setting: 'limits.buckets' })
}

/** LIMIT_EXCEEDED when the buckets of one response would hold more fetched documents, all levels together. */
export function checkBucketHits(hits: number, limits: BucketLimits): void {
  if (hits <= limits.bucketHits) return
  const reason = `must not fetch more than ${limits.bucketHits} documents for all buckets together`
  throw problem('LIMIT_EXCEEDED', { parameter: 'fetch_hits', value: hits, reason, setting: 'limits.bucketHits' })
}
