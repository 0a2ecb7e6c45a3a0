import { documentReaderOf, type OpenCollection } from '../collections/open-collection.ts'
import { type FeatureShape, featureMaker } from '../formats/geojson-features.ts'
import type { Feature } from '../model/answer/responses.ts'
import type { JsonObject } from '../model/json/document.ts'
import { projectDocument } from '../query/page/projection.ts'
import type { ResolvedSearch } from '../query/request/search-request.ts'

interface FeatureOptions {
  readonly flat: boolean
  /** Applied to a document after its projection. */
  readonly also?: (source: JsonObject) => JsonObject
}

/** Returns a function from a document to its features, as defined by a search (spec 5.7). */
export function featuresOf(
  collection: OpenCollection,
  { projection }: Pick<ResolvedSearch, 'projection'>,
  { flat, also }: FeatureOptions,
): (document: Parameters<ReturnType<typeof featureMaker>>[0]) => Feature[] {
  // Properties keep the nulls of the document; the flat form skips them.
  const project = (source: JsonObject): JsonObject => projectDocument(source, projection, { keepNulls: true })
  const shape: FeatureShape = {
    reader: documentReaderOf(collection),
    paths: collection.reference.params,
    project: also === undefined ? project : (source) => also(project(source)),
    flat,
    returned: projection.returnedGeometries ?? [],
  }
  return featureMaker(shape)
}
