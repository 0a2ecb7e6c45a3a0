import fc from 'fast-check'
import { queryText } from '../support/http-client.ts'

/** Values that commonly break parsers. */
const nasty = fc.constantFrom(
  '',
  ' ',
  '-1',
  '0',
  '2147483648',
  '1e999',
  'NaN',
  'null',
  'true',
  '\u0000',
  'a\u0000b',
  "' OR 1=1 --",
  '"',
  '\\',
  '\\N',
  '%',
  '%s',
  '$'.concat('{x}'),
  '[<]',
  '[a<',
  ']1<2[',
  '{}',
  '[[]]',
  '(',
  '((((((((((',
  '*',
  '[a-',
  'a{1000000}',
  '(a+)+$',
  'now/',
  'now||',
  '0||+1y/',
  '99999999999999999999||+9y',
  'now+999999999999y',
  'POLYGON((',
  'POLYGON((0 0,1 1,0 0))',
  'POINT(1e400 0)',
  'POINT EMPTY',
  '180,90,-180,-90',
  '0,0,0,0,0',
  'GEOMETRYCOLLECTION(GEOMETRYCOLLECTION(POINT(0 0)))',
  '$timestamp',
  'geodistance:0 0',
  'geodistance:x y',
  '__proto__',
  'constructor.prototype',
  '../../etc/passwd',
  '\ud83d\ude00',
  '\uffff',
  'x'.repeat(3000),
  ','.repeat(500),
  ';'.repeat(500),
  ':'.repeat(500),
)
export const text = fc.oneof(
  { weight: 3, arbitrary: nasty },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
)

export const field = fc.oneof(
  fc.constantFrom(
    'id',
    'label',
    'flag',
    'score',
    'rank',
    'seen',
    'note.body',
    'note',
    'place.where',
    'place.shape',
    '$timestamp',
  ),
  text,
)
const operator = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.constantFrom('eq', 'ne', 'like', 'gte', 'gt', 'lte', 'lt', 'range', 'within', 'intersects'),
  },
  { weight: 1, arbitrary: text },
)
const triplet = fc.tuple(field, operator, text).map((parts) => parts.join(':'))

const parameters: Readonly<Record<string, fc.Arbitrary<string>>> = {
  f: triplet,
  q: fc.oneof(
    text,
    fc.tuple(field, text).map((p) => p.join(':')),
  ),
  dateformat: fc.oneof(text, fc.constantFrom('yyyy', "yyyy'", 'QQQ', 'epoch_millis', 'yyyy||MM')),
  righthand: text,
  gwithin: text,
  notgintersect: text,
  pwithin: text,
  sort: fc.oneof(
    text,
    fc.array(field, { maxLength: 3 }).map((l) => l.join(',')),
  ),
  after: text,
  before: text,
  size: text,
  from: text,
  include: text,
  exclude: text,
  returned_geometries: fc.oneof(text, field),
  flat: text,
  pretty: text,
  'max-age-cache': text,
  checkfields: text,
}

export const query = fc
  .array(
    fc
      .constantFrom(...Object.keys(parameters))
      .chain((name) => (parameters[name] ?? text).map((value) => [name, value] as const)),
    { maxLength: 4 },
  )
  .map(queryText)

/** A path segment as a careless client may send it. */
export const segment = fc.oneof(
  text.map(encodeURIComponent),
  fc.constantFrom('%', '%ff', '%zz', '%00', '..', '.', '%2e%2e', '*'),
)
export const name = fc.oneof({ weight: 4, arbitrary: fc.constant('edge') }, { weight: 1, arbitrary: segment })

export const explorePath = fc.oneof(
  fc.tuple(name, fc.constantFrom('_search', '_geosearch', '_count', '_describe')).map(([c, o]) => `/explore/${c}/${o}`),
  fc.tuple(name, segment).map(([c, id]) => `/explore/${c}/${id}`),
  fc.tuple(name, segment, segment, segment).map(([c, z, x, y]) => `/explore/${c}/_geosearch/${z}/${x}/${y}`),
  fc.constantFrom('/explore/_list', '/collections', '/collections/_export', '/arlas/explore/_list'),
  segment.map((s) => `/collections/${s}`),
  segment.map((s) => `/${s}`),
)

