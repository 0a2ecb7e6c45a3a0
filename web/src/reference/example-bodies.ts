import type { NamedOperation } from './operations.ts'
import type { Sample } from './sample.ts'

/** The index and the collection that examples create and change. Nothing else is changed by an example, except the one below. */
export const OWN = 'example-harbours'

/** The index that examples load a file into, and that replaces the other one. */
export const LOADED = 'example-upload'

const PROPERTIES = {
  id: { type: 'keyword' },
  time: { type: 'date' },
  place: { type: 'geo_point' },
  tags: { type: 'keyword' },
}
const DOCUMENT = { id: 'a', time: '2024-05-01T00:00:00Z', place: '48.1,11.5' }
const FILE = 'id,time,place\na,2024-05-01T00:00:00Z,"48.1,11.5"\nb,2024-05-02T00:00:00Z,"43.3,5.4"\n'
const REFERENCE = {
  index_name: OWN,
  id_path: 'id',
  timestamp_path: 'time',
  geometry_path: 'place',
  centroid_path: 'place',
  taggable_fields: 'tags',
}
const TAG = { tag: { path: 'tags', value: 'seen' } }

const SUBSCRIPTION = {
  ...{ created_by: 'ann', active: true, starts_at: 0, expires_at: 2145913200, title: 'Example' },
  subscription: {
    trigger: { collections: [OWN], event: ['UPDATE'] },
    callback: 'https://hooks.example.com/periplus',
    hits: { filter: 'f=id:eq:a' },
  },
}

const bulkLines = (index: object): string =>
  `${JSON.stringify({ index: { ...index, _id: 'a' } })}\n${JSON.stringify(DOCUMENT)}\n`

type Body = object | string

/** Bodies of operations that change something, by the end of the path. */
const CHANGES: readonly (readonly [pattern: RegExp, body: Body])[] = [
  [/^put \/collections\/\{collection\}$/, REFERENCE],
  [/\/collections\/_import$/, [{ collection_name: OWN, params: REFERENCE }]],
  [/\/organisations$/, { shared: ['example.org'], public: true }],
  [/\/display_names\/collection$/, '"Harbours"'],
  [/\/display_names\/\w+$/, { id: 'Name' }],
  [/^put \/index\/\{index\}$/, { mappings: { properties: PROPERTIES } }],
  [/\/_mapping$/, { properties: { kind: { type: 'keyword' } } }],
  [/\/index\/_mget$/, { docs: [{ _index: OWN, _id: 'a' }] }],
  [/\/index\/_bulk$/, bulkLines({ _index: OWN })],
  [/\/_bulk$/, bulkLines({})],
  [/\/_doc(\/\{id\})?$/, DOCUMENT],
  [/\/_(un)?tag$/, TAG],
  [/\/subscriptions(\/\{id\})?$/, SUBSCRIPTION],
  [/\/secret$/, '{}'],
  [/^(post|put) \/load/, FILE],
  [/^post \/events$/, { collection: OWN, event: 'UPDATE', object: { id: 'a' } }],
]

/** The body of an example as text, with its media type; undefined for operations without a body. */
export function bodyOf(
  { method, path, requestBody }: NamedOperation,
  sample: Sample | undefined,
): { readonly type: string; readonly text: string } | undefined {
  const type = Object.keys(requestBody?.content ?? {})[0]
  if (type === undefined) return undefined
  const stated = requestBody?.content[type]?.example
  const own = CHANGES.find(([pattern]) => pattern.test(`${method} ${path}`))?.[1]
  const body = own ?? (sample === undefined ? undefined : bodyAbout(path, sample)) ?? stated ?? ''
  return { type, text: typeof body === 'string' ? body : JSON.stringify(body, null, 2) }
}

/** Bodies of searches, about the documents of the sample. */
function bodyAbout(path: string, { collection, number, term, centroidPath, datePath }: Sample): object | undefined {
  const filter =
    number === undefined ? {} : { filter: { f: [[{ field: number.path, op: 'gte', value: String(number.value) }]] } }
  if (path.startsWith('/stac/')) return itemsOf(path, collection)
  if (!path.startsWith('/explore/')) return undefined
  if (/_(geo|shape)aggregate$/.test(path)) {
    const cells = { type: 'geotile', field: centroidPath, interval: { value: 4 }, aggregated_geometries: ['cell'] }
    return { ...filter, aggregations: [cells] }
  }
  if (path.endsWith('/_aggregate')) {
    const days = { type: 'datehistogram', field: datePath, interval: { value: 1, unit: 'day' } }
    return { ...filter, aggregations: [term === undefined ? days : { type: 'term', field: term.path, size: '5' }] }
  }
  if (path.endsWith('/_compute')) return { ...filter, field: number?.path ?? datePath, metric: 'MAX' }
  if (path.endsWith('/_count')) return filter
  return { ...filter, page: { size: 3, sort: `-${datePath}` } }
}

function itemsOf(path: string, collection: string): object {
  const chosen = path.includes('{collection}') ? {} : { collections: [collection] }
  return { ...chosen, ...(path.endsWith('/aggregate') ? { aggregations: ['total_count'] } : { limit: 3 }) }
}
