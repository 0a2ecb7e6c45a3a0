import { geometryFilterNames } from '../../../src/model/geometry-filters.ts'
import { queryText } from '../../support/http-client.ts'
import { stacBodies, stacValues } from './leak-stac-requests.ts'

/** The used parts of the OpenAPI document. */
export interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string }[]
  readonly requestBody?: unknown
}

export interface Probe {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

const visible = ['seen', 'amount', 'words', 'obj.open', 'place', 'shape', 'id', 'time']
const hidden = [
  'leak_key',
  'leak_num',
  'leak_date',
  'leak_place',
  'leak_shape',
  'leak_text',
  'obj.leak_inner',
  'tenant',
]
const missing = ['nowhere', 'obj', 'leak', 'leak_key.sub']
const fields = [...visible, ...hidden, ...missing]

const world = '-180,-90,180,90'
const triplets = [
  ...fields.map((field) => `${field}:ne:7`),
  ...['place', 'leak_place', 'leak_shape', 'nowhere'].map((field) => `${field}:within:${world}`),
  'seen:eq:bv0',
  'seen:like:.*v.*',
  'amount:gte:0',
  'amount:range:[0<1000]',
  'leak_num:range:[0<1000]',
  'leak_key:like:.*',
  '$timestamp:gte:0',
  'seen:eq:av0;leak_key:eq:leaked0',
]
const words = [
  'bwords',
  'words:bwords',
  'leak_text:leaked',
  'leak*:leaked',
  '*:leaked',
  'seen:bv*',
  'nowhere:x',
  'a b:c',
  ':x',
]
const sorts = [...fields, '-leak_num', 'seen,leak_num', 'geodistance:40 40', 'geodistance:40 40,leak_key']
const includes = [...fields, '*', 'l*', 'obj.*', '*leak*', 'seen,leak_num']
const excludes = ['leak_key', 'seen', 'leak*', 'obj.leak_inner', 'nowhere', '*o*']
const geometries = ['place', 'shape', 'leak_place', 'leak_shape', 'seen', 'nowhere']
const aggregations = [
  ...fields.map((field) => `term:${field}`),
  'histogram:amount:interval-5',
  'histogram:leak_num:interval-5',
  'datehistogram:time:interval-1day',
  'datehistogram:leak_date:interval-1day',
  ...['geotile', 'geohash', 'geohex'].flatMap((type) =>
    ['place', 'shape', 'leak_place', 'leak_shape', 'nowhere'].map((field) => `${type}:${field}:interval-2`),
  ),
  'geotile:place:interval-2:aggregated_geometries-bbox,centroid',
  'geotile:place:interval-2:collect_field-leak_num:collect_fct-max',
  'geotile:place:interval-2:collect_field-amount:collect_fct-sum',
  'geotile:place:interval-2:raw_geometries-leak_place',
  'geotile:place:interval-2:raw_geometries-shape(-leak_num)',
  'geotile:place:interval-2:fetch_geometry-leak_num-first',
  'geotile:place:interval-2:fetch_geometry-amount-last',
  'term:seen:fetch_geometry-leak_date-last',
  'geotile:place:interval-2:fetch_hits-5',
  'geotile:place:interval-2:fetch_hits-5(+seen,-leak_key)',
  'term:seen:collect_field-leak_key:collect_fct-cardinality',
  'term:seen:collect_field-amount:collect_fct-cardinality',
  'term:seen:include-b.*',
  'term:seen:fetch_hits-9',
  'term:seen:fetch_hits-9(leak_num)',
]
const cells = [
  'geotile:place',
  'geotile:leak_place',
  'geotile:nowhere',
  'geotile:place:collect_field-leak_num:collect_fct-max',
]

const expressions = [
  ...fields.map((field) => `"${field}" IS NOT NULL`),
  ...fields.map((field) => `NOT ("${field}" = 'leaked0' OR seen = 'bv0')`),
  'leak_num > 0',
  "CASEI(leak_key) LIKE 'leaked%'",
  "T_AFTER(leak_date, DATE('2020-01-01'))",
  'S_INTERSECTS(leak_shape, BBOX(-180, -90, 180, 90))',
  "seen = 'bv0' OR leak_key = 'leaked0'",
  'amount >= 0',
]

/** Values to test for each parameter. A parameter that is missing here fails the test. */
const values: Readonly<Record<string, readonly string[]>> = {
  f: triplets,
  q: words,
  sort: sorts,
  include: includes,
  exclude: excludes,
  returned_geometries: geometries,
  field: [...fields, '_all'],
  filter: expressions,
  'filter-lang': ['cql2-text'],
  agg: aggregations,
  metric: ['max', 'cardinality', 'geobbox'],
  after: ['A1', 'B1', 'zz'],
  before: ['A1', 'B3', 'zz'],
  size: ['2', '9'],
  from: ['1'],
  offset: ['0', '3', '-1'],
  dateformat: ['yyyy'],
  righthand: ['false'],
  ...Object.fromEntries(geometryFilterNames.map((name) => [name, [`0,0,20,20;${world}`, '30,30,60,60']])),
  pretty: ['true'],
  profile: ['true'],
  flat: ['true'],
  spreadsheet: ['true'],
  layers: ['hits', 'cells', 'meta'],
  interval: ['2'],
  cells: ['centers'],
  sampling: ['1'],
  coverage: ['50'],
  checkfields: ['false'],
  by: ['shared'],
  df: fields,
  default_operator: ['and'],
  _source: ['leak*', 'false'],
  _source_includes: includes,
  _source_excludes: ['seen'],
  track_total_hits: ['false'],
  version: ['true'],
  rest_total_hits_as_int: ['true'],
  typed_keys: ['true'],
  filter_path: ['hits.total', '**.leak_key'],
  h: ['index,docs.count'],
  v: ['true'],
  s: ['docs.count:desc'],
  bytes: ['b'],
  name: ['shared'],
  file: ['shared.csv'],
  replace: ['true'],
  append: ['true'],
  dryRun: ['true'],
  idPath: ['leak_key'],
  geometryPath: ['leak_place'],
  centroidPath: ['leak_place'],
  timestampPath: ['leak_date'],
  lon: ['leak_num'],
  lat: ['leak_num'],
  dateOrder: ['day-first'],
  rowId: ['leak_num'],
  delimiter: [';'],
  encoding: ['utf-8'],
  layer: ['shared'],
  active: ['true'],
  started: ['true'],
  expired: ['false'],
  deleted: ['true'],
  'created-by': ['ann'],
  'created-by-admin': ['true'],
  page: ['2'],
  refresh: ['true'],
  events: ['false'],
  state: ['FAILED'],
  channel: ['webhook'],
  collection: ['shared', 'private'],
  'max-age-cache': ['5'],
  bbox: [world, '30,30,60,60'],
  'bbox-crs': ['EPSG:4326'],
  'filter-crs': ['EPSG:4326'],
  crs: ['EPSG:3857'],
  datetime: ['../../..', '2020-01-01/..'],
  properties: fields,
  skipGeometry: ['true'],
  limit: ['1', '9'],
  sortby: [...fields, '-leak_num'],
  token: ['x'],
  format: ['json', 'atom', 'geojsonl', 'csv', 'geoparquet', 'flatgeobuf', 'shapefile'],
}

const places: Readonly<Record<string, readonly string[]>> = {
  collection: ['shared', 'private', 'nowhere'],
  collections: ['shared', 'private', 'shared,private'],
  identifier: ['A1', 'B1', 'zz'],
  geohash: ['s', 't'],
  tileMatrix: ['0'],
  tileRow: ['0'],
  tileCol: ['0'],
  z: ['0'],
  x: ['0'],
  y: ['0'],
  index: ['shared', 'private', '*', 'nowhere'],
  id: ['A1', 'B1'],
  deliveryId: ['A1'],
  file: ['nowhere.js'],
}

/** Parameters that a request needs to be valid. */
const needed = (path: string): readonly (readonly [string, string])[] => {
  if (path.endsWith('_compute'))
    return [
      ['field', 'amount'],
      ['metric', 'max'],
    ]
  if (path.includes('geoaggregate/{geohash}')) return [['agg', 'geohash:place:interval-3']]
  if (/_(?:geo|shape)aggregate/.test(path)) return [['agg', 'geotile:place:interval-3']]
  if (path.includes('_aggregate')) return [['agg', 'term:seen']]
  if (path.startsWith('/stac') && path.endsWith('/aggregate')) return [['aggregations', 'total_count']]
  if (/_shapesearch|_geosearch|_search$/.test(path))
    return [
      ['sort', 'id'],
      ['size', '9'],
    ]
  return []
}

/** Operations with their own request syntax. The others share the syntax of one of them and get every third request. */
const THOROUGH = new Set([
  'get _search',
  'post _search',
  'get _count',
  'get _aggregate',
  'get _compute',
  'get _suggest',
  'get _mvt',
])

function someOf<T>(all: readonly T[], method: string, path: string): readonly T[] {
  if (all.length < 8 || THOROUGH.has(`${method} ${path.split('/').at(-1)}`)) return all
  return all.filter((_one, i) => i % 3 === path.length % 3)
}

/**
 * Returns all requests of a route that name a field, a document or a condition. The first one has no special
 * parameters.
 */
export function probesOf(method: string, path: string, { parameters = [], requestBody }: Operation): readonly Probe[] {
  const named = parameters.filter((one) => one.in === 'query').map(({ name }) => name)
  // The document does not list `format` as a parameter of these routes.
  const asked = /\/_(?:geo)?search$/.test(path) ? [...named, 'format'] : named
  const base = requestBody === undefined ? needed(path) : []
  const verb = method.toUpperCase()
  const fill = (place: string): readonly string[] => {
    const name = /\{(\w+)\}/.exec(place)?.[1]
    return name === undefined
      ? [place]
      : known(places, name).flatMap((value) => fill(place.replace(`{${name}}`, value)))
  }
  const [first = path, ...others] = fill(path)
  const bodies = requestBody === undefined ? [undefined] : bodiesOf(path)
  const make = (where: string, query: readonly (readonly [string, string])[], body: unknown): Probe => ({
    method: verb,
    path: query.length === 0 ? where : `${where}?${queryText(query)}`,
    ...(body === undefined ? {} : bodyOf(body)),
  })
  const varied = asked.flatMap((name) => {
    const values = path.includes('_mvt') && name === 'agg' ? cells : known(valuesFor(path), name)
    return someOf(values, method, path).map((value) => [
      ...base.filter(([key]) => key !== name),
      [name, value] as const,
    ])
  })
  return [
    make(first, base, bodies[0]),
    ...varied.map((query) => make(first, query, bodies[0])),
    ...someOf(bodies.slice(1), method, path).map((body) => make(first, base, body)),
    ...others.map((place) => make(place, base, bodies[0])),
  ]
}

/** `q` of suggestions is a plain text, `f` of OGC API and STAC API a format. */
const valuesFor = (path: string): typeof values =>
  path.startsWith('/stac')
    ? { ...values, ...stacValues({ fields, expressions, words }) }
    : path.startsWith('/ogc')
      ? { ...values, f: ['json', 'csv', 'geojsonl', 'parquet', 'fgb', 'mvt', 'png', 'html'] }
      : path.endsWith('_suggest')
        ? { ...values, q: ['b', 'l', 'a', 'leak_key:x'] }
        : values

function known(table: Readonly<Record<string, readonly string[]>>, name: string): readonly string[] {
  const found = table[name]
  if (found === undefined)
    throw new Error(`The parameter ${name} is not classified: add its values to leak-requests.ts`)
  return found
}

const bodyOf = (body: unknown): Partial<Probe> =>
  body instanceof URLSearchParams
    ? { body: body.toString(), headers: { 'content-type': 'application/x-www-form-urlencoded' } }
    : { body }

const expression = (triplet: string) => {
  const [, field, op, value] = /^(.+?):(\w+):(.*)$/.exec(triplet) ?? []
  return { field, op, value }
}

const filters = [
  ...triplets.map((text) => ({ f: [text.split(';').map(expression)] })),
  ...words.map((text) => ({ q: [[text]] })),
]

const replaced = {
  index_name: 'shared',
  id_path: 'leak_key',
  geometry_path: 'leak_place',
  centroid_path: 'leak_place',
  timestamp_path: 'leak_date',
}

function bodiesOf(path: string): readonly unknown[] {
  if (path.endsWith('_import')) {
    const file = (name: string) => JSON.stringify([{ collection_name: name, params: replaced }])
    return ['shared', 'mine'].map((name) => new URLSearchParams({ file: file(name) }))
  }
  if (path.endsWith('/organisations')) return [{ public: true }, { owner: 'a' }]
  if (path.includes('/display_names/')) return [{ leak_key: 'x' }]
  if (path.startsWith('/collections/')) return [replaced, { ...replaced, organisations: { owner: 'a', public: true } }]
  const filtered = (more: object): readonly object[] => [
    ...filters.map((filter) => ({ ...more, filter })),
    ...filters.map((filter) => ({ ...more, partitionFilter: [filter] })),
  ]
  if (path.startsWith('/write/')) return tagBodies(filtered)
  if (path.startsWith('/stac/')) return stacBodies(path, { fields, expressions, words })
  if (path.startsWith('/events')) return eventBodies
  if (/^\/(?:admin\/)?subscriptions/.test(path)) return path.endsWith('/secret') ? [{}] : subscriptionBodies
  if (path.endsWith('_count')) return [{}, ...filtered({})]
  if (path.endsWith('_compute')) {
    return [
      { field: 'amount', metric: 'max' },
      ...fields.map((field) => ({ field, metric: 'cardinality' })),
      ...filtered({ field: 'amount', metric: 'sum' }),
    ]
  }
  if (path.endsWith('aggregate')) {
    const tiles = { type: 'geotile', field: 'place', interval: { value: 3 } }
    return [
      { aggregations: [tiles] },
      ...fields.map((field) => ({ aggregations: [tiles, { type: 'term', field }] })),
      ...fields.map((collect_field) => ({
        aggregations: [{ ...tiles, metrics: [{ collect_field, collect_fct: 'CARDINALITY' }] }],
      })),
      ...fields.map((field) => ({ aggregations: [{ ...tiles, fetch_hits: { size: 3, include: [field] } }] })),
      ...geometries.map((geometry) => ({ aggregations: [{ ...tiles, raw_geometries: [{ geometry, sort: 'id' }] }] })),
      ...filtered({ aggregations: [tiles] }),
    ]
  }
  return [
    { page: { sort: 'id', size: 9 } },
    ...sorts.map((sort) => ({ page: { sort } })),
    ...includes.map((pattern) => ({ projection: { includes: pattern } })),
    ...excludes.map((pattern) => ({ projection: { excludes: pattern } })),
    ...geometries.map((returned_geometries) => ({ returned_geometries })),
    ...filtered({ page: { size: 9, sort: 'id' } }),
  ]
}

function tagBodies(filtered: (more: object) => readonly object[]): readonly unknown[] {
  const tag = { path: 'seen', value: 'x' }
  return [
    { tag },
    ...fields.map((path) => ({ tag: { path, value: 7 } })),
    ...fields.map((path) => ({ tag: { path } })),
    ...fields.map((field) => ({ tag, propagation: { field } })),
    ...filters.map((filter) => ({ tag, propagation: { field: 'seen', filter } })),
    ...filtered({ tag }),
    ...filtered({}).map((search) => ({ tag, search })),
    ...sorts.map((sort) => ({ tag, search: { page: { sort } } })),
    ...includes.map((pattern) => ({ tag, search: { projection: { includes: pattern } } })),
    ...excludes.map((pattern) => ({ tag, search: { projection: { excludes: pattern } } })),
    ...geometries.map((returned_geometries) => ({ tag, search: { returned_geometries } })),
  ]
}

const subscription = (hits: object, collections: readonly string[] = ['shared']) => ({
  created_by: 'ann',
  active: true,
  starts_at: 0,
  expires_at: 4_000_000_000,
  title: 'a subscription',
  subscription: { callback: 'https://hooks.example.com/x', trigger: { collections, event: ['UPDATE'] }, hits },
})

const subscriptionBodies = [
  subscription({}),
  subscription({}, ['private']),
  subscription({}, ['nowhere']),
  ...triplets.map((text) => subscription({ filter: `f=${encodeURIComponent(text)}` })),
  ...words.map((text) => subscription({ filter: `q=${encodeURIComponent(text)}` })),
  ...includes.map((text) => subscription({ projection: `include=${encodeURIComponent(text)}` })),
  ...geometries.map((text) => subscription({ projection: `returned_geometries=${encodeURIComponent(text)}` })),
]

const eventBodies = ['shared', 'private', 'nowhere'].map((collection) => ({
  id: `event-${collection}`,
  event: 'UPDATE',
  collection,
  object: { id: 'B1' },
}))
