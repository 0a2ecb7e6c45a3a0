import type { Limits } from '../config/settings.ts'
import type { IndexInfo } from '../engine/engine.ts'
import type { JsonObject } from '../model/document.ts'
import type { Mapping, MappingField } from '../model/mapping.ts'
import type { CollectionView } from './collection-view.ts'
import { expressionBudget } from './expression-budget.ts'
import type { Field } from './field.ts'
import { compilePatterns } from './field-pattern.ts'
import type { FilterContext } from './filter-context.ts'
import { schemaOf } from './schema.ts'

export const limits: Limits = {
  size: 10_000,
  vertices: 5_000,
  patternLength: 1_000,
  expressions: 10_000,
  bodyBytes: 16 << 20,
  bulkBytes: 128 << 20,
  urlBytes: 64 << 10,
  headerBytes: 64 << 10,
  timeMs: 30_000,
  exactDistinct: 100_000,
}

export const NOW = Date.UTC(2024, 4, 15, 12, 30, 45, 678)

/** The schema of the specification's sample (6.2), with a field of every other type below `types`. */
export const sampleMapping: Mapping = {
  dynamic: false,
  properties: {
    id: { type: 'keyword' },
    fullname: { type: 'text' },
    text_search: { type: 'text' },
    params: {
      properties: {
        job: { type: 'keyword' },
        country: { type: 'keyword' },
        city: { type: 'keyword' },
        age: { type: 'integer' },
        startdate: { type: 'date', format: 'epoch_millis' },
        stopdate: { type: 'date', format: 'epoch_millis' },
        weight: { type: 'integer' },
        tags: { type: 'keyword' },
        not_indexed: { type: 'keyword', index: false },
        not_enabled: { type: 'object', enabled: false },
      },
    },
    geo_params: {
      properties: {
        centroid: { type: 'geo_point' },
        other_geopoint: { type: 'geo_point' },
        geometry: { type: 'geo_shape' },
        second_geometry: { type: 'geo_shape' },
        wktgeometry: { type: 'geo_shape' },
      },
    },
  },
}

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

export const indexInfo = (name: string, mapping: Mapping): IndexInfo => ({ name, mapping, documents: 0, version: '1' })

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

/** The collection of the sample with its plain schema. */
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
    owner: 'collection geodata',
  }
}

/** A field of the sample by its path. */
export function fieldAt(path: string, view: CollectionView = sampleView): Field {
  const field = view.schema.lookup(path)
  if (field === undefined) throw new Error(`no field ${path}`)
  return field
}

const words = ['Ice cream', 'Ice', 'Bubble', 'Cookie', 'Cupcake', 'Candy', 'Brownie', 'Chocolate', 'Jellybean', 'Donut']
const jobs = 'Actor,Announcers,Archeologists,Architect,Brain Scientist,Chemist,Coach,Coder,Cost Estimator,Dancer'.split(
  ',',
)
const countries = 'Afghanistan,Albania,Algeria,Andorra,Angola,Antigua,Barbuda,Argentina,Armenia,Aruba,Australia'.split(
  ',',
)
const cities = 'Paris,London,New York,Tokyo,Toulouse,Marseille,Lyon,Bordeaux,Lille,Albi'.split(',')

const square = (x: number, y: number): JsonObject => ({
  type: 'Polygon',
  coordinates: [
    [
      [x - 1, y + 1],
      [x + 1, y + 1],
      [x + 1, y - 1],
      [x - 1, y - 1],
      [x - 1, y + 1],
    ],
  ],
})

/** The 595 documents of the specification's sample (6.1). */
export function sampleDocuments(): readonly JsonObject[] {
  const documents: JsonObject[] = []
  for (let i = -170; i <= 170; i += 10) {
    for (let j = -80; j <= 80; j += 10) documents.push(sampleDocument(i, j))
  }
  return documents
}

function sampleDocument(i: number, j: number): JsonObject {
  const k = (Math.abs(i) + Math.abs(j)) / 10
  const id = `ID_${i}_${j}DI`.replaceAll('-', '_')
  const startdate = (i + 1000) * (j + 1000)
  return {
    id,
    fullname: `My name is ${id}`,
    text_search: `Search the word ${words[k % 10]}`,
    params: {
      job: jobs[k % 10] ?? '',
      country: countries[k % 11] ?? '',
      city: cities[k % 10] ?? '',
      age: Math.abs(i * j),
      startdate,
      stopdate: startdate + 100,
      ...(startdate >= 1013600 ? { weight: (i + 10) * (j + 10) } : {}),
    },
    geo_params: {
      geometry: square(i, j),
      centroid: `${j},${i}`,
      second_geometry: square(i + 6, j + 6),
      other_geopoint: `${j + 6},${i + 6}`,
    },
    properties: {},
  }
}
