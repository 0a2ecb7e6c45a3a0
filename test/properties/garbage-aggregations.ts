import fc from 'fast-check'
import { queryText } from '../support/http-client.ts'
import { anyJson, field, name, query, searchBody, segment, text } from './garbage-requests.ts'

const type = fc.constantFrom('datehistogram', 'histogram', 'term', 'geohash', 'geotile', 'geohex', 'TERM', 'spanning')
const fct = fc.constantFrom('avg', 'cardinality', 'max', 'min', 'sum', 'geobbox', 'geocentroid', 'spanning', 'AVG')
const form = fc.constantFrom('bbox', 'centroid', 'cell', 'cell_center', 'geohash', 'CELLCENTER', 'raw')
const interval = fc.constantFrom(
  ...['1', '3', '0', '-1', '29', '30', '12', '2.5', '1e300', '1e-300', '5e-324', 'Infinity', '1day', '1year', '2year'],
  ...['0day', '1.5day', 'day', '99999999999day', '2147483647day', '1DAY', '1 day', '1000000second', '1second'],
)
const size = fc.constantFrom('1', '0', '-1', '65535', '65536', '99999999999999999999', '1.0', '1e2', 'x')
const list = fc.array(fc.tuple(fc.constantFrom('', '+', '-', '--', ' '), field), { maxLength: 3 }).map((items) => {
  const inside = items.map((i) => i.join('')).join(',')
  return `(${inside})`
})
const brackets = fc.constantFrom('', '()', '(', ')', '(()', '[]', '(,)', '(a;b)')

/** A part of an `agg`, mostly well-formed, so that garbage also passes the parser. */
const part = fc.oneof(
  { weight: 6, arbitrary: interval.map((v) => `interval-${v}`) },
  fc.oneof(text, fc.constantFrom('yyyy', 'HH:mm', "yyyy'", 'QQ', 'w')).map((v) => `format-${v}`),
  { weight: 3, arbitrary: fc.tuple(field, fct).map(([f, c]) => `collect_field-${f}:collect_fct-${c}`) },
  field.map((f) => `collect_field-${f}`),
  fct.map((c) => `collect_fct-${c}`),
  fc.constantFrom('order-asc', 'order-desc', 'order-up', 'order-'),
  fc.constantFrom('on-field', 'on-count', 'on-result', 'on-x', 'on-'),
  fc.constantFrom('order-asc:on-count', 'order-desc:on-field', 'order-asc:on-result'),
  fc.oneof(size, text).map((v) => `size-${v}`),
  text.map((v) => `include-${v}`),
  fc.array(fc.oneof(form, text), { maxLength: 3 }).map((l) => `aggregated_geometries-${l.join(',')}`),
  fc
    .array(fc.tuple(field, fc.oneof(list, brackets)), { maxLength: 2 })
    .map((l) => `raw_geometries-${l.map((p) => p.join('')).join(';')}`),
  fc
    .tuple(fc.constantFrom('1', '3', '', '0', '101', '-1', 'x'), fc.oneof(list, brackets))
    .map((p) => `fetch_hits-${p.join('')}`),
  fc.constantFrom('fetch_geometry', 'fetch_geometry-byDefault', 'fetch_geometry-bbox', 'fetch_geometry-geohash'),
  fc
    .tuple(fc.oneof(field, fc.constant('')), fc.constantFrom('first', 'last', '-first', '-last', 'FIRST', '-middle'))
    .map((p) => `fetch_geometry-${p.join('')}`),
  text,
)

const agg = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(type, field, fc.array(part, { maxLength: 4 })).map((p) => p.flat().join(':')) },
  { weight: 1, arbitrary: text },
)

const aggs = fc
  .array(agg, { minLength: 1, maxLength: 3 })
  .map((list) => queryText(list.map((a) => ['agg', a] as const)))
const figure = fc
  .record({ field, metric: fc.oneof({ weight: 5, arbitrary: fct }, text) }, { requiredKeys: [] })
  .map((members) => queryText(Object.entries(members)))
const suggestion = fc
  .record({ field, q: text, size, from: size }, { requiredKeys: [] })
  .map((members) => queryText(Object.entries(members)))

