import type {
  AggregationBucket,
  AggregationMetric,
  CellKey,
  NestedAggregation,
} from '../../model/answer/aggregation-response.ts'
import type { FeatureCollection } from '../../model/answer/responses.ts'
import type { Position } from '../../model/geometry.ts'
import { setOwn } from '../../model/json/json-object.ts'
import { flatten } from '../../query/value/flatten.ts'
import { mapInTurns } from '../../turn.ts'

/** A bucket with all its nested values in one level of keys. */
type FlatBucket = Readonly<Record<string, unknown>>

/**
 * Returns the flat form of an answer: nested values of a top-level bucket move to its `flattened_elements` (spec 3.2).
 */
export async function flattenAnswer<T extends NestedAggregation>(answer: T): Promise<T> {
  const elements = await mapInTurns(answer.elements, (bucket): AggregationBucket => {
    const { elements: _, metrics: __, ...rest } = bucket
    return { ...rest, flattened_elements: flattenBucket(bucket) }
  })
  return { ...answer, elements }
}

/** Returns the map of spec 3.2; the first of two equal keys wins. */
export function flattenBucket(bucket: AggregationBucket): FlatBucket {
  const flat: Record<string, unknown> = {}
  addBucket(flat, '', bucket)
  return flat
}

function addBucket(flat: Record<string, unknown>, prefix: string, bucket: AggregationBucket): void {
  add(flat, `${prefix}count`, bucket.count)
  add(flat, `${prefix}key`, keyText(bucket.key))
  add(flat, `${prefix}key_as_string`, bucket.key_as_string)
  for (const metric of bucket.metrics ?? []) {
    add(flat, `${prefix}${metric.field}_${metric.type}_`, flatValue(metric))
  }
  bucket.hits?.forEach((hit, i) => {
    for (const [name, value] of Object.entries(flatten(hit))) add(flat, `${prefix}hits_${i}_${name}`, value)
  })
  const [nested] = bucket.elements ?? []
  if (nested === undefined) return
  add(flat, `${prefix}0_name`, nested.name)
  add(flat, `${prefix}0_sumotherdoccounts`, nested.sumotherdoccounts)
  nested.elements.forEach((child, i) => {
    addBucket(flat, `${prefix}0_${i}_`, child)
  })
}

function add(flat: Record<string, unknown>, name: string, value: unknown): void {
  if (value !== undefined && !Object.hasOwn(flat, name)) setOwn(flat, name, value)
}

/** Returns the key as text; a position is latitude first. */
function keyText(key: string | number | CellKey): string {
  return typeof key === 'object' ? `${key.lat},${key.lon}` : String(key)
}

/** Positions and boxes become text: `west,south,east,north`, or `lat,lon`. */
function flatValue({ value }: AggregationMetric): number | string | undefined {
  return typeof value === 'object' ? placeText(value) : value
}

function placeText({ features }: FeatureCollection): string | undefined {
  const geometry = features[0]?.geometry
  if (geometry?.type === 'Point') return geometry.coordinates.slice(0, 2).toReversed().join(',')
  if (geometry?.type !== 'Polygon') return undefined
  // The ring of a box starts in the south-west; index 2 is the north-east.
  const corner = (i: number): Position => geometry.coordinates[0]?.[i] ?? []
  return [...corner(0), ...corner(2)].join(',')
}
