import { documents, mapping } from '../../../test/conformance/dataset.ts'
import type { Limits } from '../../config/settings.ts'
import type { JsonObject } from '../../model/json/document.ts'
import type { Mapping, MappingField } from '../../model/mapping.ts'
import type { FilterContext } from '../filter/filter-context.ts'
import { expressionBudget } from '../plan/expression-budget.ts'
import type { CollectionView } from '../schema/collection-view.ts'
import type { Field } from '../schema/field.ts'
import { compilePatterns } from '../schema/field-pattern.ts'
import { schemaOf } from '../schema/schema.ts'

export const limits: Limits = {
  size: 10_000,
  vertices: 5_000,
  filterVertices: 20_000,
  crossings: 2_000,
  patternLength: 1_000,
  expressions: 10_000,
  bodyBytes: 16 << 20,
  bulkBytes: 128 << 20,
  loadBytes: 2 * 2 ** 30,
  loadUnpackedBytes: 8 * 2 ** 30,
  loads: 2,
  liveStreams: 100,
  liveMs: 600_000,
  loadMemoryMiB: 1024,
  exploreBytes: 2 << 20,
  fields: 500,
  jsonNodes: 100_000,
  filterCost: 50_000,
  stacAggregations: 50,
  stacBuckets: 10_000,
  stacTerms: 100,
  stacSummaryFields: 16,
  stacSummaryTerms: 20,
  filterDepth: 100,
  queryLength: 32_000,
  ogcItems: 10_000,
  discardBytes: 256 << 20,
  discardMs: 10_000,
  arrivalMs: 300_000,
  urlBytes: 64 << 10,
  headerBytes: 64 << 10,
  timeMs: 30_000,
  exactDistinct: 100_000,
  concurrentRequests: 256,
  scan: 100_000,
  buckets: 65_535,
  aggregationDepth: 5,
  geotileDepth: 6,
  fetchHits: 100,
  bucketHits: 100_000,
  shapefileColumns: 255,
}

export const NOW = Date.UTC(2024, 4, 15, 12, 30, 45, 678)

/** The schema of the sample in the specification (6.2); `sampleView` adds a field of every other type below `types`. */
const sampleMapping: Mapping = mapping

const everyType: MappingField = {
  properties: {
    long: { type: 'long' },
    short: { type: 'short' },
    byte: { type: 'byte' },
    double: { type: 'double' },
    float: { type: 'float' },
    day: { type: 'date' },
    pattern_day: { type: 'date', format: 'dd/MM/yyyy' },
    flag: { type: 'boolean' },
    ip: { type: 'ip' },
    parts: { type: 'nested', properties: { name: { type: 'keyword' } } },
  },
}

export const indexInfo = (name: string, mapping: Mapping): { name: string; mapping: Mapping; uuid: string } => ({
  name,
  mapping,
  uuid: name,
})

export const sampleView: CollectionView = {
  reference: {
    collection_name: 'geodata',
    params: {
      id_path: 'id',
      geometry_path: 'geo_params.geometry',
      centroid_path: 'geo_params.centroid',
      timestamp_path: 'params.startdate',
    },
  },
  schema: schemaOf([
    indexInfo('dataset', { ...sampleMapping, properties: { ...sampleMapping.properties, types: everyType } }),
  ]),
  hidden: compilePatterns('params.ci*'),
}

/** The sample collection with its plain schema. */
export const plainView: CollectionView = { ...sampleView, schema: schemaOf([indexInfo('dataset', sampleMapping)]) }

export function filterContext(view: CollectionView = sampleView, parameter = 'filter'): FilterContext {
  return {
    schema: view.schema,
    timestampPath: view.reference.params.timestamp_path,
    hidden: view.hidden,
    now: NOW,
    limits,
    budget: expressionBudget(limits),
    parameter,
    places: view.reference.params,
    owner: 'collection geodata',
  }
}

export function fieldAt(path: string, view: CollectionView = sampleView): Field {
  const field = view.schema.lookup(path)
  if (field === undefined) throw new Error(`no field ${path}`)
  return field
}

/** The 595 documents of the sample in the specification (6.1). */
export function sampleDocuments(): readonly JsonObject[] {
  return documents().map((document): JsonObject => JSON.parse(JSON.stringify(document)))
}
