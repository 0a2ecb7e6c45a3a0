import type { OpenCollection } from '../../collections/open-collection.ts'
import type { Json, JsonObject } from '../../model/json/document.ts'
import { type Field, isGeo, isInteger, isNumber } from '../../query/schema/field.ts'
import { queryableFields, visibleFields } from '../properties.ts'

/** JSON Schema of the properties that filters can use. */
export const describeQueryables = (collection: OpenCollection, url: string): JsonObject => ({
  ...schemaOf(collection, queryableFields(collection), url),
  additionalProperties: false,
})

/** JSON Schema of the properties that are returned. */
export const describeSchema = (collection: OpenCollection, url: string): JsonObject =>
  schemaOf(collection, visibleFields(collection), url)

function schemaOf(collection: OpenCollection, fields: readonly Field[], url: string): JsonObject {
  const { collection_name, params } = collection.reference
  return {
    // Validators in use do not know newer ones.
    $schema: 'https://json-schema.org/draft/2019-09/schema',
    $id: url,
    type: 'object',
    title: params.display_names?.collection ?? collection_name,
    properties: Object.fromEntries(fields.map((field) => [field.path, describeField(field, collection)])),
  }
}

/** The JSON Schema of a field. */
export function describeField(field: Field, { reference: { params } }: OpenCollection): Json {
  const title = params.display_names?.fields?.[field.path] ?? field.path
  const role = roleOf(field.path, params)
  return { title, ...typeOf(field), ...(role === undefined ? {} : { 'x-ogc-role': role }) }
}

function typeOf({ type }: Field): JsonObject {
  if (isGeo(type)) return { format: type === 'GEO_POINT' ? 'geometry-point' : 'geometry-any' }
  if (isInteger(type)) return { type: 'integer' }
  if (isNumber(type)) return { type: 'number' }
  if (type === 'DATE') return { type: 'string', format: 'date-time' }
  return { type: type === 'BOOLEAN' ? 'boolean' : 'string' }
}

function roleOf(path: string, params: OpenCollection['reference']['params']): string | undefined {
  switch (path) {
    case params.geometry_path:
      return 'primary-geometry'
    case params.timestamp_path:
      return 'primary-instant'
    case params.id_path:
      return 'id'
    default:
      return undefined
  }
}
