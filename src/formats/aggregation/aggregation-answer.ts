import type { Bucket, BucketList } from '../../engine/engine.ts'
import type { AggregationBucket, NestedAggregation } from '../../model/answer/aggregation-response.ts'
import type { FieldType } from '../../model/field-type.ts'
import type { ResolvedAggregation } from '../../query/aggregation/resolved-aggregation.ts'
import type { CollectionView } from '../../query/schema/collection-view.ts'
import { isInteger } from '../../query/schema/field.ts'
import { Turn } from '../../turn.ts'
import { fetchedWriter, geometriesWriter } from './aggregation-geometries.ts'
import { hitsWriter } from './aggregation-hits.ts'
import { keyWriter } from './aggregation-key.ts'
import { writeMetrics } from './aggregation-metrics.ts'

interface AnswerOptions {
  readonly collection: CollectionView
  /** Leaves out of the hits a fetched field that is also a raw geometry of its aggregation (spec 4.1, flat). */
  readonly hitsWithoutRaw?: boolean
}

/** Converts the buckets of an engine, including empty ones, to the form of the answer (spec 2, 3). */
export function writeAggregation(
  list: BucketList,
  aggregations: readonly ResolvedAggregation[],
  options: AnswerOptions,
): Promise<NestedAggregation> {
  return listWriter(aggregations, options)(list, new Turn())
}

type ListWriter = (list: BucketList | undefined, turn: Turn) => Promise<NestedAggregation>

/** Looks up once what is the same for all buckets of a level. */
function listWriter([aggregation, ...nested]: readonly ResolvedAggregation[], options: AnswerOptions): ListWriter {
  if (aggregation === undefined) throw new Error('the response has no aggregation')
  const name = aggregationName(aggregation)
  const write = bucketWriter(aggregation, options)
  const children = nested.length === 0 ? undefined : listWriter(nested, options)
  return async (list, turn) => {
    const elements: AggregationBucket[] = []
    for (const bucket of list?.buckets ?? []) {
      if (write === undefined) break
      const written = write(bucket)
      if (children !== undefined) written.elements = [await children(bucket.children, turn)]
      elements.push(written)
      if (turn.isOver) await turn.next()
    }
    return aggregation.type === 'term' ? { name, sumotherdoccounts: list?.others ?? 0, elements } : { name, elements }
  }
}

/**
 * Returns a writer for one bucket without its nested ones; undefined if the field is unknown, so that no bucket exists.
 */
function bucketWriter(
  aggregation: ResolvedAggregation,
  { collection, hitsWithoutRaw = false }: AnswerOptions,
): ((bucket: Bucket) => Writable<AggregationBucket>) | undefined {
  const { level, format, metrics, raw, hits } = aggregation
  if (level === undefined) return undefined
  const key = keyWriter(level.grouping, format)
  const geometries = geometriesWriter(aggregation, level.grouping)
  const geometry = fetchedWriter(aggregation, level.grouping)
  const without = hitsWithoutRaw ? raw.map(({ field }) => field.path) : []
  const fetched = hits === undefined ? undefined : { top: hits.top, write: hitsWriter(hits, collection, without) }
  // Assignments instead of spreads, for speed: an answer has tens of thousands of buckets.
  return (bucket) => {
    const written: Writable<AggregationBucket> = { count: bucket.count, ...key(bucket.key) }
    if (metrics.length > 0) written.metrics = writeMetrics(metrics, bucket.metrics)
    if (fetched !== undefined) written.hits = fetched.write(bucket.tops[fetched.top] ?? [])
    if (geometries !== undefined) written.geometries = geometries(bucket)
    if (geometry !== undefined) written.geometry = geometry(bucket)
    return written
  }
}

type Writable<T> = { -readonly [K in keyof T]: T[K] }

/** Returns the name of the kind of buckets in answers (spec 2.1). */
export function aggregationName({ type, field }: Pick<ResolvedAggregation, 'type' | 'field'>): string {
  switch (type) {
    case 'datehistogram':
      return 'DateHistogram'
    case 'histogram':
      return 'Histogram'
    case 'geohash':
      return 'GeohashGrid'
    case 'geotile':
      return 'GeotileGrid'
    case 'geohex':
      return 'GeohexGrid'
    case 'term':
      return field === undefined ? 'Umterms' : termsName(field.type)
  }
}

function termsName(type: FieldType): string {
  if (type === 'DOUBLE' || type === 'FLOAT') return 'Dterms'
  return isInteger(type) || type === 'BOOLEAN' || type === 'DATE' ? 'Lterms' : 'Sterms'
}
