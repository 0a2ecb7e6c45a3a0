import type { FieldType } from '../../model/field-type.ts'
import type { Json } from '../../model/json/document.ts'
import { geometryValueReader } from '../document-reader.ts'

/** The usual form of points: `{"lat":…,"lon":…}`, also in the other order. */
const LAT_FIRST = '{"lat":'
const LON_NEXT = ',"lon":'
const LON_FIRST = '{"lon":'
const LAT_NEXT = ',"lat":'

/** Bounds of readable ordinates. */
const MOST = { lon: 360, lat: 90 }

/**
 * Returns a function from the text of a value of a GEO_POINT or GEO_SHAPE field, printed as `JSON.stringify` prints it,
 * to that of its geometry. The latter is undefined if the value has none.
 */
export function geometryPrinter(type: FieldType | undefined): (text: string) => string | undefined {
  const read = geometryValueReader(type)
  const hasPointForm = type !== 'GEO_SHAPE'
  return (text) => {
    const point = hasPointForm ? printPoint(text) : undefined
    if (point !== undefined) return point
    const value: Json = JSON.parse(text)
    const geometry = read(value)
    if (geometry === undefined) return undefined
    return isKept(value, geometry) ? text : JSON.stringify(geometry)
  }
}

/** Undefined for other forms, and for points out of range. */
function printPoint(text: string): string | undefined {
  const isLatFirst = text.startsWith(LAT_FIRST)
  if (!isLatFirst && !text.startsWith(LON_FIRST)) return undefined
  const middle = text.indexOf(isLatFirst ? LON_NEXT : LAT_NEXT, LAT_FIRST.length)
  if (middle < 0) return undefined
  const first = text.slice(LAT_FIRST.length, middle)
  const second = text.slice(middle + LON_NEXT.length, -1)
  const [lon, lat] = isLatFirst ? [second, first] : [first, second]
  // False for NaN: texts, nulls and further members.
  const isReadable = Math.abs(Number(lon)) <= MOST.lon && Math.abs(Number(lat)) <= MOST.lat
  return isReadable ? `{"type":"Point","coordinates":[${lon},${lat}]}` : undefined
}

/** True if the geometry is printed as the value was: the same members in the same order. */
function isKept(value: Json, geometry: object): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const [first, second, ...others] = Object.entries(value)
  const [type, coordinates] = Object.entries(geometry)
  const areSame = (a: typeof first, b: typeof first): boolean => a?.[0] === b?.[0] && a?.[1] === b?.[1]
  return others.length === 0 && areSame(first, type) && areSame(second, coordinates)
}
