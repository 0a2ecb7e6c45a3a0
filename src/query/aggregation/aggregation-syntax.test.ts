import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Problem } from '../../errors.ts'
import type { Aggregation } from '../../model/aggregation.ts'
import { limits } from '../request/sample-collection.fixture.ts'
import { type AggregationsOfRequest, aggregationContext, faultOf, geoaggregate, parse } from './aggregation.fixture.ts'
import {
  type AggregationOperation,
  namedPaths,
  type ParsedAggregation,
  parseAggregations,
} from './aggregation-syntax.ts'

const tile = (z: number): AggregationOperation => ({ kind: 'geoaggregate', cell: { kind: 'tile', z, x: 0, y: 0 } })
const geohash: AggregationOperation = { kind: 'geoaggregate', cell: { kind: 'geohash', hash: 'yn' } }
const parseFault = (...request: Parameters<typeof parse>): string => faultOf(() => parse(...request))

const term = { type: 'term', field: 'a' } as const
const grid = { type: 'geohash', field: 'g', interval: { value: 1 } } as const
const dates = { type: 'datehistogram', interval: { value: 1, unit: 'day' } } as const

describe('GET and POST say the same', () => {
  test.each<[string, Aggregation]>([
    ['term:a', term],
    ['TERM:a', { type: 'Term', field: ' a ' }],
    ['term:$timestamp', { type: 'term', field: '$timestamp' }],
    ['term:a:size-5', { ...term, size: '5' }],
    ['term:a:size-5', { ...term, size: 5 }],
    ['term:a:size- 05 ', { ...term, size: ' 05 ' }],
    ['term:a:include-b\\,c, d', { ...term, include: 'b\\,c, d' }],
    ['term:a:include-b.*', { ...term, include: ' b.* ' }],
    ['term:a:order-DESC:on-Field', { ...term, order: 'Desc', on: 'FIELD' }],
    ['histogram:a:interval-2.5', { type: 'histogram', field: 'a', interval: { value: 2.5 } }],
    ['histogram:a:interval-1e3', { type: 'histogram', field: 'a', interval: { value: 1000 } }],
    ['histogram:a:interval-1e21', { type: 'histogram', field: 'a', interval: { value: 1e21 } }],
    ['datehistogram:interval-1day', dates],
    ['datehistogram:interval-1day', { ...dates, field: ' ' }],
    ['datehistogram:a:interval-12Hour', { ...dates, field: 'a', interval: { value: 12, unit: ' HOUR' } }],
    [
      'datehistogram:interval-1quarter:format-HH:mm',
      { ...dates, interval: { value: 1, unit: 'quarter' }, format: 'HH:mm' },
    ],
    ['geohash:g:interval-1', { ...grid, metrics: [], raw_geometries: [], aggregated_geometries: [] }],
    ['geohex:g:interval-0:size-3', { type: 'geohex', field: 'g', interval: { value: 0 }, size: 3 }],
    [
      'term:a:collect_field-b:collect_fct-AVG:collect_fct-geobbox',
      { ...term, metrics: [{ collect_field: 'b', collect_fct: 'avg' }, { collect_fct: 'GEOBBOX' }] },
    ],
    [
      'geohash:g:interval-1:aggregated_geometries-BBOX, CELLCENTER,cell-center,geohash_center,bbox',
      { ...grid, aggregated_geometries: ['bbox', 'cell_center', 'CELLCENTER', 'GEOHASH_CENTER'] },
    ],
    ['term:a:raw_geometries-g', { ...term, raw_geometries: [{ geometry: 'g' }] }],
    ['term:a:fetch_geometry', { ...term, fetch_geometry: {} }],
    ['geohash:g:interval-1:fetch_geometry-default', { ...grid, fetch_geometry: { strategy: 'BYDEFAULT' } }],
    ['geohash:g:interval-1:fetch_geometry-GEOHASH', { ...grid, fetch_geometry: { strategy: 'geohash' } }],
    ['term:a:fetch_geometry-bbox', { ...term, fetch_geometry: { strategy: 'BBox' } }],
    ['term:a:fetch_geometry-first', { ...term, fetch_geometry: { strategy: 'FIRST' } }],
    ['term:a:fetch_geometry-b-c-last', { ...term, fetch_geometry: { strategy: 'last', field: ' b-c ' } }],
    ['term:a:fetch_geometry-$timestamp-last', { ...term, fetch_geometry: { strategy: 'last', field: '$timestamp' } }],
    ['term:a:raw_geometries-g( )', { ...term, raw_geometries: [{ geometry: ' g', sort: ' ', include: ['x'] }] }],
    [
      'term:a:raw_geometries-g(-b, +c);h( d)',
      {
        ...term,
        raw_geometries: [
          { geometry: 'g', sort: '-b, +c', signedSort: 'x' },
          { geometry: 'h', signedSort: 'd' },
        ],
      },
    ],
    ['term:a:fetch_hits-3', { ...term, fetch_hits: { size: 3 } }],
    ['term:a:fetch_hits-3()', { ...term, fetch_hits: { size: 3, include: [] } }],
    ['term:a:fetch_hits-()', { ...term, fetch_hits: {} }],
    ['term:a:fetch_hits-2(+b,- c, d)', { ...term, fetch_hits: { size: 2, include: ['+b', '-c', 'd'] } }],
    ['term:a:fetch_hits-(b)', { ...term, fetch_hits: { include: [' b '] } }],
  ])('%s', (text, body) => {
    const strip = (parsed: readonly ParsedAggregation[]): string =>
      JSON.stringify(parsed, (key, value) => (key === 'written' ? undefined : value))
    expect(strip(parse([text]))).toBe(strip(parse([body])))
  })
})

