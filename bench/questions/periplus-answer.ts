import { joined, missing } from './answer-parts.ts'
import type { Answer, AnsweredBucket } from './question.ts'

/** Members of the answers of all operations. */
interface PeriplusAnswer {
  readonly totalnb?: number
  readonly value?: number
  readonly hits?: readonly Hit[]
  readonly features?: readonly Feature[]
  readonly elements?: readonly Bucket[]
  readonly suggestions?: readonly { readonly text: string; readonly count: number }[]
  /** Of one document. */
  readonly md?: Metadata
}

interface Metadata {
  readonly id: string
}

interface Hit {
  readonly md: Metadata
}

interface Metric {
  readonly value?: number
}

interface Feature {
  readonly properties: {
    readonly md?: Metadata
    readonly count?: number
    readonly tile?: string
    readonly metrics?: readonly Metric[]
  }
}

interface Bucket {
  readonly count: number
  readonly key: string | number | object
  readonly key_as_string?: string
  readonly metrics?: readonly Metric[]
  readonly elements?: readonly { readonly elements: readonly Bucket[] }[]
  readonly hits?: readonly { readonly id: string }[]
  readonly geometries?: readonly Geometry[]
}

interface Geometry {
  readonly is_raw: boolean
  readonly geometry: { readonly coordinates: unknown }
}

export function readPeriplusAnswer(expects: Answer['kind'], answer: PeriplusAnswer): Answer {
  switch (expects) {
    case 'count':
      return { kind: 'count', count: answer.totalnb ?? missing('totalnb', answer) }
    case 'number':
      return { kind: 'number', value: answer.value ?? missing('value', answer) }
    case 'ids':
      return { kind: 'ids', ids: idsOf(answer) }
    case 'buckets':
      return { kind: 'buckets', buckets: bucketsOf(answer) }
    case 'bytes':
      return { kind: 'bytes' }
  }
}

function idsOf(answer: PeriplusAnswer): readonly string[] {
  const { hits, features, md } = answer
  if (hits !== undefined) return hits.map((hit) => hit.md.id)
  if (features !== undefined) return features.map(({ properties }) => properties.md?.id ?? missing('md', properties))
  return [md?.id ?? missing('hits, features or md', answer)]
}

function bucketsOf(answer: PeriplusAnswer): readonly AnsweredBucket[] {
  const { elements, features, suggestions } = answer
  if (elements !== undefined) return elements.flatMap((bucket) => leavesOf(bucket, []))
  if (suggestions !== undefined) return suggestions.map(({ text, count }) => ({ key: text, count }))
  if (features === undefined) return missing('elements, features or suggestions', answer)
  return features.map(({ properties }) => ({
    key: properties.tile ?? missing('tile', properties),
    count: properties.count ?? missing('count', properties),
    metrics: valuesOf(properties.metrics),
  }))
}

/** Buckets without buckets below them; fetched documents and geometries count as such, after the one they belong to. */
function leavesOf(bucket: Bucket, above: readonly string[]): readonly AnsweredBucket[] {
  const { count, elements, hits = [], geometries = [] } = bucket
  const keys = [...above, keyOf(bucket)]
  if (elements !== undefined) return elements.flatMap((child) => child.elements.flatMap((one) => leavesOf(one, keys)))
  const fetched = [
    ...hits.map(({ id }) => id),
    ...geometries.filter((one) => one.is_raw).map(({ geometry }) => String(geometry.coordinates)),
  ]
  return [
    { key: joined(keys), count, metrics: valuesOf(bucket.metrics) },
    ...fetched.map((text) => ({ key: joined([...keys, text]), count: 1 })),
  ]
}

const keyOf = ({ key, key_as_string }: Bucket): string =>
  typeof key === 'object' ? (key_as_string ?? missing('key_as_string', key)) : String(key)

const valuesOf = (metrics: readonly Metric[] = []): readonly number[] => metrics.map(({ value = 0 }) => value)
