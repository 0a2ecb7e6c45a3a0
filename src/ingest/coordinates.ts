import { rankLatitude, rankLongitude } from '../mapping/field-names.ts'
import type { Json, JsonObject } from '../model/json/document.ts'
import type { Mapping } from '../model/mapping.ts'

/** Fields of a document that hold its longitude and latitude. */
export interface Coordinates {
  readonly lon: string
  readonly lat: string
}

/**
 * Returns two fields named like coordinates, most of whose values are degrees; undefined if the documents already have
 * a geometry field.
 */
export function findCoordinates(mapping: Mapping, sample: readonly JsonObject[]): Coordinates | undefined {
  const fields = Object.entries(mapping.properties)
  if (fields.some(([, field]) => field.type === 'geo_point' || field.type === 'geo_shape')) return undefined
  const names = fields.map(([name]) => name).filter((name) => isMostlyNumeric(sample.map((document) => document[name])))
  const lon = best(names, rankLongitude)
  const lat = best(names, rankLatitude)
  if (lon === undefined || lat === undefined) return undefined
  // A few invalid rows must not remove the coordinates of all others; each is rejected with a reason when it is loaded.
  const outcomes = sample.map((document) => addCentroid(document, { lon, lat }))
  const broken = outcomes.filter((outcome) => typeof outcome === 'string')
  const placed = outcomes.filter((outcome) => typeof outcome !== 'string' && Object.hasOwn(outcome, 'centroid'))
  return placed.length > broken.length ? { lon, lat } : undefined
}

/**
 * Adds `centroid` to the document, unless it has one or lacks a coordinate. Returns an error text if one is invalid.
 */
export function addCentroid(document: JsonObject, { lon, lat }: Coordinates): JsonObject | string {
  if (Object.hasOwn(document, 'centroid')) return document
  const [x, y] = [document[lon] ?? '', document[lat] ?? '']
  if (x === '' || y === '') return document
  const [longitude, latitude] = [Number(x), Number(y)]
  if (!isLongitude(longitude)) return `has the longitude ${String(x)}, which is not between -180 and 180`
  if (!isLatitude(latitude)) return `has the latitude ${String(y)}, which is not between -90 and 90`
  return { ...document, centroid: printPoint(longitude, latitude) }
}

/** True if most of the existing values are numbers. */
function isMostlyNumeric(values: readonly (Json | undefined)[]): boolean {
  const given = values.filter((value) => value !== undefined && value !== null && value !== '')
  const isNumeric = (value: Json | undefined): boolean =>
    typeof value === 'number' || (typeof value === 'string' && Number.isFinite(Number(value)))
  return given.filter(isNumeric).length * 2 > given.length
}

function best(names: readonly string[], rank: (name: string) => number): string | undefined {
  const ranks = names.map(rank)
  const smallest = Math.min(...ranks)
  return smallest === Number.POSITIVE_INFINITY ? undefined : names[ranks.indexOf(smallest)]
}

/** Prints the point added to documents without one: `"lat,lon"`, the form dashboard loaders write. */
export function printPoint(lon: number, lat: number): string {
  return `${printDecimal(lat)},${printDecimal(lon)}`
}

/** Avoids the exponent form, which not every reader of such strings accepts. */
function printDecimal(value: number): string {
  const text = String(value === 0 ? 0 : value)
  return text.includes('e') ? value.toFixed(10) : text
}

const isLongitude = (value: number): boolean => value >= -180 && value <= 180
const isLatitude = (value: number): boolean => value >= -90 && value <= 90
