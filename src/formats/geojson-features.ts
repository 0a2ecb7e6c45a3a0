import { planarCentroid } from '../geo/shape/planar-centroid.ts'
import { normaliseShape } from '../geo/shape/shape.ts'
import type { Feature, HitMetadata } from '../model/answer/responses.ts'
import type { Geometry, Position } from '../model/geometry.ts'
import type { JsonObject } from '../model/json/document.ts'
import { removeAt, type SourcePath, sourcePath } from '../model/source-path.ts'
import type { CollectionPaths } from '../query/schema/collection-view.ts'
import type { Field } from '../query/schema/field.ts'
import { flatten } from '../query/value/flatten.ts'
import { type DocumentReader, geometryReader, type Reader, type SourceDocument } from './document-reader.ts'

export interface FeatureShape {
  readonly reader: DocumentReader
  readonly paths: CollectionPaths
  /** Applies the projection to a document. */
  readonly project: (source: JsonObject) => JsonObject
  readonly flat: boolean
  /** Fields of returned_geometries. Empty: one feature per document, with geometry_path or else centroid_path. */
  readonly returned: readonly ReturnedField[]
}

type ReturnedField = Pick<Field, 'path' | 'type'>

/** A geometry that can become a feature of a document. */
interface FeatureSource {
  readonly path: string
  readonly read: Reader<Geometry>
  /** Path left out of the properties, besides geometry_path, because it is the geometry of the feature. */
  readonly own: SourcePath | undefined
}

/** Returns a function from a document to its features (spec 5.7). */
export function featureMaker(shape: FeatureShape): (document: SourceDocument) => Feature[] {
  const { geometry_path, centroid_path } = shape.paths
  const geometryPath = geometry_path === centroid_path ? undefined : sourcePath(geometry_path)
  const isOneOnly = shape.returned.length === 0
  const sources = isOneOnly ? fallbackSources(shape) : shape.returned.map((field) => returnedSource(field, shape))

  return (document) => {
    const { source } = document
    const features: Feature[] = []
    let base: JsonObject | undefined
    let md: HitMetadata | string | undefined
    for (const { path, read, own } of sources) {
      const geometry = read(source)
      if (geometry === undefined) continue
      base ??= withoutPath(shape.project(source), geometryPath)
      md ??= featureMetadata(shape, document)
      const rest = withoutPath(base, own)
      const properties = shape.flat ? flatten(rest) : { ...rest }
      Object.assign(properties, { md, feature_type: 'hit', geometry_path: path })
      features.push({ type: 'Feature', geometry, properties })
      if (isOneOnly) break
    }
    return features
  }
}

function fallbackSources({ paths, reader }: FeatureShape): readonly FeatureSource[] {
  return [
    { path: paths.geometry_path, read: reader.geometry, own: undefined },
    { path: paths.centroid_path, read: reader.centroid, own: undefined },
  ]
}

function returnedSource({ path, type }: ReturnedField, { paths }: FeatureShape): FeatureSource {
  // The centroid always stays, and the geometry of the collection is left out anyway.
  const isSettled = path === paths.centroid_path || path === paths.geometry_path
  return { path, read: geometryReader(path, type), own: isSettled ? undefined : sourcePath(path) }
}

const withoutPath = (document: JsonObject, path: SourcePath | undefined): JsonObject =>
  path === undefined ? document : removeAt(document, path)

function featureMetadata({ reader, flat }: FeatureShape, document: SourceDocument): HitMetadata | string {
  const { source } = document
  const id = reader.id(document)
  const timestamp = reader.timestamp(source)
  const centroid = reader.centroid(source)
  if (flat) return printMetadata(id, timestamp, centroid)
  const md: HitMetadata = {}
  if (id !== undefined) md.id = id
  if (timestamp !== undefined) md.timestamp = timestamp
  if (centroid !== undefined) md.centroid = centroid
  return md
}

/** Dashboards parse `timestamp=<digits>` from this text. */
function printMetadata(id: string | undefined, timestamp: number | undefined, centroid: Geometry | undefined): string {
  const parts: string[] = []
  if (id !== undefined) parts.push(`id=${id}`)
  if (timestamp !== undefined) parts.push(`timestamp=${timestamp}`)
  const place = centroid === undefined ? undefined : placeOf(centroid)
  if (place !== undefined) parts.push(`centroid=${place[0]} ${place[1]}`)
  return parts.join('-')
}

/** The centroid field may contain a shape; its planar centroid is used then. */
function placeOf(geometry: Geometry): Position | undefined {
  if (geometry.type === 'Point') return geometry.coordinates
  const shape = normaliseShape(geometry)
  return shape === undefined ? undefined : planarCentroid(shape)
}
