import { fileURLToPath } from 'node:url'
import type { Engine } from '../../engine/engine.ts'
import { readDocuments } from '../../ingest/read/read-documents.ts'
import { withCentroid } from '../../ingest/read/shared/feature-document.ts'
import { isBroken } from '../../ingest/row.ts'
import { openInput } from '../../ingest/source/open-input.ts'
import type { JsonObject } from '../../model/json/document.ts'
import { isRecord } from '../../model/json/json-object.ts'
import type { Mapping } from '../../model/mapping.ts'
import { unrestricted } from '../../query/access/access.ts'
import type { LocalServices } from './local-services.ts'

export const DEMO_COLLECTION = 'earthquakes'

/** Earthquakes of one week, in the public domain: see samples/README.md. */
const FILE = fileURLToPath(new URL('../../../samples/earthquakes.geojson.gz', import.meta.url))

const keyword = { type: 'keyword' } as const
const date = { type: 'date', format: 'epoch_millis' } as const
const double = { type: 'double' } as const
const integer = { type: 'integer' } as const

const mapping: Mapping = {
  properties: {
    id: keyword,
    title: { type: 'text' },
    time: date,
    updated: date,
    mag: double,
    magType: keyword,
    depth: double,
    place: { type: 'text', copy_to: ['place_name'] },
    place_name: keyword,
    region: keyword,
    type: keyword,
    status: keyword,
    alert: keyword,
    net: keyword,
    code: keyword,
    sources: keyword,
    types: keyword,
    sig: integer,
    felt: integer,
    cdi: double,
    mmi: double,
    nst: integer,
    dmin: double,
    rms: double,
    gap: double,
    tz: integer,
    tsunami: { type: 'boolean' },
    ids: keyword,
    url: { type: 'keyword', index: false },
    detail: { type: 'keyword', index: false },
    geometry: { type: 'geo_shape' },
    centroid: { type: 'geo_point' },
  },
}

/** Loads the sample data and registers its collection, once per data directory or cluster. Returns true if it did. */
export async function loadDemo({ engine, collections, demoMark }: LocalServices): Promise<boolean> {
  if (await demoMark.isSet()) return false
  if ((await engine.indices(DEMO_COLLECTION)).length > 0) return false
  await engine.createIndex(DEMO_COLLECTION, mapping)
  try {
    await fillIndex(engine)
    await collections.put(DEMO_COLLECTION, reference, unrestricted)
  } catch (error) {
    // a partial index would be mistaken for a user's index at the next start; a failure here has the same cause as
    // `error`
    await Promise.allSettled([engine.dropIndex(DEMO_COLLECTION)])
    throw error
  }
  await engine.arrange(DEMO_COLLECTION)
  await demoMark.set()
  return true
}

async function fillIndex(engine: Engine): Promise<void> {
  const input = await openInput(FILE)
  try {
    const { rows: batches } = await readDocuments(input, 'geojson')
    for await (const rows of batches) {
      const documents = rows.flatMap((row) => (isBroken(row) ? [] : [enrich(withCentroid(row.document))]))
      await engine.write(
        DEMO_COLLECTION,
        documents.map((source) => ({ kind: 'index', id: String(source.id), source })),
      )
    }
  } finally {
    input.close()
  }
}

const reference = {
  index_name: DEMO_COLLECTION,
  id_path: 'id',
  geometry_path: 'geometry',
  centroid_path: 'centroid',
  timestamp_path: 'time',
  taggable_fields: 'tags',
  display_names: { collection: 'Earthquakes' },
  license_name: 'U.S. Public Domain',
  license_urls: ['https://www.usgs.gov/information-policies-and-instructions/copyrights-and-credits'],
  dublin_core_element_name: {
    title: 'Earthquakes',
    description: 'Earthquakes of one week, 31 January to 7 February 2018',
    source: 'U.S. Geological Survey',
    language: 'eng',
  },
}

/** Extracts fields that are useful to group by: the region after the last comma, lists, the depth. */
function enrich(document: JsonObject): JsonObject {
  const { place, geometry, tsunami, types, sources, ids } = document
  const depth = isRecord(geometry) && Array.isArray(geometry.coordinates) ? geometry.coordinates[2] : undefined
  const region = typeof place === 'string' ? place.slice(place.lastIndexOf(',') + 1).trim() : undefined
  return {
    ...document,
    types: splitList(types),
    sources: splitList(sources),
    ids: splitList(ids),
    tsunami: tsunami === 1,
    ...(region === undefined ? {} : { region }),
    ...(typeof depth === 'number' ? { depth } : {}),
  }
}

/** The feed writes lists as `,a,b,`. */
const splitList = (value: unknown): readonly string[] =>
  typeof value === 'string' ? value.split(',').filter((item) => item !== '') : []
