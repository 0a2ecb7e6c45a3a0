/** The sample data set of the specification (section 6), and a second, small one with edge cases. */

type Position = readonly [number, number]
type Source = Readonly<Record<string, unknown>>

const WORDS = [
  'Ice cream',
  'Ice',
  'Bubble',
  'Cookie',
  'Cupcake',
  'Candy',
  'Brownie',
  'Chocolate',
  'Jellybean',
  'Donut',
] as const
const JOBS = [
  'Actor',
  'Announcers',
  'Archeologists',
  'Architect',
  'Brain Scientist',
  'Chemist',
  'Coach',
  'Coder',
  'Cost Estimator',
  'Dancer',
] as const
const COUNTRIES = [
  'Afghanistan',
  'Albania',
  'Algeria',
  'Andorra',
  'Angola',
  'Antigua',
  'Barbuda',
  'Argentina',
  'Armenia',
  'Aruba',
  'Australia',
] as const
const CITIES = [
  'Paris',
  'London',
  'New York',
  'Tokyo',
  'Toulouse',
  'Marseille',
  'Lyon',
  'Bordeaux',
  'Lille',
  'Albi',
] as const

/** Closed square ring of half side 1 around (lon, lat): NW, NE, SE, SW, NW. */
function square(lon: number, lat: number): Position[] {
  return [
    [lon - 1, lat + 1],
    [lon + 1, lat + 1],
    [lon + 1, lat - 1],
    [lon - 1, lat - 1],
    [lon - 1, lat + 1],
  ]
}

const wkt = (ring: readonly Position[]): string => `POLYGON ((${ring.map(([x, y]) => `${x} ${y}`).join(', ')}))`

interface GridDocument {
  readonly id: string
  readonly fullname: string
  readonly text_search: string
  readonly params: {
    readonly job: string
    readonly country: string
    readonly city: string
    readonly age: number
    readonly startdate: number
    readonly stopdate: number
    readonly weight?: number
  }
  readonly geo_params: {
    readonly geometry: { readonly type: 'Polygon'; readonly coordinates: readonly (readonly Position[])[] }
    readonly wktgeometry: string
    readonly centroid: string
    readonly second_geometry: { readonly type: 'Polygon'; readonly coordinates: readonly (readonly Position[])[] }
    readonly other_geopoint: string
  }
  readonly properties: Record<string, never>
}

function gridDocument(i: number, j: number): GridDocument {
  const k = (Math.abs(i) + Math.abs(j)) / 10
  const id = `ID_${i}_${j}DI`.replaceAll('-', '_')
  const startdate = (i + 1000) * (j + 1000)
  return {
    id,
    fullname: `My name is ${id}`,
    text_search: `Search the word ${WORDS[k % 10]}`,
    params: {
      job: JOBS[k % 10] ?? '',
      country: COUNTRIES[k % 11] ?? '',
      city: CITIES[k % 10] ?? '',
      age: Math.abs(i * j),
      startdate,
      stopdate: startdate + 100,
      ...(startdate >= 1013600 ? { weight: (i + 10) * (j + 10) } : {}),
    },
    geo_params: {
      geometry: { type: 'Polygon', coordinates: [square(i, j)] },
      wktgeometry: wkt(square(i, j)),
      centroid: `${j},${i}`,
      second_geometry: { type: 'Polygon', coordinates: [square(i + 6, j + 6)] },
      other_geopoint: `${j + 6},${i + 6}`,
    },
    properties: {},
  }
}

/** Longitudes -170..170 and latitudes -80..80, every ten degrees: 35 x 17 = 595 documents. */
export function documents(): GridDocument[] {
  const out: GridDocument[] = []
  for (let i = -170; i <= 170; i += 10) for (let j = -80; j <= 80; j += 10) out.push(gridDocument(i, j))
  return out
}

/** The `mappings` object of index `dataset`. */
export const mapping = {
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
        weight: { type: 'integer' },
        startdate: { type: 'date', format: 'epoch_millis' },
        stopdate: { type: 'date', format: 'epoch_millis' },
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
} as const

const geodata = {
  index_name: 'dataset',
  id_path: 'id',
  geometry_path: 'geo_params.geometry',
  centroid_path: 'geo_params.centroid',
  timestamp_path: 'params.startdate',
  exclude_fields: 'params.ci*',
  exclude_wfs_fields: 'params.country',
  taggable_fields: 'params.tags,params.job',
  organisations: { owner: 'foo', shared: ['bar'] },
  inspire: { lineage: 'computed grid', topic_categories: ['biota'] },
  dublin_core_element_name: {
    title: 'geodata',
    description: 'Sample grid',
    language: 'eng',
    identifier: 'geodata-0001',
    date: '2020-01-01T00:00:00',
  },
  raster_tile_url: {
    url: 'http://tiles.test/{id}/{z}/{x}/{y}.png',
    id_path: 'id',
    min_z: 5,
    max_z: 18,
    check_geometry: true,
  },
  raster_tile_width: 256,
  raster_tile_height: 256,
}

