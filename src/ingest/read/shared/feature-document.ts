import { readGeometry } from '../../../geo/shape/document-geometry.ts'
import { planarCentroid } from '../../../geo/shape/planar-centroid.ts'
import { normaliseShape } from '../../../geo/shape/shape.ts'
import type { Json, JsonObject } from '../../../model/json/document.ts'
import { isJsonObject } from '../../../model/json/json-object.ts'

/**
 * Converts a GeoJSON Feature to a document: its properties, `geometry`, and the `id` of the feature unless the
 * properties have one. Returns an error text if the value is not a Feature.
 */
export function documentOfFeature(value: Json): JsonObject | string {
  if (!isJsonObject(value) || value.type !== 'Feature') return 'is not a GeoJSON Feature'
  const { properties, geometry, id } = value
  if (properties !== undefined && properties !== null && !isJsonObject(properties))
    return 'has properties that are not an object'
  const members: JsonObject = isJsonObject(properties) ? properties : {}
  const withId = id !== undefined && id !== null && members.id === undefined ? { id, ...members } : members
  return geometry === undefined || geometry === null ? withId : { ...withId, geometry }
}

/** Adds the planar centroid of the geometry at `path` as `centroid`, unless the document has one. */
export function withCentroid(document: JsonObject, path = 'geometry'): JsonObject {
  const geometry = document[path]
  if (geometry === undefined || geometry === null || Object.hasOwn(document, 'centroid')) return document
  const read = readGeometry(geometry)
  const shape = read === undefined ? undefined : normaliseShape(read)
  if (shape === undefined) return document
  const [lon, lat] = planarCentroid(shape)
  return lon === undefined || lat === undefined ? document : { ...document, centroid: printPoint(lon, lat) }
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
