import { readGeoJson } from '../../geo/geojson.ts'
import { GeometryFault } from '../../geo/geometry-fault.ts'
import { readGeometry } from '../../geo/shape/document-geometry.ts'
import { parseWkt } from '../../geo/wkt.ts'
import type { Geometry, Position } from '../../model/geometry.ts'
import type { Json } from '../../model/json/document.ts'
import { isJsonObject } from '../../model/json/json-object.ts'
import type { CoordinateSystem } from './coordinate-system.ts'

/** Returns a geometry (GeoJSON or WKT) in degrees; other values are returned as they are. */
export function reprojectValue(value: Json, { toDegrees }: CoordinateSystem): Json {
  if (toDegrees === undefined) return value
  const geometry = readAnywhere(value)
  return geometry === undefined ? value : mapPositions(geometry, toDegrees)
}

/** Reads a geometry whatever the range of its coordinates. */
function readAnywhere(value: Json): Geometry | undefined {
  if (isJsonObject(value)) return readGeoJson(value)
  if (typeof value !== 'string') return undefined
  try {
    return parseWkt(value, { lenient: true })
  } catch (error) {
    if (error instanceof GeometryFault) return undefined
    throw error
  }
}

/** True for a geometry that can be read, but whose coordinates are not degrees. */
export function isOutOfRange(value: Json): boolean {
  if (readGeometry(value) !== undefined) return false
  const geometry = readAnywhere(value)
  return geometry !== undefined && !isEmpty(geometry)
}

const isEmpty = (geometry: Geometry): boolean =>
  geometry.type === 'GeometryCollection'
    ? geometry.geometries.every(isEmpty)
    : geometry.coordinates.flat(Number.POSITIVE_INFINITY).length === 0

function mapPositions(geometry: Geometry, change: (position: Position) => Position): Geometry {
  const path = (positions: readonly Position[]) => positions.map(change)
  const paths = (lines: readonly (readonly Position[])[]) => lines.map(path)
  switch (geometry.type) {
    case 'Point':
      return { type: 'Point', coordinates: change(geometry.coordinates) }
    case 'MultiPoint':
      return { type: 'MultiPoint', coordinates: path(geometry.coordinates) }
    case 'LineString':
      return { type: 'LineString', coordinates: path(geometry.coordinates) }
    case 'MultiLineString':
      return { type: 'MultiLineString', coordinates: paths(geometry.coordinates) }
    case 'Polygon':
      return { type: 'Polygon', coordinates: paths(geometry.coordinates) }
    case 'MultiPolygon':
      return { type: 'MultiPolygon', coordinates: geometry.coordinates.map(paths) }
    case 'GeometryCollection':
      return {
        type: 'GeometryCollection',
        geometries: geometry.geometries.map((member) => mapPositions(member, change)),
      }
  }
}
