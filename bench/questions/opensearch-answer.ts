import { joined, missing } from './answer-parts.ts'
import type { Answer, AnsweredBucket } from './question.ts'

/** The aggregation of a question has the name `a`. */
interface SearchAnswer {
  readonly timed_out?: boolean
  readonly _shards?: { readonly failed: number }
  readonly hits?: { readonly total?: { readonly value: number }; readonly hits: readonly Hit[] }
  readonly aggregations?: { readonly a: Aggregation }
}

interface Hit {
  readonly _id: string
  readonly _source?: { readonly id?: string; readonly location?: { readonly lat: number; readonly lon: number } }
}

/** Members of all kinds of aggregations that questions use. */
interface Aggregation {
  readonly buckets?: readonly Bucket[]
  readonly value?: number
  readonly min?: number
  readonly max?: number
  readonly hits?: { readonly hits: readonly Hit[] }
}

/** Aggregations below a bucket are members of it. */
interface Bucket {
  readonly key: string | number
  readonly key_as_string?: string
  readonly doc_count: number
  readonly [aggregation: string]: Aggregation | string | number | undefined
}

export function readOpensearchAnswer(expects: Answer['kind'], answer: SearchAnswer): Answer {
  const { hits, aggregations } = answer
  if (answer.timed_out === true || (answer._shards?.failed ?? 0) > 0) return missing('complete result', answer)
  switch (expects) {
    case 'count':
      return { kind: 'count', count: hits?.total?.value ?? missing('hits.total', answer) }
    case 'number':
      return { kind: 'number', value: numberOf(aggregations?.a ?? missing('aggregations.a', answer)) }
    case 'ids':
      return { kind: 'ids', ids: (hits ?? missing('hits', answer)).hits.map(({ _id }) => _id) }
    case 'buckets': {
      const buckets = aggregations?.a.buckets ?? missing('aggregations.a.buckets', answer)
      return { kind: 'buckets', buckets: buckets.flatMap((bucket) => leavesOf(bucket, [])) }
    }
    case 'bytes':
      return { kind: 'bytes' }
  }
}

/** A single value, or the span between the ends of `stats`. */
function numberOf(aggregation: Aggregation): number {
  const { value, min, max } = aggregation
  if (value !== undefined) return value
  return min === undefined || max === undefined ? missing('value', aggregation) : max - min
}

/** Buckets without buckets below them; fetched documents count as such, after the bucket they belong to. */
function leavesOf(bucket: Bucket, above: readonly string[]): readonly AnsweredBucket[] {
  const keys = [...above, String(bucket.key)]
  // By name, so that metrics are in the order of the question.
  const below = Object.keys(bucket)
    .sort()
    .map((name) => bucket[name])
    .filter((member) => typeof member === 'object')
  const children = below.flatMap(({ buckets }) => (buckets === undefined ? [] : [buckets]))
  if (children.length > 0) return children.flat().flatMap((child) => leavesOf(child, keys))
  const fetched = below.flatMap(({ hits }) => hits?.hits ?? [])
  return [
    {
      key: joined(keys),
      count: bucket.doc_count,
      metrics: below.flatMap(({ value }) => (value === undefined ? [] : [value])),
    },
    ...fetched.map((hit) => ({ key: joined([...keys, textOf(hit)]), count: 1 })),
  ]
}

/** The id of a fetched document, or its coordinates if only they were fetched. */
function textOf({ _id, _source }: Hit): string {
  const location = _source?.location
  return location === undefined ? _id : String([location.lon, location.lat])
}
