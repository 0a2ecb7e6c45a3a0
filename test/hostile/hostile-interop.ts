import type { Call } from '../support/http-client.ts'
import { star } from './hostile-shapes.ts'

/** Requests of OGC API and STAC API that are cheap to send and could be expensive to execute. */
type HostileRequest = readonly [name: string, request: Call]

const list = <T>(count: number, item: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => item(i))
const encoded = (name: string, value: string): string => `${name}=${encodeURIComponent(value)}`
const search = (body: object): Call => ({ method: 'POST', path: '/stac/search', body })
const aggregate = (body: object): Call => ({ method: 'POST', path: '/stac/aggregate', body })
const items = (query: string): Call => ({ path: `/ogc/collections/crowd/items?${query}` })

const equal = (value: number) => ({ op: '=', args: [{ property: 'n' }, value] })
const nested = (depth: number): object =>
  depth === 0 ? equal(1) : { op: depth % 2 === 0 ? 'and' : 'not', args: [nested(depth - 1)] }
const ring = star(4_990)
const spiky = { type: 'Polygon', coordinates: [[...ring, ring[0]]] }

const stac: readonly HostileRequest[] = [
  ['a search for 9,000 identifiers', search({ ids: list(9_000, (i) => `d${i}`), limit: 10_000 })],
  ['a search for 90,000 identifiers', search({ ids: list(90_000, String) })],
  ['a search of 90,000 collections', search({ collections: list(90_000, (i) => `c${i}`) })],
  ['9,000 conditions in CQL2', search({ filter: { op: 'or', args: list(9_000, equal) } })],
  // As large as a body may be, so that it is read.
  ['190,000 levels of CQL2', { method: 'POST', path: '/stac/search', body: '{"filter":'.repeat(190_000) }],
  ['a deep filter', search({ filter: nested(500) })],
  [
    '9,000 patterns',
    search({
      filter: { op: 'or', args: list(900, (i) => ({ op: 'like', args: [{ property: 'owner' }, `%${i}%_%`] })) },
    }),
  ],
  ['a query of 30,000 names', search({ query: Object.fromEntries(list(30_000, (i) => [`f${i}`, { eq: i }])) })],
  ['a query of 30,000 values', search({ query: { n: { in: list(30_000, (i) => i) } } })],
  ['a star that intersects', search({ intersects: spiky })],
  ['a search for 9,000 texts', search({ q: list(9_000, (i) => `word${i}`) })],
  ['9,000 fields', search({ limit: 1_000, fields: { include: list(9_000, (i) => `properties.f${i}.g`) } })],
  ['9,000 excluded fields', search({ limit: 1_000, fields: { exclude: list(9_000, (i) => `properties.f${i}`) } })],
  ['an order of 9,000 names', search({ sortby: list(9_000, () => ({ field: 'n', direction: 'asc' })) })],
  ['an order of 9,000 unknown names', search({ sortby: list(9_000, (i) => ({ field: `f${i}` })) })],
  ['all items at once', search({ limit: 10_000 })],
  [
    'a token of 9,000 collections',
    search({
      token: Buffer.from(JSON.stringify(['x', Object.fromEntries(list(9_000, (i) => [`c${i}`, 'a']))])).toString(
        'base64url',
      ),
    }),
  ],
  ['a long token', search({ token: 'a'.repeat(60_000) })],
  [
    'every second of all items',
    aggregate({ aggregations: ['datetime_frequency'], datetime_frequency_interval: 'second' }),
  ],
  [
    'the finest grids of all items',
    aggregate({
      aggregations: ['geometry_geohash_grid_frequency', 'geometry_geotile_grid_frequency'],
      geometry_geohash_grid_frequency_precision: 12,
      geometry_geotile_grid_frequency_precision: 29,
    }),
  ],
  ['9,000 aggregations', aggregate({ aggregations: list(9_000, () => 'total_count') })],
  ['9,000 unknown aggregations', aggregate({ aggregations: list(9_000, (i) => `f${i}_stats`) })],
]

const ogc: readonly HostileRequest[] = [
  ['a page of all features', items('limit=10000')],
  ['a filter of 60,000 characters', items(encoded('filter', 'n=1 OR '.repeat(2_500).concat('n=1')))],
  ['brackets in a filter', items(encoded('filter', '('.repeat(10_000)))],
  ['negations in a filter', items(encoded('filter', 'NOT '.repeat(5_000).concat('n=1')))],
  ['an order of 5,000 features', items(`sortby=${'n,'.repeat(5_000)}id`)],
  ['5,000 properties of features', items(`properties=${'n,'.repeat(5_000)}id&limit=1000`)],
  ['a box of 9,000 numbers', items(`bbox=${'1,'.repeat(9_000)}1`)],
  ['3,000 values of a property', items(list(3_000, (i) => `n=${i}`).join('&'))],
  ['a tile of everything', { path: '/ogc/collections/crowd/tiles/WebMercatorQuad/0/0/0' }],
  ['a picture of everything', { path: '/ogc/collections/crowd/tiles/WebMercatorQuad/0/0/0?f=png' }],
]

