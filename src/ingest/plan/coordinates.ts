import { rankEasting, rankLatitude, rankLongitude, rankNorthing } from '../../mapping/field-names.ts'
import type { Json, JsonObject } from '../../model/json/document.ts'
import type { Mapping } from '../../model/mapping.ts'
import type { CoordinateSystem } from '../crs/coordinate-system.ts'
import { printPoint } from '../read/shared/feature-document.ts'
import { parseAngle } from './sexagesimal.ts'

/** Fields of a document that hold its longitude and latitude, or the two coordinates of another system. */
export interface Coordinates {
  readonly lon: string
  readonly lat: string
}

/**
 * Returns two fields named like coordinates, most of whose values are degrees; undefined if the documents already have
 * a geometry field.
 */
export function findCoordinates(mapping: Mapping, sample: readonly JsonObject[]): Coordinates | undefined {
  if (hasGeometry(mapping)) return undefined
  const found = pairOf(mapping, sample, rankLongitude, rankLatitude)
  if (found === undefined) return undefined
  // A few invalid rows must not remove the coordinates of all others; each is rejected with a reason when it is loaded.
  const outcomes = sample.map((document) => addCentroid(document, found))
  const broken = outcomes.filter((outcome) => typeof outcome === 'string')
  const placed = outcomes.filter((outcome) => typeof outcome !== 'string' && Object.hasOwn(outcome, 'centroid'))
  return placed.length > broken.length ? found : undefined
}

/** Returns two fields named like coordinates of any system, degrees or not. */
export function findProjected(mapping: Mapping, sample: readonly JsonObject[]): Coordinates | undefined {
  if (hasGeometry(mapping)) return undefined
  return pairOf(mapping, sample, rankEasting, rankNorthing) ?? pairOf(mapping, sample, rankLongitude, rankLatitude)
}

const hasGeometry = ({ properties }: Mapping): boolean =>
  Object.values(properties).some(({ type }) => type === 'geo_point' || type === 'geo_shape')

type Rank = (name: string) => number

function pairOf(mapping: Mapping, sample: readonly JsonObject[], rankX: Rank, rankY: Rank): Coordinates | undefined {
  const names = Object.keys(mapping.properties).filter((name) =>
    isMostlyNumeric(sample.map((document) => document[name])),
  )
  const lon = best(names, rankX)
  const lat = best(names, rankY)
  return lon === undefined || lat === undefined ? undefined : { lon, lat }
}

/**
 * Adds `centroid` to the document, unless it has one or lacks a coordinate. Returns an error text if one is invalid.
 */
export function addCentroid(
  document: JsonObject,
  { lon, lat }: Coordinates,
  crs?: CoordinateSystem,
): JsonObject | string {
  if (Object.hasOwn(document, 'centroid')) return document
  const [x, y] = [document[lon] ?? '', document[lat] ?? '']
  if (x === '' || y === '') return document
  if (crs?.toDegrees !== undefined) {
    const [east = Number.NaN, north = Number.NaN] = crs.toDegrees([readNumber(x), readNumber(y)])
    if (isLongitude(east) && isLatitude(north)) return { ...document, centroid: printPoint(east, north) }
    return `has the coordinates ${String(x)} and ${String(y)}, which are no place in ${crs.name}`
  }
  const [longitude, latitude] = [readNumber(x), readNumber(y)]
  if (!isLongitude(longitude)) return `has the longitude ${String(x)}, which is not between -180 and 180`
  if (!isLatitude(latitude)) return `has the latitude ${String(y)}, which is not between -90 and 90`
  return { ...document, centroid: printPoint(longitude, latitude) }
}

/** Reads a number; texts may have a decimal comma, or degrees, minutes and seconds. */
function readNumber(value: Json): number {
  if (typeof value !== 'string') return Number(value)
  return parseAngle(value) ?? Number(/^\s*-?\d+,\d+\s*$/.test(value) ? value.replace(',', '.') : value)
}

/** True if most of the existing values are numbers. */
function isMostlyNumeric(values: readonly (Json | undefined)[]): boolean {
  const given = values.filter((value) => value !== undefined && value !== null && value !== '')
  const isNumeric = (value: Json | undefined): boolean =>
    typeof value === 'number' || (typeof value === 'string' && Number.isFinite(readNumber(value)))
  return given.filter(isNumeric).length * 2 > given.length
}

function best(names: readonly string[], rank: Rank): string | undefined {
  const ranks = names.map(rank)
  const smallest = Math.min(...ranks)
  return smallest === Number.POSITIVE_INFINITY ? undefined : names[ranks.indexOf(smallest)]
}

export const isLongitude = (value: number): boolean => value >= -180 && value <= 180
export const isLatitude = (value: number): boolean => value >= -90 && value <= 90