const hash = fc.oneof(segment, fc.constantFrom('s', 'S0', 'ezs42', 'a', 'i', 's'.repeat(12), 's'.repeat(13), '0'))
const place = fc.oneof(segment, fc.constantFrom('0', '0', '0', '1', '2', '28', '29', '-1', '4294967296', '1.0', '00'))
const places = fc.array(place, { minLength: 3, maxLength: 3 }).map((parts) => parts.join('/'))
const names = fc.array(name, { minLength: 1, maxLength: 3 }).map((list) => list.join(','))

const gathering = fc.oneof(
  fc.constantFrom('_aggregate', '_geoaggregate'),
  fc.oneof(hash, places).map((cell) => `_geoaggregate/${cell}`),
)
const route = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(name, gathering, aggs) },
  { weight: 1, arbitrary: fc.tuple(name, fc.constant('_compute'), figure) },
  { weight: 1, arbitrary: fc.tuple(names, fc.constant('_suggest'), suggestion) },
)

/** GET requests of the aggregation, compute and suggest routes. */
export const aggregationRequest = fc
  .tuple(route, fc.oneof({ weight: 3, arbitrary: fc.constant('') }, query))
  .map(([[collection, operation, own], other]) => {
    const parameters = [own, other].filter((q) => q !== '').join('&')
    return { path: `/explore/${collection}/${operation}?${parameters}` }
  })

const orAny = <T>(good: fc.Arbitrary<T>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 25, arbitrary: good }, { weight: 1, arbitrary: anyJson })

const aggregation = fc.record(
  {
    type: orAny(type),
    field: orAny(field),
    interval: orAny(
      fc.record(
        {
          value: orAny(fc.constantFrom(1, 3, 0, -1, 2.5, 1e300, 5e-324)),
          unit: orAny(fc.constantFrom('day', 'Minute', 'x')),
        },
        { requiredKeys: ['value'] },
      ),
    ),
    format: orAny(text),
    metrics: orAny(
      fc.array(orAny(fc.record({ collect_field: orAny(field), collect_fct: orAny(fct) })), { maxLength: 2 }),
    ),
    order: orAny(fc.constantFrom('asc', 'desc')),
    on: orAny(fc.constantFrom('field', 'count', 'result')),
    size: orAny(fc.oneof(size, fc.constantFrom(1, 0, 1.5, 1e9))),
    include: orAny(text),
    raw_geometries: orAny(
      fc.array(orAny(fc.record({ geometry: orAny(field), sort: orAny(text), signedSort: orAny(field) })), {
        maxLength: 2,
      }),
    ),
    aggregated_geometries: orAny(fc.array(orAny(form), { maxLength: 2 })),
    fetch_geometry: orAny(
      fc.record(
        { strategy: orAny(fc.constantFrom('byDefault', 'bbox', 'geohash', 'first', 'LAST')), field: orAny(field) },
        { requiredKeys: [] },
      ),
    ),
    fetch_hits: orAny(
      fc.record({ size: orAny(fc.nat(200)), include: orAny(fc.array(orAny(field))) }, { requiredKeys: [] }),
    ),
  },
  { requiredKeys: ['type', 'field'] },
)

const search = fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, searchBody)
const aggregationsBody = fc
  .tuple(search, orAny(fc.array(orAny(aggregation), { maxLength: 3 })))
  .map(([filter, aggregations]) => JSON.stringify({ ...filter, aggregations }))
const figureBody = fc
  .tuple(search, fc.record({ field: orAny(field), metric: orAny(fct) }, { requiredKeys: [] }))
  .map(([filter, asked]) => JSON.stringify({ ...filter, ...asked }))

const postTo = (operation: string, body: fc.Arbitrary<string>) =>
  body.map((sent) => ({
    method: 'POST',
    path: `/explore/edge/${operation}`,
    headers: { 'content-type': 'application/json' },
    body: sent,
  }))

/** POST requests of the same routes. */
export const aggregationPost = fc.oneof(
  postTo('_aggregate', aggregationsBody),
  postTo('_geoaggregate', aggregationsBody),
  postTo('_compute', figureBody),
)
