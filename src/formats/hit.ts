import type { Hit, HitMetadata, ReturnedGeometry } from '../model/answer/responses.ts'
import type { JsonObject } from '../model/json/document.ts'
import { type ProjectionPlan, projectDocument } from '../query/page/projection.ts'
import type { CollectionPaths } from '../query/schema/collection-view.ts'
import { flatten } from '../query/value/flatten.ts'
import { type DocumentReader, geometryReader, type SourceDocument } from './document-reader.ts'

interface HitShape {
  readonly reader: DocumentReader
  readonly projection: ProjectionPlan
  readonly flat: boolean
  readonly paths: CollectionPaths
}

/** Returns a function from a document to its hit (spec 5.5). */
export function hitMaker(shape: HitShape): (document: SourceDocument) => Hit {
  const { reader, projection, flat } = shape
  const returned = returnedGeometriesReader(shape)
  return (document) => {
    const md = readMetadata(reader, document)
    if (returned !== undefined) md.returned_geometries = returned(document.source)
    // The flat form skips nulls.
    const data = projectDocument(document.source, projection, { keepNulls: flat })
    return { md, data: flat ? flatten(data) : data }
  }
}

function readMetadata(reader: DocumentReader, document: SourceDocument): HitMetadata {
  const { source } = document
  const md: HitMetadata = {}
  const id = reader.id(document)
  if (id !== undefined) md.id = id
  const timestamp = reader.timestamp(source)
  if (timestamp !== undefined) md.timestamp = timestamp
  const geometry = reader.geometry(source)
  if (geometry !== undefined) md.geometry = geometry
  const centroid = reader.centroid(source)
  if (centroid !== undefined) md.centroid = centroid
  return md
}

/** Returns the requested geometries except the two that md contains anyway, in the requested order. */
function returnedGeometriesReader(shape: HitShape): ((source: JsonObject) => ReturnedGeometry[]) | undefined {
  const { geometry_path, centroid_path } = shape.paths
  const readers = shape.projection.returnedGeometries
    ?.filter(({ path }) => path !== geometry_path && path !== centroid_path)
    .map(({ path, type }) => ({ path, read: geometryReader(path, type) }))
  if (readers === undefined) return undefined
  return (source) =>
    readers.flatMap(({ path, read }) => {
      const geometry = read(source)
      return geometry === undefined ? [] : [{ path, geometry }]
    })
}
