import type { Json, JsonObject } from '../../model/json/document.ts'
import { printPoint } from '../read/shared/feature-document.ts'
import { isLatitude, isLongitude } from './coordinates.ts'
import { parseAnglePair } from './sexagesimal.ts'

/** A field with both coordinates as text (`48.85, 2.35`, `48°51'N 2°21'E`) or as array, and their order. */
export interface CoordinatePair {
  readonly field: string
  readonly order: 'lat-lon' | 'lon-lat'
}

const NUMBER = '[+-]?\\d{1,3}(?:\\.\\d+)?'
const PAIR = new RegExp(`^\\s*[(\\[]?\\s*(${NUMBER})\\s*[,;\\s]\\s*(${NUMBER})\\s*[)\\]]?\\s*$`)

/** Finds a field whose values are all pairs of coordinates with a fraction, so that ranges and codes are none. */
export function findPair(sample: readonly JsonObject[]): CoordinatePair | undefined {
  const names = [...new Set(sample.flatMap((document) => Object.keys(document)))]
  for (const field of names) {
    const values = sample.flatMap((document) => document[field] ?? [])
    const pairs = sample.flatMap((document) => {
      const pair = readPair(document[field])
      return pair === undefined ? [] : [pair]
    })
    if (pairs.length === 0 || pairs.length * 10 < sample.length || pairs.length * 2 <= values.length / 2) continue
    const isWhole = sample.every((document) => {
      const value = document[field]
      return value === undefined || value === null || value === '' || readPair(value) !== undefined
    })
    if (!isWhole || !pairs.some(([a, b]) => !Number.isInteger(a) && !Number.isInteger(b))) continue
    const order = orderOf(field, pairs, sample)
    if (order !== undefined) return { field, order }
  }
  return undefined
}

function orderOf(
  field: string,
  pairs: readonly (readonly [number, number])[],
  sample: readonly JsonObject[],
): CoordinatePair['order'] | undefined {
  const mayBe = {
    'lat-lon': pairs.every(([a, b]) => isLatitude(a) && isLongitude(b)),
    'lon-lat': pairs.every(([a, b]) => isLongitude(a) && isLatitude(b)),
  }
  const isArray = sample.some((document) => Array.isArray(document[field]))
  const usual = isArray || /^(lon|lng|x)/i.test(field) ? 'lon-lat' : 'lat-lon'
  const other = usual === 'lat-lon' ? 'lon-lat' : 'lat-lon'
  return mayBe[usual] ? usual : mayBe[other] ? other : undefined
}

/** Adds `centroid`, unless the document has one or lacks the pair. Returns an error text if it is invalid. */
export function addPair(document: JsonObject, { field, order }: CoordinatePair): JsonObject | string {
  const value = document[field]
  if (Object.hasOwn(document, 'centroid') || value === undefined || value === null || value === '') return document
  const pair = readPair(value)
  const [lon = Number.NaN, lat = Number.NaN] = pair === undefined ? [] : order === 'lon-lat' ? pair : pair.toReversed()
  if (!isLongitude(lon) || !isLatitude(lat)) {
    return `has ${JSON.stringify(value)} in ${field}, which is no ${order === 'lat-lon' ? 'latitude and longitude' : 'longitude and latitude'}`
  }
  return { ...document, centroid: printPoint(lon, lat) }
}

function readPair(value: Json | undefined): readonly [number, number] | undefined {
  if (Array.isArray(value)) {
    const [a, b] = value
    return value.length === 2 && typeof a === 'number' && typeof b === 'number' ? [a, b] : undefined
  }
  if (typeof value !== 'string' || value.length > 80) return undefined
  const [, a, b] = PAIR.exec(value) ?? []
  return a === undefined || b === undefined ? parseAnglePair(value) : [Number(a), Number(b)]
}