const find = (body: object | string): Call => ({
  method: 'POST',
  path: '/index/crowd/_search',
  headers: { 'content-type': 'application/json' },
  body,
})
const bool = (depth: number): object => (depth === 0 ? { term: { n: 1 } } : { bool: { must_not: [bool(depth - 1)] } })
const grids = (depth: number): object => ({
  grid: { geohash_grid: { field: 'place', precision: 12 }, ...(depth === 0 ? {} : { aggs: grids(depth - 1) }) },
})
const some = list(24, (i) => ({ term: { n: i } }))

const elasticsearch: readonly HostileRequest[] = [
  ['90,000 terms', find({ query: { terms: { n: list(90_000, (i) => i) } } })],
  ['9,000 clauses', find({ query: { bool: { should: list(9_000, (i) => ({ term: { n: i } })) } } })],
  ['a bool of 90 levels', find({ query: bool(90) })],
  [
    'a bool of 5,000 levels',
    // Deeper than JSON.stringify prints in a test process.
    find(`{"query":${'{"bool":{"must_not":['.repeat(5_000)}{"term":{"n":1}}${']}}'.repeat(5_000)}}`),
  ],
  ['12 clauses of 24', find({ query: { bool: { should: some, minimum_should_match: 12 } } })],
  ['9,000 wildcards', find({ query: { bool: { should: list(900, (i) => ({ wildcard: { owner: `*${i}*?*` } })) } } })],
  ['a long regular expression', find({ query: { regexp: { owner: '(a|b)*'.repeat(150) } } })],
  ['brackets in a query string', find({ query: { query_string: { query: '('.repeat(900_000) } } })],
  ['900,000 words', find({ query: { query_string: { query: 'a '.repeat(900_000) } } })],
  ['a long word', find({ query: { query_string: { query: 'a'.repeat(1_800_000) } } })],
  ['quotes in a query string', find({ query: { simple_query_string: { query: '"'.repeat(900_000) } } })],
  ['words in all fields', find({ query: { multi_match: { query: 'word '.repeat(9_000), fields: ['*'] } } })],
  ['9,000 names of fields', find({ query: { multi_match: { query: 'a', fields: list(9_000, (i) => `*${i}*`) } } })],
  ['a star', find({ query: { geo_shape: { place: { shape: spiky } } } })],
  [
    '20 circles',
    find({ query: { bool: { should: list(20, (i) => ({ geo_distance: { distance: `${i}00km`, place: [i, i] } })) } } }),
  ],
  ['a page of everything', find({ size: 10_000, sort: list(32, () => 'n') })],
  ['an order of 9,000 names', find({ sort: list(9_000, () => 'n') })],
  ['a deep page', find({ from: 9_000_000, size: 10 })],
  ['900 patterns of members', find({ size: 1_000, _source: list(900, (i) => `*${i}*.b`) })],
  ['9,000 patterns of fields', find({ size: 1_000, fields: list(9_000, (i) => `*${i}`) })],
  ['the finest grids in each other', find({ size: 0, aggs: grids(4) })],
  [
    '9,000 aggregations',
    find({ size: 0, aggs: Object.fromEntries(list(9_000, (i) => [`a${i}`, { max: { field: 'n' } }])) }),
  ],
  ['a histogram of empty buckets', find({ size: 0, aggs: { n: { histogram: { field: 'n', interval: 1e-9 } } } })],
  [
    'all terms with filters in them',
    find({
      size: 0,
      aggs: {
        ids: {
          terms: { field: 'id', size: 65_535 },
          aggs: { some: { filters: { filters: list(40, (i) => ({ term: { n: i } })) } } },
        },
      },
    }),
  ],
  ['a path with patterns', { path: `/index/crowd/_search?size=1000&filter_path=${'**.a*b*.'.repeat(15)}c` }],
  ['9,000 paths', { path: `/index/crowd/_search?filter_path=${'a.b,'.repeat(9_000)}c` }],
]

export const interopRequests: readonly HostileRequest[] = [...stac, ...ogc, ...elasticsearch]
