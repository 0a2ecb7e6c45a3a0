import type { AggregationBucket, AggregationMetric, CellKey, NestedAggregation } from '../model/aggregation-response.ts'
import type { Position } from '../model/geometry.ts'
import type { FeatureCollection } from '../model/responses.ts'
import { setOwn } from '../query/schema/own-property.ts'
import { flatten } from '../query/value/flatten.ts'
import { mapInTurns } from '../turn.ts'

/** A bucket with everything below it in one level of keys. */
export type FlatBucket = Readonly<Record<string, unknown>>

/** The flat form of an answer: what is nested in a top-level bucket moves into its `flattened_elements` (spec 3.2). */
export async function flattenAnswer<T extends NestedAggregation>(answer: T): Promise<T> {
  const elements = await mapInTurns(answer.elements, (bucket): AggregationBucket => {
    const { elements: _, metrics: __, ...rest } = bucket
    return { ...rest, flattened_elements: flattenBucket(bucket) }
  })
  return { ...answer, elements }
}

/** The map of spec 3.2; of two equal keys the first stays. */
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

/** Always a text: latitude first where the key is a place. */
function keyText(key: string | number | CellKey): string {
  return typeof key === 'object' ? `${key.lat},${key.lon}` : String(key)
}

/** Places as texts: `west,south,east,north`, or `lat,lon`. */
function flatValue({ value }: AggregationMetric): number | string | undefined {
  return typeof value === 'object' ? placeText(value) : value
}

function placeText({ features }: FeatureCollection): string | undefined {
  const geometry = features[0]?.geometry
  if (geometry?.type === 'Point') return geometry.coordinates.slice(0, 2).toReversed().join(',')
  if (geometry?.type !== 'Polygon') return undefined
  // The ring of a box begins in the south-west; the north-east is across.
  const corner = (i: number): Position => geometry.coordinates[0]?.[i] ?? []
  return [...corner(0), ...corner(2)].join(',')
}
