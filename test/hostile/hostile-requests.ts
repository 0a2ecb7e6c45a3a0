import { gzipSync } from 'node:zlib'
import type { Call } from '../support/http-client.ts'
import { comb, crowd, polygon, sieve, star, tangle } from './hostile-shapes.ts'

/** Requests that are cheap to send and are or were expensive to execute. `crowd` is the collection they use. */
type HostileRequest = readonly [name: string, request: Call]

const MB = 1_000_000
const COLLECTION = '/explore/crowd'
const JSON_TYPE = { 'content-type': 'application/json' }
const LINES = { 'content-type': 'application/x-ndjson' }

/** Returns a request with a compressed body, as an attacker would send it. */
const zipped = (path: string, body: string | Buffer, type = JSON_TYPE): Call => ({
  method: 'POST',
  path,
  headers: { ...type, 'content-encoding': 'gzip' },
  body: gzipSync(body),
})
const post = (operation: string, body: unknown): Call => ({
  method: 'POST',
  path: `${COLLECTION}/${operation}`,
  headers: JSON_TYPE,
  body: typeof body === 'string' ? body : JSON.stringify(body),
})
const get = (operation: string, query: string): Call => ({ path: `${COLLECTION}/${operation}?${query}` })
const encoded = (name: string, value: string): string => `${name}=${encodeURIComponent(value)}`

const list = <T>(count: number, item: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => item(i))
const word = (i: number): string =>
  (i * 7919 + 1234567).toString(26).replace(/\d/g, (d) => 'qrstuvwxyz'.charAt(Number(d)))
const words = (count: number, end = '', separator = ' | '): string => list(count, (i) => word(i) + end).join(separator)

const f = (...group: readonly (readonly [string, string, string])[]) => ({
  filter: { f: [group.map(([field, op, value]) => ({ field, op, value }))] },
})
const q = (text: string) => ({ filter: { q: [[text]] } })
const agg = (aggregation: object, count = 1) => ({ aggregations: list(count, () => aggregation) })
const within = (...areas: readonly string[]) => f(...areas.map((area) => ['where', 'within', area] as const))

const bodies: readonly HostileRequest[] = [
  ['16 MB of one word in q', zipped(`${COLLECTION}/_count`, JSON.stringify(q('a'.repeat(16 * MB))))],
  ['1.9 MB of one word in q', post('_count', q('a'.repeat(1.9 * MB)))],
  ['1.9 MB of words in q', post('_count', q('ab '.repeat(600_000)))],
  ['brackets in q', post('_count', q('('.repeat(60_000)))],
  ['brackets that close in q', post('_count', q('(a '.repeat(20_000) + ')'.repeat(20_000)))],
  ['quotes in q', post('_count', q('"a'.repeat(30_000)))],
  ['dashes in q', post('_count', q('-'.repeat(60_000)))],
  ['5.3 million empty groups', zipped(`${COLLECTION}/_count`, `{"filter":{"f":[${'[],'.repeat(5.3 * MB)}[]]}}`)],
  ['45,000 empty groups', post('_count', { filter: { f: list(45_000, () => []), q: [] } })],
  ['45,000 empty texts', post('_count', { filter: { q: list(45_000, () => ['']) } })],
  [
    'a sort of 4 million items',
    zipped(`${COLLECTION}/_search`, JSON.stringify({ page: { sort: 'id,'.repeat(4 * MB) } })),
  ],
  ['a sort of 600,000 items', post('_search', { page: { sort: 'a,'.repeat(600_000) } })],
  ['a sort of 20,000 fields', post('_search', { page: { sort: `${'id,'.repeat(20_000)}id` } })],
  ['1.3 million unknown keys', zipped(`${COLLECTION}/_count`, `{${list(1.3 * MB, (i) => `"k${i}":1`).join(',')}}`)],
  ['30,000 unknown keys', post('_count', `{${list(30_000, (i) => `"k${i}":1`).join(',')}}`)],
  ['an unknown key of 5 MB', zipped(`${COLLECTION}/_count`, `{"${'k'.repeat(5 * MB)}":1}`)],
  ['an unknown key of 1 MB', post('_count', `{"filter":{"${'k'.repeat(MB)}":1}}`)],
  ['a million levels', post('_count', '['.repeat(MB))],
  ['a number of a million digits', post('_search', `{"page":{"size":${'9'.repeat(MB)}}}`)],
  ['escapes', post('_count', `{"filter":{"q":[["${'\\u0000'.repeat(300_000)}"]]}}`)],
  ['blanks', zipped(`${COLLECTION}/_count`, ' '.repeat(16 * MB))],
  ['zeros to a count', zipped(`${COLLECTION}/_count`, Buffer.alloc(200 * MB))],
  ['zeros to a load', zipped('/index/crowd/_bulk', Buffer.alloc(200 * MB), LINES)],
  ['gzip in gzip', zipped(`${COLLECTION}/_count`, gzipSync(gzipSync(Buffer.alloc(50 * MB))))],
  ['30,000 partition filters', post('_count', { partitionFilter: list(30_000, () => ({})) })],
  ['10,000 aggregations', post('_aggregate', agg({ type: 'term', field: 'kind' }, 10_000))],
  [
    '20,000 metrics',
    post(
      '_aggregate',
      agg({ type: 'term', field: 'kind', metrics: list(20_000, () => ({ collect_field: 'n', collect_fct: 'avg' })) }),
    ),
  ],
  [
    '20,000 raw geometries',
    post(
      '_aggregate',
      agg({ type: 'term', field: 'kind', raw_geometries: list(20_000, () => ({ geometry: 'where' })) }),
    ),
  ],
  ['an include of 30,000 patterns', post('_search', { projection: { includes: 'a*b*,'.repeat(30_000) } })],
  ['an exclude of one long pattern', post('_search', { projection: { excludes: 'a*'.repeat(100_000) } })],
  ['300,000 returned geometries', post('_geosearch', { returned_geometries: 'where,'.repeat(300_000) })],
]

