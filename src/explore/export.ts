import { documentReaderOf, type OpenCollection } from '../collections/open-collection.ts'
import type { FoundDocument } from '../engine/engine.ts'
import { problem } from '../errors.ts'
import { geometryReader } from '../formats/document-reader.ts'
import { writeCsv } from '../formats/export/csv.ts'
import { type ExportColumn, exportColumns } from '../formats/export/export-column.ts'
import { cellReader, type ExportRow } from '../formats/export/export-row.ts'
import { writeGeojsonLines } from '../formats/export/geojson-lines.ts'
import { type SpooledRows, withSpooledRows } from '../formats/export/row-spool.ts'
import type { Geometry } from '../model/geometry.ts'
import type { JsonObject } from '../model/json/document.ts'
import type { Search } from '../model/search.ts'
import { projectDocument } from '../query/page/projection.ts'
import { flatMapInTurns } from '../turn.ts'
import { streamAll, streamPage } from './document-stream.ts'
import { featuresOf } from './feature-stream.ts'
import { type PlannedSearch, planSearch } from './find-documents.ts'
import type { Operation } from './operation.ts'
import { featureTexts } from './printed-documents.ts'
import { timedBatches } from './timed-batches.ts'

export type ExportFormat = 'geojsonl' | 'csv' | 'geoparquet' | 'flatgeobuf'

export interface ExportOptions {
  readonly format: ExportFormat
  readonly flat: boolean
  /** Leaves out documents without geometry, as a geosearch does. */
  readonly placedOnly: boolean
  /** CSV only: prevents spreadsheets from running cells as formulas. */
  readonly spreadsheet: boolean
}

type Batches = AsyncIterable<readonly FoundDocument[]>

/**
 * Returns documents as a file, generated while it is read. Without `size` it contains all matching documents, in the
 * order of `sort` or in any order; with `size`, that page. Throws on an invalid request before anything is read.
 */
export function exportDocuments(
  request: Search,
  operation: Operation,
  options: ExportOptions,
): AsyncIterable<string | Uint8Array> {
  const planned = planExport(request, operation)
  const batches = timedBatches(
    (signal) => exportedDocuments(request, planned, operation, signal),
    operation.signal,
    operation.limits.timeMs,
  )
  if (options.format === 'geojsonl') {
    return writeGeojsonLines(flatMapInTurns(batches, linesOf(operation.collection, planned, options.flat)))
  }
  return writeTable(batches, planned, operation, { ...options, format: options.format })
}

/** Returns a function from a document to its features, as texts that may have several lines. */
function linesOf(
  collection: OpenCollection,
  planned: PlannedSearch,
  flat: boolean,
): (document: FoundDocument) => readonly string[] {
  if (flat) {
    const features = featuresOf(collection, planned, { flat })
    return (document) => features(document).map((feature) => JSON.stringify(feature))
  }
  const text = featureTexts(collection, planned, '\n')
  return (document) => {
    const lines = text(document)
    return lines === '' ? [] : [lines]
  }
}

/** Without `size`, the search covers all matching documents. */
export function planExport(request: Search, operation: Operation): PlannedSearch {
  const { size, ...place } = request.page ?? {}
  if (size !== undefined) return planSearch(request, operation, { wantsTotal: false })
  const planned = planSearch({ ...request, page: { ...place, size: 1 } }, operation, { wantsTotal: false })
  if (planned.plan.cursor?.direction === 'before') {
    throw problem('INVALID_PARAMETER', { parameter: 'before', reason: 'requires size in an export' })
  }
  return { ...planned, plan: { ...planned.plan, size: Number.MAX_SAFE_INTEGER } }
}

/** One scan for the whole selection without order; everything else is read page by page. */
export function exportedDocuments(
  { page = {} }: Search,
  { plan }: PlannedSearch,
  { engine }: Operation,
  signal: AbortSignal,
): Batches {
  const isWhole = page.size === undefined && page.sort === undefined && plan.from === 0 && plan.cursor === undefined
  return isWhole ? streamAll(engine, plan, signal) : streamPage(engine, plan, signal)
}

function writeTable(
  batches: Batches,
  { projection }: PlannedSearch,
  { collection }: Operation,
  { format, placedOnly, spreadsheet }: ExportOptions & { readonly format: Exclude<ExportFormat, 'geojsonl'> },
): AsyncIterable<string | Uint8Array> {
  const geometriesOf = geometryReaderOf(collection, projection)
  const { collection_name, params } = collection.reference
  // The geometry of the collection has its own column.
  const columns = exportColumns(
    collection.schema,
    (path) => path !== params.geometry_path && projects(projection, path),
  )
  const cells = cellReader(columns)
  const toRow = ({ source }: FoundDocument): readonly ExportRow[] => {
    const geometries = geometriesOf(source)
    if (geometries.length === 0 && placedOnly) return []
    const row = { cells: cells(projectDocument(source, projection, { keepNulls: false })) }
    return geometries.length === 0 ? [row] : geometries.map((geometry) => ({ ...row, geometry }))
  }
  const rows = flatMapInTurns(batches, toRow)
  if (format === 'csv') return writeCsv(columns, rows, { spreadsheet })
  return withSpooledRows(columns, rows, (spooled) => writeSpooled(format, collection_name, columns, spooled))
}

/** Loads the writers of these formats on first use, so that the server starts faster. */
async function* writeSpooled(
  format: 'geoparquet' | 'flatgeobuf',
  layer: string,
  columns: readonly ExportColumn[],
  rows: SpooledRows,
): AsyncIterable<string | Uint8Array> {
  if (format === 'geoparquet') {
    const { writeGeoparquet } = await import('../formats/export/geoparquet.ts')
    yield* writeGeoparquet(columns, rows)
  } else {
    const { writeFlatgeobuf } = await import('../formats/export/flatgeobuf.ts')
    yield* writeFlatgeobuf(layer, columns, rows)
  }
}

/** Returns the geometries that a document has rows for: the requested ones, else the one of the collection. */
function geometryReaderOf(
  collection: OpenCollection,
  { returnedGeometries = [] }: PlannedSearch['projection'],
): (source: JsonObject) => readonly Geometry[] {
  if (returnedGeometries.length > 0) {
    const readers = returnedGeometries.map(({ path, type }) => geometryReader(path, type))
    return (source) => readers.flatMap((read) => read(source) ?? [])
  }
  const reader = documentReaderOf(collection)
  return (source) => {
    const geometry = reader.geometry(source) ?? reader.centroid(source)
    return geometry === undefined ? [] : [geometry]
  }
}

/** True if a projection keeps the field. */
function projects({ root }: PlannedSearch['projection'], path: string): boolean {
  let node = root
  for (const key of path.split('.')) {
    if (node.fate !== 'walk') break
    node = node.child(key)
  }
  return node.fate === 'whole' || (node.fate === 'walk' && node.included)
}