/** Bodies of `PUT /collections/{name}`. */
export const collections = {
  geodata,
  geodata_actor: {
    ...geodata,
    dublin_core_element_name: {
      ...geodata.dublin_core_element_name,
      title: 'geodata_actor',
      identifier: 'geodata_actor-0001',
    },
    filter: { f: [[{ field: 'params.job', op: 'eq', value: 'Actor' }]] },
  },
}

/** Returns the index-level identifier of a document. */
const bulkId = (document: { readonly id?: unknown }): string => `ES_ID_TEST${String(document.id)}`

/** Returns the lines of a bulk request: an action line and a document line per document. */
export function toBulk<T extends { readonly id?: unknown }>(
  docs: readonly T[],
  idOf: (document: T) => string = bulkId,
): string {
  return docs.map((d) => `${JSON.stringify({ index: { _id: idOf(d) } })}\n${JSON.stringify(d)}\n`).join('')
}

/**
 * The small set: separators in values and identifiers, missing values, every source format of a point, dates as text
 * and as numbers, calendar boundaries, both sides of the antimeridian. Columns: id, label, flag, score, rank, seen,
 * body, where.
 */
const EDGE: readonly (readonly unknown[])[] = [
  ['a,1', 'red,green', true, 1.5, 3, '2023-12-31T23:59:59.999Z', 'The quick brown fox', '10,20'],
  ['a;2', 'red', false, 0.5, 1, '2024-01-01T00:00:00.000Z', 'A quick browsing tour', [179.5, 5]],
  ['b/3', 'green', true, 2.5, 2, '2024-02-28T23:59:59.999Z', 'brown quick fox', { lat: -5, lon: -179.5 }],
  ['c 4', 'a;b', false, undefined, 2, '2024-02-29T00:00:00Z', 'Brownian motion', 'POINT (0 0)'],
  ['d:5', 'a:b:', true, 2.5, 1, '2024-02-29T12:30:00Z', 'the QUICK Brown FOX jumps', '0.5,89.5'],
  ['e&6=?', 'x&y=z', false, undefined, 3, '2024-02-29T23:59:59.999Z', 'nothing here', '0,90'],
  ['f+7%', 'Été', true, -1, 1, 1709251200000, 'crème brûlée', '45,90'],
  ['g8', 'green', undefined, null, 2, '2024-04-01T00:00:00Z', 'fox', undefined],
  ['h9', 'red', true, 10, undefined, '2024-12-30T00:00:00Z', 'lazy dog', '-45,-90'],
  ['i10', undefined, false, 0.5, 3, '2025-01-01T00:00:00Z', undefined, '60,-120'],
]

/** Points of the small set, by row. */
const EDGE_POINTS: readonly (Position | undefined)[] = [
  [20, 10],
  [179.5, 5],
  [-179.5, -5],
  [0, 0],
  [89.5, 0.5],
  [90, 0],
  [90, 45],
  undefined,
  [-90, -45],
  [-120, 60],
]

const clamp = (v: number, m: number): number => Math.max(-m, Math.min(m, v))

function edgeDocument(row: readonly unknown[], point: Position | undefined): Source & { readonly id?: unknown } {
  const [id, label, flag, score, rank, seen, body, where] = row
  const shape =
    point === undefined
      ? undefined
      : { type: 'Polygon', coordinates: [square(...point).map(([x, y]) => [clamp(x, 180), clamp(y, 90)])] }
  const note = body === undefined ? undefined : { body }
  const place = { ...(where === undefined ? {} : { where }), ...(shape === undefined ? {} : { shape }) }
  const members = { id, label, flag, score, rank, seen, note, place }
  return Object.fromEntries(Object.entries(members).filter(([, v]) => v !== undefined))
}

export const edge = {
  documents: (): (Source & { readonly id?: unknown })[] => EDGE.map((row, i) => edgeDocument(row, EDGE_POINTS[i])),
  mapping: {
    dynamic: false,
    properties: {
      id: { type: 'keyword' },
      label: { type: 'keyword' },
      flag: { type: 'boolean' },
      score: { type: 'double' },
      rank: { type: 'integer' },
      seen: { type: 'date', format: 'strict_date_optional_time||epoch_millis' },
      note: { properties: { body: { type: 'text' } } },
      tags: { type: 'keyword' },
      place: { properties: { where: { type: 'geo_point' }, shape: { type: 'geo_shape' } } },
    },
  },
  params: {
    index_name: 'edge',
    id_path: 'id',
    geometry_path: 'place.shape',
    centroid_path: 'place.where',
    timestamp_path: 'seen',
    taggable_fields: 'tags,label,rank',
  },
}