const filters: readonly HostileRequest[] = [
  ['9,999 ranges', post('_count', f(['n', 'range', list(9_999, (i) => `[${i * 3}<${i * 3 + 1}]`).join(',')]))],
  ['4,900 ranges', post('_count', f(['n', 'range', list(4_900, (i) => `[${i * 3}<${i * 3 + 1}]`).join(',')]))],
  ['10,000 words', post('_count', q(`text:${words(9_990)}`))],
  ['10,000 words in any field', post('_count', q(words(9_990)))],
  ['3,000 fuzzy words', post('_count', q(`text:${words(3_000, '~')}`))],
  ['200 fuzzy words', post('_count', q(`text:${words(200, '~')}`))],
  [
    '200 fuzzy long words',
    post('_count', q(`text:${list(200, (i) => `${word(i)}${word(i + 1)}${word(i + 2)}${word(i + 3)}~`).join(' | ')}`)),
  ],
  ['9,000 prefixes', post('_count', q(`text:${words(9_000, '*')}`))],
  [
    '1,000 sloppy phrases',
    post('_count', q(`text:${list(1_000, (i) => `"${word(i)} ${word(i + 1)}"~9`).join(' | ')}`)),
  ],
  ['5,000 patterns', post('_count', f(...list(5_000, (i) => ['owner', 'like', `${word(i)}.*x`] as const)))],
  ['900 patterns', post('_count', f(...list(900, (i) => ['owner', 'like', `(${word(i)}|.*)*x`] as const)))],
  ['a pattern of counts in counts', post('_count', f(['owner', 'like', '(((a{1,30}){1,30}){1,30}){1,30}']))],
  [
    'a list of 10,000 values',
    post('_count', f(['owner', 'eq', list(9_999, (i) => word(i) + 'y'.repeat(150)).join(',')])),
  ],
  ['a list of 400,000 values', post('_count', f(['owner', 'eq', list(400_000, (i) => String(i)).join(',')]))],
  ['10,000 dates with arithmetic', post('_count', f(...list(9_999, (i) => ['at', 'gt', `now-${i}d/d+1h`] as const)))],
  ['a date with 20,000 steps', post('_count', f(['at', 'gt', `now${'+1d'.repeat(20_000)}`]))],
  [
    'a date format of 1 MB',
    post('_count', { filter: { ...f(['at', 'gt', '1']).filter, dateformat: 'yyyy'.repeat(250_000) } }),
  ],
  ['a URL of filters', get('_count', list(3_000, (i) => `f=n:eq:${i}`).join('&'))],
  ['9,000 parameters', get('_count', list(9_000, (i) => `p${i}=1`).join('&'))],
  ['a suggestion of 60,000 characters', get('_suggest', encoded('q', 'a'.repeat(60_000)))],
  [
    'a column filter of 15,000 patterns',
    { path: `${COLLECTION}/_count`, headers: { 'column-filter': 'a*b,'.repeat(15_000) } },
  ],
  [
    'a partition filter of 50,000 characters',
    { path: `${COLLECTION}/_count`, headers: { 'partition-filter': `{"q":[["${'ab '.repeat(16_000)}"]]}` } },
  ],
]

