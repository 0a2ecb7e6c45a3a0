import { createIndex, putCollection } from '../support/index-loading.ts'

const mappings = {
  dynamic: false,
  properties: {
    id: { type: 'keyword' },
    name: { type: 'keyword' },
    title: { type: 'text' },
    seen: { type: 'date' },
    part: { properties: { n: { type: 'integer' }, on: { type: 'boolean' } } },
    secret: { type: 'keyword' },
    place: { type: 'geo_point' },
  },
}

export const COUNT = 40
const HOUR = 3_600_000
const START = Date.UTC(2024, 0, 1)

/** Plain documents, two of each time. The last has no time and is no item. */
export const things = Array.from({ length: COUNT }, (_, i) => ({
  id: `t${String(i).padStart(2, '0')}`,
  name: [`name ${i % 4}`, ...(i % 10 === 0 ? ['tenth'] : [])],
  title: i % 2 === 0 ? 'An even thing' : 'Odd things',
  part: { n: i % 7, on: i % 2 === 0 },
  secret: 'hidden',
  ...(i === COUNT - 1 ? {} : { seen: new Date(START + Math.floor(i / 2) * HOUR).toISOString() }),
  place: [i * 4 - 79, i - 20],
}))

const stacMappings = {
  dynamic: false,
  properties: {
    id: { type: 'keyword' },
    stac_version: { type: 'keyword' },
    collection: { type: 'keyword' },
    geometry: { type: 'geo_shape' },
    properties: {
      properties: {
        datetime: { type: 'date' },
        start_datetime: { type: 'date' },
        end_datetime: { type: 'date' },
        platform: { type: 'keyword' },
        mission: { type: 'keyword' },
        'eo:cloud_cover': { type: 'integer' },
        instruments: { type: 'keyword' },
      },
    },
    assets: { type: 'object', enabled: false },
  },
}

export const SCENES = 25
const square = (x: number, y: number) => ({
  type: 'Polygon',
  coordinates: [
    [
      [x, y],
      [x + 2, y],
      [x + 2, y + 2],
      [x, y + 2],
      [x, y],
    ],
  ],
})

/** STAC items. The last has a period instead of a time. */
export const scenes = Array.from({ length: SCENES }, (_, i) => ({
  type: 'Feature',
  stac_version: '1.0.0',
  stac_extensions: [],
  id: `s${String(i).padStart(2, '0')}`,
  collection: 'elsewhere',
  geometry: square(i * 4 - 60, i - 10),
  bbox: [i * 4 - 60, i - 10, i * 4 - 58, i - 8],
  properties: {
    ...(i === SCENES - 1
      ? { datetime: null, start_datetime: '2024-02-01T00:00:00Z', end_datetime: '2024-02-03T00:00:00Z' }
      : { datetime: new Date(START + i * HOUR).toISOString() }),
    platform: i % 2 === 0 ? 'sentinel-2a' : 'sentinel-2b',
    mission: 'sentinel-2',
    'eo:cloud_cover': i * 4,
    instruments: ['msi'],
    unmapped: i,
  },
  links: [{ rel: 'self', href: 'https://example.org/elsewhere' }],
  assets: { B01: { href: 'https://example.org/b01.tif', type: 'image/tiff' } },
}))

/** Loads the collections `things` and `scenes`. */
export async function loadStac(base: string, stored = scenes): Promise<void> {
  const bulk = (documents: readonly { readonly id: string }[]): string =>
    documents.map((d) => `{"index":{"_id":"${d.id}"}}\n${JSON.stringify(d)}\n`).join('')
  await createIndex(base, 'things', mappings, bulk(things))
  await createIndex(base, 'scenes', stacMappings, bulk(stored))
  await putCollection(base, 'things', {
    index_name: 'things',
    id_path: 'id',
    geometry_path: 'place',
    centroid_path: 'place',
    timestamp_path: 'seen',
    exclude_fields: 'secret',
    license_name: 'CC-BY-4.0',
    license_urls: ['https://creativecommons.org/licenses/by/4.0/'],
    display_names: { collection: 'Some things' },
    inspire: { keywords: [{ value: 'thing' }] },
  })
  await putCollection(base, 'scenes', {
    index_name: 'scenes',
    id_path: 'id',
    geometry_path: 'geometry',
    centroid_path: 'geometry',
    timestamp_path: 'properties.datetime',
    is_stac_model: true,
    raster_tile_url: { url: 'https://example.org/{id}/{z}/{x}/{y}.png' },
  })
}