describe('geoaggregate', () => {
  test('the main type is a grid or comes with geometries', () => {
    for (const text of ['term:a', 'histogram:a:interval-1', 'datehistogram:interval-1day']) {
      const fault = parseFault([text], geoaggregate)
      expect(fault).toMatch(/^INVALID_AGGREGATION: type of aggregation 1/)
      expect(fault).toContain('aggregated_geometries or raw_geometries')
      expect(fault).toContain(`'${text.split(':')[0]}'`)
      expect(parse([text])).toHaveLength(1)
      expect(parse([`${text}:aggregated_geometries-bbox`], geoaggregate)).toHaveLength(1)
      expect(parse([`${text}:raw_geometries-g`], tile(3))).toHaveLength(1)
    }
    expect(parse(['geohex:g:interval-1', 'term:a'], geoaggregate)).toHaveLength(2)
    expect(parseFault([{ ...term, raw_geometries: [] }], geoaggregate)).toContain('raw_geometries')
  })

  test('intervals of geotile aggregations follow the tile', () => {
    for (const interval of [4, 10]) expect(parse([`geotile:g:interval-${interval}`], tile(4))).toHaveLength(1)
    for (const interval of [3, 11]) {
      const fault = parseFault([`geotile:g:interval-${interval}`], tile(4))
      expect(fault).toMatch(/^INVALID_AGGREGATION: interval of aggregation 1 must be from 4 to 10 in a tile of zoom 4/)
      expect(fault).toContain('limits.geotileDepth is 6')
    }
    expect(parseFault(['geohash:g:interval-1', 'geotile:g:interval-3'], tile(4))).toContain('interval of aggregation 2')
    expect(parse(['geotile:g:interval-29'], tile(25))).toHaveLength(1)
    expect(parse(['geohex:g:interval-15', 'geohash:g:interval-1'], tile(4))).toHaveLength(2)
    expect(parse(['geotile:g:interval-0'], geohash)).toHaveLength(1)
  })

  test('the cell forms have a default', () => {
    const main = (operation: AggregationOperation, request?: AggregationsOfRequest) => parse(request, operation)[0]
    const centroid = { path: 'geo_params.centroid', aggregated: ['cell_center'] }
    expect(main(geohash)).toMatchObject({ ...centroid, bucketing: { kind: 'geohash', level: 2 } })
    expect(main(tile(2), [])).toMatchObject({ ...centroid, bucketing: { kind: 'geotile', level: 5 } })
    expect(main(tile(28))).toMatchObject({ bucketing: { kind: 'geotile', level: 29 } })
    const shallow = { ...aggregationContext('query', tile(2)), limits: { ...limits, geotileDepth: 1 } }
    expect(parseAggregations(undefined, shallow)[0]).toMatchObject({ bucketing: { level: 3 } })
  })
})

test('what an aggregation stands for', () => {
  expect(parse(['datehistogram:interval-1month'])[0]).toMatchObject({
    path: 'params.startdate',
    bucketing: { interval: { kind: 'calendar', unit: 'month' }, format: { text: 'yyyy-MM-dd-HH:mm:ss' } },
  })
  expect(parse(['datehistogram:interval-2147483647day'])[0]).toMatchObject({
    bucketing: { interval: { kind: 'fixed', length: 2147483647 * 86_400_000 } },
  })
  expect(parse(['geohash:g:interval-1:raw_geometries-h'])[0]?.aggregated).toEqual([])
  expect(parse(['geohash:g:interval-1:collect_fct-geobbox'])[0]?.couples).toEqual([{ fct: 'geobbox', path: 'g' }])
  expect(parse(['term:a:collect_fct-geobbox'])[0]?.couples).toEqual([{ fct: 'geobbox', path: 'geo_params.centroid' }])
  expect(parse(['term:a:raw_geometries-g(-b, c );g'])[0]?.raw).toEqual([
    {
      path: 'g',
      sort: {
        text: '-b, c',
        names: [
          { name: 'b', sign: '-' },
          { name: 'c', sign: undefined },
        ],
      },
    },
    { path: 'g' },
  ])
})

test('all paths the caller names are known, each once', () => {
  const request = [
    'term:a:collect_field-b:collect_fct-avg:raw_geometries-g(-c,a);h:fetch_hits-1(+d,e)',
    'datehistogram:$timestamp:interval-1day:collect_field-b:collect_fct-max',
  ]
  expect(namedPaths(parse(request))).toEqual(['a', 'b', 'g', 'c', 'h', 'd', 'e', 'params.startdate'])
})

test('whatever is sent, a fault is a problem with a code', () => {
  const value = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('1', '1day', 'avg', 'bbox', 'a(b);c', '3(a)', 'asc', 'on'),
  )
  const part = fc.constantFrom(
    'interval',
    'format',
    'include',
    'size',
    'order',
    'on',
    'collect_field',
    'collect_fct',
    'raw_geometries',
    'aggregated_geometries',
    'fetch_hits',
  )
  const type = fc.constantFrom('term', 'histogram', 'datehistogram', 'geohash', 'geotile', 'geohex')
  const text = fc
    .tuple(type, value, fc.array(fc.tuple(part, value), { maxLength: 5 }))
    .map(([t, field, parts]) => [t, field, ...parts.map(([name, v]) => `${name}-${v}`)].join(':'))
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 3 }), (request) => {
      try {
        expect(parse(request, tile(2))).toHaveLength(request.length)
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        expect(error.status).toBe(400)
      }
    }),
    { numRuns: 300 },
  )
})