const spiky = polygon(star(4_990))
const areas: readonly HostileRequest[] = [
  ['a star', post('_count', within(spiky))],
  ['forty stars', post('_count', within(...list(40, (i) => polygon(star(4_900 + i)))))],
  ['a comb', post('_count', within(polygon(comb(4_900))))],
  [
    'the complement of a comb',
    post('_count', { filter: { ...within(polygon(comb(4_900))).filter, righthand: false } }),
  ],
  ['a tangle', post('_count', within(polygon(tangle(4_991))))],
  ['a sieve', post('_count', within(sieve(1_200)))],
  ['a crowd of triangles', post('_count', within(crowd(1_200)))],
  ['a star, drawn', get('_geosearch', `${encoded('f', `where:within:${polygon(star(900))}`)}&size=1000`)],
  ['a star as gintersect', post('_count', { filter: { gintersect: list(20, () => spiky) } })],
  [
    'a star in a trigger',
    {
      method: 'POST',
      path: '/subscriptions',
      headers: JSON_TYPE,
      body: JSON.stringify({
        created_by: 'x',
        active: true,
        title: 'x',
        subscription: {
          callback: 'http://127.0.0.1:9/',
          trigger: { geometry: spiky, event: 'UPDATE', job: 'x' },
          hits: { filter: '', projection: '' },
        },
      }),
    },
  ],
  ['H3 cells of the finest grid', get('_aggregate', 'agg=geohex:where:interval-15')],
  ['H3 cells of every document', get('_geoaggregate', 'agg=geohex:where:interval-8')],
  ['tiles of the finest grid', get('_geoaggregate', 'agg=geotile:where:interval-29')],
  ['geohashes of the finest grid', get('_geoaggregate', 'agg=geohash:where:interval-12')],
]

const buckets: readonly HostileRequest[] = [
  ['a histogram of endless buckets', get('_aggregate', 'agg=histogram:n:interval-0.0000001')],
  ['a histogram of seconds', get('_aggregate', 'agg=datehistogram:at:interval-1second')],
  [
    'terms in terms in terms',
    get('_aggregate', list(5, (i) => `agg=term:${i % 2 === 0 ? 'id' : 'owner'}:size-65535`).join('&')),
  ],
  ['documents of every bucket', get('_aggregate', 'agg=term:owner:size-5000:fetch_hits-100')],
  ['all documents at once', get('_search', 'size=10000')],
  ['the last page', get('_search', 'size=10&from=2147483000')],
  ['CSV', get('_search', 'format=csv')],
  ['GeoJSON lines', get('_search', 'format=geojsonl')],
  ['GeoParquet', get('_search', 'format=geoparquet')],
  ['FlatGeobuf', get('_search', 'format=flatgeobuf')],
  ['a shapefile', get('_shapesearch', 'size=10000')],
]

const collection = {
  index_name: 'crowd',
  id_path: 'id',
  geometry_path: 'where',
  centroid_path: 'where',
  timestamp_path: 'at',
}
const writes: readonly HostileRequest[] = [
  [
    'a collection with 40,000 names of fields',
    {
      method: 'PUT',
      path: '/collections/hostile',
      headers: JSON_TYPE,
      body: JSON.stringify({
        ...collection,
        display_names: { fields: Object.fromEntries(list(40_000, (i) => [`f${i}`, 'x'])) },
      }),
    },
  ],
  [
    'a mapping of 20,000 fields',
    {
      method: 'PUT',
      path: '/index/hostile-mapping',
      headers: JSON_TYPE,
      body: JSON.stringify({
        mappings: { properties: Object.fromEntries(list(20_000, (i) => [`f${i}`, { type: 'keyword' }])) },
      }),
    },
  ],
  [
    'a document of 20,000 fields',
    {
      method: 'POST',
      path: '/index/hostile-documents/_doc',
      headers: JSON_TYPE,
      body: JSON.stringify({ id: 'wide', ...Object.fromEntries(list(20_000, (i) => [`g${i}`, i])) }),
    },
  ],
  [
    'an import of 16 MB',
    { method: 'POST', path: '/collections/_import', headers: JSON_TYPE, body: `[${'{},'.repeat(5 * MB)}{}]` },
  ],
  ['a load of one line', zipped('/index/crowd/_bulk', `{"index":{}}\n{"id":"${'x'.repeat(50 * MB)}"}\n`, LINES)],
  ['a load of nothing but lines', zipped('/index/crowd/_bulk', '\n'.repeat(20 * MB), LINES)],
  ['a load of broken lines', zipped('/index/crowd/_bulk', '{"index":{}}\n{\n'.repeat(200_000), LINES)],
  [
    'a batch of 5,000 events',
    { method: 'POST', path: '/events', headers: JSON_TYPE, body: JSON.stringify({ events: list(5_000, () => ({})) }) },
  ],
  [
    'a tag of 900,000 characters',
    {
      method: 'POST',
      path: '/write/crowd/_tag',
      headers: JSON_TYPE,
      body: JSON.stringify({ search: { filter: {} }, tag: { path: 'kind', value: 'v'.repeat(900_000) } }),
    },
  ],
]

export const hostileRequests: readonly HostileRequest[] = [...bodies, ...filters, ...areas, ...buckets, ...writes]
