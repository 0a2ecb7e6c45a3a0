import type { OpenCollection } from '../collections/open-collection.ts'
import type { FoundDocument } from '../engine/engine.ts'
import { type Archive, type FlatFeature, shapefileArchive } from '../formats/shapefile/shapefile-archive.ts'
import type { Feature } from '../model/answer/responses.ts'
import type { Json, JsonObject } from '../model/json/document.ts'
import type { Search } from '../model/search.ts'
import { removeAt, sourcePath } from '../model/source-path.ts'
import { compareCodePoints } from '../query/value/code-point-order.ts'
import { flatMapInTurns } from '../turn.ts'
import { type AggregationRequest, aggregateFeatures } from './aggregate.ts'
import { streamPage } from './document-stream.ts'
import { exportedDocuments, planExport } from './export.ts'
import { featuresOf } from './feature-stream.ts'
import { type PlannedSearch, planSearch } from './find-documents.ts'
import type { Operation } from './operation.ts'
import { timedBatches } from './timed-batches.ts'

const HIT_COLUMNS = ['feature_type', 'geometry_path']
const BUCKET_COLUMNS = ['feature_type', 'geometry_ref', 'geometry_type', 'geometry_sort']

/** Returns the features of a geosearch as a zip of shapefiles (spec 5 of files). */
export function searchShapefiles(request: Search, operation: Operation): Promise<Archive> {
  const planned = planSearch(request, operation, { wantsTotal: false })
  return archiveHits(planned, operation, (signal) => streamPage(operation.engine, planned.plan, signal))
}

/** Same for all matching documents, unless the request has a `size`. */
export function exportShapefiles(request: Search, operation: Operation): Promise<Archive> {
  const planned = planExport(request, operation)
  return archiveHits(planned, operation, (signal) => exportedDocuments(request, planned, operation, signal))
}

function archiveHits(
  planned: PlannedSearch,
  operation: Operation,
  documents: (signal: AbortSignal) => AsyncIterable<readonly FoundDocument[]>,
): Promise<Archive> {
  const { collection, limits, signal } = operation
  const features = featuresOf(collection, planned, { flat: true, also: withoutShapes(collection) })
  const batches = timedBatches(documents, signal, limits.timeMs)
  return archive(
    operation,
    arrangeHitColumns(collection),
    flatMapInTurns(batches, (document) => features(document).map(withoutMetadata)),
  )
}

/** Returns the features of a geoaggregation as a zip of shapefiles. */
export async function aggregateShapefiles(request: AggregationRequest, operation: Operation): Promise<Archive> {
  const { features } = await aggregateFeatures(request, operation, { flat: true })
  return archive(
    operation,
    (properties) => putLast(properties, BUCKET_COLUMNS),
    flatMapInTurns(oneBatch(features), ({ geometry, properties }) =>
      // Skip buckets without geometry: a shapefile holds exactly one kind of geometry.
      geometry === null ? [] : [{ geometry, properties: properties as JsonObject }],
    ),
  )
}

function archive(
  { collection, limits, now }: Operation,
  arrangeColumns: (properties: readonly string[]) => readonly string[],
  features: AsyncIterable<readonly FlatFeature[]>,
): Promise<Archive> {
  const { collection_name, params } = collection.reference
  return shapefileArchive(features, {
    name: collection_name,
    shapeColumns: params.display_names?.shape_columns ?? {},
    arrangeColumns,
    mostColumns: limits.shapefileColumns,
    today: new Date(now),
  })
}

async function* oneBatch<T>(items: readonly T[]): AsyncIterable<readonly T[]> {
  yield items
}

/** Removes all shapes from a document, because their coordinates would become thousands of columns. */
function withoutShapes({ schema }: OpenCollection): (source: JsonObject) => JsonObject {
  const shapes = schema.fields.filter((field) => field.type === 'GEO_SHAPE').map((field) => sourcePath(field.path))
  return (source) => shapes.reduce(removeAt, source)
}

/** Drops the text `md`, because its parts have their own columns. */
function withoutMetadata({ geometry, properties }: Feature): FlatFeature {
  const { md: _, ...rest } = properties as Record<string, Json>
  return { geometry, properties: rest }
}

/** Column order: the id, then the fields of the documents by name, then the properties added by the feature. */
function arrangeHitColumns({ reference }: OpenCollection): (properties: readonly string[]) => readonly string[] {
  const id = reference.params.id_path.replaceAll('.', '_')
  return (properties) => {
    const sorted = properties.toSorted((a, b) => Number(b === id) - Number(a === id) || compareCodePoints(a, b))
    return putLast(sorted, HIT_COLUMNS)
  }
}

const putLast = (properties: readonly string[], last: readonly string[]): readonly string[] => [
  ...properties.filter((property) => !last.includes(property)),
  ...last.filter((property) => properties.includes(property)),
]
