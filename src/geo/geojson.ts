import type { Geometry, Position } from '../model/geometry.ts'
import type { Json, JsonObject } from '../model/json/document.ts'

const DEEPEST = 16

/** Parses a GeoJSON geometry, keeping only members of RFC 7946; the type is case-insensitive. Undefined if invalid. */
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
      return built(readMembers(value.geometries ?? null, depth + 1), (geometries) => ({
        type: 'GeometryCollection',
        geometries,
      }))
    default:
      return undefined
  }
}

function built<T>(value: T | undefined, build: (value: T) => Geometry): Geometry | undefined {
  return value === undefined ? undefined : build(value)
}

/** Returns the same array if no item changes, which is the usual case. */
function readList<T extends Json>(value: Json, read: (item: Json) => T | undefined): readonly T[] | undefined {
  if (!Array.isArray(value)) return undefined
  let changed: T[] | undefined
  for (let i = 0; i < value.length; i++) {
    const found = read(value[i])
    if (found === undefined) return undefined
    if (found !== value[i]) changed ??= value.slice(0, i)
    changed?.push(found)
  }
  return changed ?? value
}

function readPosition(value: Json): Position | undefined {
  if (!Array.isArray(value) || value.length < 2 || !value.every(Number.isFinite)) return undefined
  return value.length > 3 ? value.slice(0, 3) : value
}

const readPath = (value: Json): readonly Position[] | undefined => readList(value, readPosition)
const readPaths = (value: Json): readonly (readonly Position[])[] | undefined => readList(value, readPath)

function readMembers(value: Json, depth: number): readonly Geometry[] | undefined {
  if (!Array.isArray(value)) return undefined
  const members: Geometry[] = []
  for (const member of value) {
    const geometry = isObject(member) ? readGeoJson(member, depth) : undefined
    if (geometry === undefined) return undefined
    members.push(geometry)
  }
  return members
}

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
