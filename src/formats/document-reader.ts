import { readGeometry } from '../geo/document-geometry.ts'
import type { Json, JsonObject } from '../model/document.ts'
import type { Geometry } from '../model/geometry.ts'
import type { CollectionPaths } from '../query/collection-view.ts'
import { readableFormats, readStoredDate } from '../query/field-date.ts'
import { firstAt, sourcePath } from './source-path.ts'

export type Reader<T> = (source: JsonObject) => T | undefined

/** Reads what the four paths of a collection say about a document; of several values the first counts (spec 5.5). */
export interface DocumentReader {
  readonly id: Reader<string>
  readonly timestamp: Reader<number>
  readonly geometry: Reader<Geometry>
  readonly centroid: Reader<Geometry>
}

/** Splits the paths and the date format once, for many documents. */
export function documentReader(paths: CollectionPaths, timestampFormat: string | undefined): DocumentReader {
  return {
    id: idReader(paths.id_path),
    timestamp: timestampReader(paths.timestamp_path, timestampFormat),
    geometry: geometryReader(paths.geometry_path),
    centroid: geometryReader(paths.centroid_path),
  }
}

/** The geometry of a GEO_POINT or GEO_SHAPE field as GeoJSON; undefined when missing or unreadable. */
export function geometryReader(path: string): Reader<Geometry> {
  const place = sourcePath(path)
  return (source) => {
    const value = firstGeometryValue(firstAt(source, place))
    return value === undefined ? undefined : readGeometry(value)
  }
}

function idReader(path: string): Reader<string> {
  const place = sourcePath(path)
  return (source) => {
    const value = firstScalar(firstAt(source, place))
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

/** An array is several values, unless it begins with a number: `[lon, lat]` is one point. */
function firstGeometryValue(value: Json | undefined): Json | undefined {
  const isSeveral = isArray(value) && typeof value[0] !== 'number'
  return isSeveral ? firstOf(value, firstGeometryValue) : (value ?? undefined)
}

function firstOf(items: readonly Json[], read: (item: Json) => Json | undefined): Json | undefined {
  for (const item of items) {
    const found = read(item)
    if (found !== undefined) return found
  }
  return undefined
}

const isArray = (value: Json | undefined): value is readonly Json[] => Array.isArray(value)