/** Arbitrary JSON. */
export const anyJson = fc.jsonValue({ maxDepth: 4 })
/** JSON that looks like a request, with arbitrary values. */
export const searchBody = fc.record(
  {
    filter: fc.oneof(
      fc.record(
        {
          f: fc.oneof(
            fc.array(
              fc.array(fc.record({ field, op: operator, value: text }, { requiredKeys: [] }), { maxLength: 2 }),
              { maxLength: 2 },
            ),
            anyJson,
          ),
          q: fc.oneof(fc.array(fc.array(text)), anyJson),
          dateformat: fc.oneof(text, anyJson),
          righthand: fc.oneof(fc.boolean(), anyJson),
          gintersect: fc.oneof(fc.array(text, { maxLength: 2 }), anyJson),
          notpwithin: fc.oneof(fc.array(text, { maxLength: 2 }), anyJson),
        },
        { requiredKeys: [] },
      ),
      anyJson,
    ),
    partitionFilter: anyJson,
    page: fc.oneof(
      fc.record(
        {
          size: anyJson,
          from: anyJson,
          sort: fc.oneof(text, anyJson),
          after: fc.oneof(text, anyJson),
          before: anyJson,
        },
        { requiredKeys: [] },
      ),
      anyJson,
    ),
    projection: fc.oneof(fc.record({ includes: text, excludes: text }, { requiredKeys: [] }), anyJson),
    form: anyJson,
    returned_geometries: fc.oneof(text, anyJson),
    unknown: anyJson,
  },
  { requiredKeys: [] },
)
export const rawBody = fc.oneof(
  { weight: 5, arbitrary: searchBody.map((b) => JSON.stringify(b)) },
  { weight: 2, arbitrary: anyJson.map((b) => JSON.stringify(b)) },
  { weight: 1, arbitrary: text },
)

/** Names that no fixture uses, so that garbage requests can replace what they create. */
const freeName = segment.filter((s) => !s.startsWith('edge') && !['..', '.', '%2e%2e'].includes(s))
const referenceBody = fc
  .record({
    index_name: fc.constantFrom('edge', '*', 'nowhere'),
    extra: fc.dictionary(text, anyJson),
    inspire: anyJson,
    filter: anyJson,
  })
  .map(({ extra, ...own }) =>
    JSON.stringify({
      ...extra,
      id_path: 'id',
      geometry_path: 'place.shape',
      centroid_path: 'place.where',
      timestamp_path: 'seen',
      ...own,
    }),
  )
export const writes = fc.oneof(
  fc
    .tuple(freeName, fc.oneof(rawBody, referenceBody))
    .map(([n, body]) => ({ method: 'PUT', path: `/collections/${n}`, body })),
  fc
    .tuple(freeName, fc.constantFrom('organisations', 'display_names/collection', 'display_names/fields'), rawBody)
    .map(([n, m, body]) => ({
      method: 'PATCH',
      path: `/collections/${n}/${m}`,
      body,
    })),
  freeName.map((n) => ({ method: 'DELETE', path: `/collections/${n}` })),
  rawBody.map((body) => ({ method: 'POST', path: '/collections/_import', body })),
  fc.tuple(freeName, rawBody).map(([n, body]) => ({ method: 'PUT', path: `/index/${n}`, body })),
  fc.tuple(freeName, rawBody).map(([n, body]) => ({ method: 'POST', path: `/index/${n}/_bulk`, body })),
  rawBody.map((body) => ({ method: 'POST', path: '/index/edge/_bulk', body })),
  fc
    .array(
      fc.oneof(
        rawBody,
        anyJson.map((j) => `{"index":{"_id":"x"}}\n${JSON.stringify(j)}`),
      ),
      { maxLength: 4 },
    )
    .map((lines) => ({
      method: 'POST',
      path: '/index/scratch/_bulk',
      body: `${lines.join('\n')}\n`,
    })),
)
