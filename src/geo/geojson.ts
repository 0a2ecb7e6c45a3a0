import type { Json, JsonObject } from '../model/document.ts'
import type { Geometry, Position } from '../model/geometry.ts'

const DEEPEST = 16

/** A GeoJSON geometry with only the members of RFC 7946, the type in any case; undefined when its structure is wrong. */
export function readGeoJson(value: JsonObject, depth = 0): Geometry | undefined {
  const type = typeof value.type === 'string' ? value.type.toLowerCase() : ''
  const coordinates = value.coordinates ?? null
  switch (type) {
    case 'point':
      return built(readPosition(coordinates), (c) => ({ type: 'Point', coordinates: c }))
    case 'multipoint':
      return built(readPath(coordinates), (c) => ({ type: 'MultiPoint', coordinates: c }))
    case 'linestring':
      return built(readPath(coordinates), (c) => ({ type: 'LineString', coordinates: c }))
    case 'multilinestring':
      return built(readPaths(coordinates), (c) => ({ type: 'MultiLineString', coordinates: c }))
    case 'polygon':
      return built(readPaths(coordinates), (c) => ({ type: 'Polygon', coordinates: c }))
    case 'multipolygon':
      return built(readList(coordinates, readPaths), (c) => ({ type: 'MultiPolygon', coordinates: c }))
    case 'geometrycollection':
      if (depth > DEEPEST) return undefined
      return built(
        readList(value.geometries ?? null, (member) => (isObject(member) ? readGeoJson(member, depth + 1) : undefined)),
        (geometries) => ({ type: 'GeometryCollection', geometries }),
      )
    default:
      return undefined
  }
}

function built<T>(value: T | undefined, build: (value: T) => Geometry): Geometry | undefined {
  return value === undefined ? undefined : build(value)
}

function readList<T>(value: Json, read: (item: Json) => T | undefined): readonly T[] | undefined {
  if (!Array.isArray(value)) return undefined
  const items: T[] = []
  for (const item of value) {
    const found = read(item)
    if (found === undefined) return undefined
    items.push(found)
  }
  return items
}

function readPosition(value: Json): Position | undefined {
  const numbers = readList(value, (item) => (typeof item === 'number' && Number.isFinite(item) ? item : undefined))
  return numbers && numbers.length >= 2 ? numbers.slice(0, 3) : undefined
}

const readPath = (value: Json): readonly Position[] | undefined => readList(value, readPosition)
const readPaths = (value: Json): readonly (readonly Position[])[] | undefined => readList(value, readPath)

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
