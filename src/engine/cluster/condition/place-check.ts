import { GeometryFault } from '../../../geo/geometry-fault.ts'
import { parseWkt } from '../../../geo/wkt.ts'
import type { Geometry } from '../../../model/geometry.ts'
import type { Json } from '../../../model/json/document.ts'

/*
 * Coordinates beyond a pole, or more than once around the earth, are not a value (spec 2.3.2). A cluster wraps them to
 * another place, and reads an empty point as 0,0. It has no setting to ignore them.
 */

const MOST_LATITUDE = 90
const MOST_LONGITUDE = 360
const LAT_LON = /^\s*([+-]?[\d.]+(?:e[+-]?\d+)?)\s*,\s*([+-]?[\d.]+(?:e[+-]?\d+)?)\s*(?:,[^,]*)?$/i

/** True if a cluster would read a GEO_POINT or GEO_SHAPE value, or an item of an array, as a different place. */
export function isMisplaced(value: Json): boolean {
  if (typeof value === 'string') return isMisplacedText(value)
  if (isList(value)) return isPosition(value) ? isBeyond(value[1], value[0]) : value.some(isMisplaced)
  if (typeof value !== 'object' || value === null) return false
  if (value.lat !== undefined || value.lon !== undefined) return isBeyond(value.lat, value.lon)
  return isMisplaced(value.coordinates ?? null) || isMisplaced(value.geometries ?? null)
}

function isMisplacedText(text: string): boolean {
  const [, lat, lon] = LAT_LON.exec(text) ?? []
  if (lat !== undefined) return isBeyond(lat, lon)
  if (!/^\s*[a-z]+\s*\(|empty/i.test(text)) return false
  if (/^\s*point\s+empty\s*$/i.test(text)) return true
  try {
    return isMisplacedGeometry(parseWkt(text, { lenient: true }))
  } catch (error) {
    if (error instanceof GeometryFault) return false
    throw error
  }
}

const isMisplacedGeometry = (geometry: Geometry): boolean =>
  geometry.type === 'GeometryCollection'
    ? geometry.geometries.some(isMisplacedGeometry)
    : isMisplaced(geometry.coordinates)

const isBeyond = (lat: Json | undefined, lon: Json | undefined): boolean =>
  Math.abs(Number(lat)) > MOST_LATITUDE || Math.abs(Number(lon)) > MOST_LONGITUDE

const isList = (value: Json): value is readonly Json[] => Array.isArray(value)

const isPosition = (value: readonly Json[]): boolean => typeof value[0] === 'number' && typeof value[1] === 'number'
