import { readGeometry, shapeValues } from '../geo/shape/document-geometry.ts'
import type { FieldType } from '../model/field-type.ts'
import type { Geometry } from '../model/geometry.ts'
import type { Json, JsonObject } from '../model/json/document.ts'
import { withExactIntegers } from '../model/json/exact-json.ts'
import { firstAt, readFirstAt, sourcePath } from '../model/source-path.ts'
import { readableFormats, readStoredDate } from '../query/date/field-date.ts'
import type { CollectionPaths } from '../query/schema/collection-view.ts'
import type { Schema } from '../query/schema/schema.ts'

export type Reader<T> = (source: JsonObject) => T | undefined

/** A parsed document, with its source if available. */
export interface SourceDocument {
  readonly source: JsonObject
  readonly text?: string
}

/** Reads the four collection paths of a document; the first of several values counts (spec 5.5). */
export interface DocumentReader {
  readonly id: (document: SourceDocument) => string | undefined
  readonly timestamp: Reader<number>
  readonly geometry: Reader<Geometry>
  readonly centroid: Reader<Geometry>
}

/** Resolves paths, types and date format once, for many documents. */
export function documentReader(paths: CollectionPaths, schema: Pick<Schema, 'lookup'>): DocumentReader {
  const geometry = (path: string): Reader<Geometry> => geometryReader(path, schema.lookup(path)?.type)
  return {
    id: idReader(paths.id_path),
    timestamp: timestampReader(paths.timestamp_path, schema.lookup(paths.timestamp_path)?.format),
    geometry: geometry(paths.geometry_path),
    centroid: geometry(paths.centroid_path),
  }
}

/** Returns a reader of a GEO_POINT or GEO_SHAPE field as GeoJSON; it returns undefined if missing or invalid. */
export function geometryReader(path: string, type: FieldType | undefined): Reader<Geometry> {
  const place = sourcePath(path)
  const read = geometryValueReader(type)
  return (source) => readFirstAt(source, place, read)
}

/** The same for a value of such a field. */
export function geometryValueReader(type: FieldType | undefined): (value: Json) => Geometry | undefined {
  const read = type === 'GEO_SHAPE' ? readShape : type === 'GEO_POINT' ? readPoint : readGeometry
  return (value) => firstGeometry(value, read)
}

const readShape = (value: Json): Geometry | undefined => shapeValues(value)[0]

function readPoint(value: Json): Geometry | undefined {
  const geometry = readGeometry(value)
  return geometry?.type === 'Point' ? geometry : undefined
}

/** An array has several values, unless it starts with a number: `[lon, lat]` is one point. */
function firstGeometry(value: Json, read: (value: Json) => Geometry | undefined): Geometry | undefined {
  if (value === null) return undefined
  const isSeveral = isArray(value) && typeof value[0] !== 'number'
  return isSeveral ? firstOf(value, (item) => firstGeometry(item, read)) : read(value)
}

function idReader(path: string): DocumentReader['id'] {
  const place = sourcePath(path)
  const read = (source: JsonObject): Json | undefined => firstScalar(firstAt(source, place))
  return ({ source, text }) => {
    let value = read(source)
    // The id needs all its digits to look up the document.
    if (typeof value === 'number' && !Number.isSafeInteger(value) && text !== undefined) {
      value = read(withExactIntegers(text))
    }
    return value === undefined || typeof value === 'object' ? undefined : String(value)
  }
}

function timestampReader(path: string, format: string | undefined): Reader<number> {
  const place = sourcePath(path)
  const formats = readableFormats(format)
  return (source) => {
    const value = firstScalar(firstAt(source, place))
    return value === undefined ? undefined : readStoredDate(formats, value)
  }
}

function firstScalar(value: Json | undefined): Json | undefined {
  return isArray(value) ? firstOf(value, firstScalar) : (value ?? undefined)
}

function firstOf<T>(items: readonly Json[], read: (item: Json) => T | undefined): T | undefined {
  for (const item of items) {
    const found = read(item)
    if (found !== undefined) return found
  }
  return undefined
}

const isArray = (value: Json | undefined): value is readonly Json[] => Array.isArray(value)
