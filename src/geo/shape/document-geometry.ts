import type { Geometry, Position } from '../../model/geometry.ts'
import type { Json, JsonObject } from '../../model/json/document.ts'
import { geohashCentre } from '../geohash.ts'
import { readGeoJson } from '../geojson.ts'
import { GeometryFault } from '../geometry-fault.ts'
import { wrapLongitude } from '../polygon/longitude-cut.ts'
import { parseWkt } from '../wkt.ts'
import { isReadable } from './shape.ts'

/** Parses one value of a GEO_POINT or GEO_SHAPE field to GeoJSON, in any form of spec 2.3.2; undefined if invalid. */
export function readGeometry(value: Json): Geometry | undefined {
  return readShape(value) ?? readPointForm(value)
}

/** Parses one point of a GEO_POINT field, with its longitude in [-180,180]; undefined if invalid. */
export function readPoint(value: Json): Position | undefined {
  const point = readPointForm(value) ?? readShape(value)
  if (point?.type !== 'Point') return undefined
  const [x = 0, y = 0] = point.coordinates
  return [wrapLongitude(x) + 0, y + 0]
}

/** Returns all valid points of a GEO_POINT value: one point in any form, or an array of points. */
export function pointValues(value: Json): readonly Position[] {
  const values = isList(value) && !isPair(value) ? value : [value]
  return values.map(readPoint).filter((point) => point !== undefined)
}

/** Returns all valid geometries of a GEO_SHAPE value: GeoJSON or WKT, one or an array of them. */
export function shapeValues(value: Json): readonly Geometry[] {
  return (isList(value) ? value : [value]).map(readShape).filter((geometry) => geometry !== undefined)
}

function readShape(value: Json): Geometry | undefined {
  const geometry = typeof value === 'string' ? readWkt(value) : isObject(value) ? readGeoJson(value) : undefined
  return geometry && isReadable(geometry) ? geometry : undefined
}

/** Parses the forms specific to points. */
function readPointForm(value: Json): Geometry | undefined {
  const position = readPosition(value)
  if (!position) return undefined
  const point: Geometry = { type: 'Point', coordinates: position }
  return isReadable(point) ? point : undefined
}

function readPosition(value: Json): Position | undefined {
  if (typeof value === 'string') return value.includes(',') ? readLatLon(value) : geohashCentre(value.trim())
  if (isList(value)) return isPair(value) ? value : undefined
  if (!isObject(value)) return undefined
  const lon = readNumber(value.lon)
  const lat = readNumber(value.lat)
  return lon === undefined || lat === undefined ? undefined : [lon, lat]
}

/** Parses `lat,lon` or `lat,lon,altitude`. */
function readLatLon(text: string): Position | undefined {
  const [lat, lon, altitude, ...more] = text.split(',').map(readNumber)
  if (lat === undefined || lon === undefined || more.length > 0) return undefined
  return altitude === undefined ? [lon, lat] : [lon, lat, altitude]
}

function readNumber(value: Json | undefined): number | undefined {
  if (typeof value === 'number') return value
  if (typeof value !== 'string' || !/^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(value)) return undefined
  return Number(value)
}

function readWkt(text: string): Geometry | undefined {
  if (!/^\s*[a-z]+\s*(z|m|zm)?\s*\(/i.test(text)) return undefined
  try {
    return parseWkt(text, { lenient: true })
  } catch (error) {
    if (error instanceof GeometryFault) return undefined
    throw error
  }
}

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value)
}

/** `[lon,lat]` or `[lon,lat,altitude]`. */
function isPair(value: readonly Json[]): value is readonly number[] {
  return (value.length === 2 || value.length === 3) && value.every((item) => typeof item === 'number')
}
