import { describe, expect, test } from 'vitest'
import type { Aggregation } from '../../model/aggregation.ts'
import { aggregate, faultOf, geoaggregate, parse } from './aggregation.fixture.ts'

const parseFault = (...request: Parameters<typeof parse>): string => faultOf(() => parse(...request))

const term = { type: 'term', field: 'a' } as const
const grid = { type: 'geohash', field: 'g', interval: { value: 1 } } as const
const dates = { type: 'datehistogram', interval: { value: 1, unit: 'day' } } as const

describe('every rule has its message', () => {
  const sixTypes = 'datehistogram, histogram, term, geohash, geotile, geohex'
  const units = 'year, quarter, month, week, day, hour, minute, second'
  const functions = 'avg, cardinality, max, min, sum, geobbox, geocentroid'

  /** The GET text, the equivalent body if there is one, and parts of the expected message. */
  test.each<[string, string | undefined, Aggregation | undefined, readonly string[]]>([
    ['V2', 'foo:a', { ...term, type: 'foo' }, ['type of aggregation 1', sixTypes, "'foo'"]],
    ['V2 absent', undefined, { field: 'a' }, ['type of aggregation 1', sixTypes]],
    ['V3', 'term', { type: 'term' }, ['field of aggregation 1']],
    ['V3 blank', 'geohash: :interval-1', { ...grid, field: ' ' }, ['field of aggregation 1']],
    ['V4 empty', 'term:a:include-', { ...term, include: ' ' }, ['include of aggregation 1 must not be empty']],
    ['V6', 'term:a:interval-1', { ...term, interval: { value: 1 } }, ['interval of aggregation 1', 'term']],
    ['V6 absent', 'histogram:a', { type: 'histogram', field: 'a' }, ['interval of aggregation 1 must be given']],
    [
      'V6 absent',
      'datehistogram',
      { type: 'datehistogram', interval: {} },
      ['interval of aggregation 1 must be given'],
    ],
    ['V7', 'datehistogram:interval-1', { ...dates, interval: { value: 1 } }, ['interval of', units, '1']],
    ['V7', 'datehistogram:interval-day', { ...dates, interval: { unit: 'day' } }, ['interval of', units]],
    ['V7', 'datehistogram:interval-1foo', { ...dates, interval: { value: 1, unit: 'foo' } }, ['interval of', units]],
    ['V7', 'datehistogram:interval-1days', { ...dates, interval: { value: 1, unit: 'days' } }, ['interval of', units]],
    ['V7', 'datehistogram:interval-0day', { ...dates, interval: { value: 0, unit: 'day' } }, ['interval of', units]],
    ['V7', 'datehistogram:interval--1day', { ...dates, interval: { value: -1, unit: 'day' } }, ['interval of', units]],
    [
      'V7',
      'datehistogram:interval-1.5day',
      { ...dates, interval: { value: 1.5, unit: 'day' } },
      ['interval of', units],
    ],
    ['V7', 'datehistogram:interval-1 day', undefined, ['interval of', units]],
    [
      'V7',
      'datehistogram:interval-2147483648second',
      { ...dates, interval: { value: 2147483648, unit: 'second' } },
      ['interval of', units, '2147483647'],
    ],
    [
      'V7 unit of another type',
      'histogram:a:interval-1day',
      { type: 'histogram', field: 'a', interval: { value: 1, unit: 'day' } },
      ['interval of', units],
    ],
    [
      'V7 unit of another type',
      'geohash:g:interval-1day',
      { ...grid, interval: { value: 1, unit: 'day' } },
      ['interval of', units, '1 to 12'],
    ],
    ['V7 unit in disguise', undefined, { type: 'histogram', field: 'a', interval: { value: 1, unit: 'e3' } }, [units]],
    [
      'V8',
      'datehistogram:interval-3month',
      { ...dates, interval: { value: 3, unit: 'Month' } },
      ['must be 1', 'month'],
    ],
    ['V8', 'datehistogram:interval-2week', { ...dates, interval: { value: 2, unit: 'week' } }, ['must be 1', 'week']],
    ['V9', 'histogram:a:interval-0', { type: 'histogram', field: 'a', interval: { value: 0 } }, ['interval of']],
    [
      'V9',
      'histogram:a:interval--5',
      { type: 'histogram', field: 'a', interval: { value: -5 } },
      ['interval of', '-5'],
    ],
    ['V9', 'histogram:a:interval-abc', undefined, ['interval of']],
    ['V9', 'histogram:a:interval-1e999', undefined, ['interval of']],
    ['V9', 'histogram:a:interval-1e-999', undefined, ['interval of']],
    ['V9', 'histogram:a:interval-0x10', undefined, ['interval of']],
    ['V10', 'geohash:g:interval-0', { ...grid, interval: { value: 0 } }, ['interval of', '1 to 12']],
    ['V10', 'geohash:g:interval-13', { ...grid, interval: { value: 13 } }, ['interval of', '1 to 12']],
    ['V10', 'geohash:g:interval-1.5', { ...grid, interval: { value: 1.5 } }, ['interval of', '1 to 12']],
    ['V10', 'geotile:g:interval-30', { ...grid, type: 'geotile', interval: { value: 30 } }, ['interval of', '0 to 29']],
    ['V10', 'geohex:g:interval-16', { ...grid, type: 'geohex', interval: { value: 16 } }, ['interval of', '0 to 15']],
    ['V10', 'geohex:g:interval--1', { ...grid, type: 'geohex', interval: { value: -1 } }, ['interval of', '0 to 15']],
    ['V11', 'term:a:format-yyyy', { ...term, format: 'yyyy' }, ['format of aggregation 1', 'term']],
    [
      'V11',
      'datehistogram:interval-1day:format-foo',
      { ...dates, format: 'foo' },
      ['format of aggregation 1', "'foo'"],
    ],
    [
      'V11',
      'datehistogram:interval-1day:format-epoch_millis',
      { ...dates, format: 'epoch_millis' },
      ['format of aggregation 1'],
    ],
    [
      'V12',
      'term:a:collect_field-b',
      { ...term, metrics: [{ collect_field: 'b' }] },
      ['collect_fct', 'collect_field b'],
    ],
    ['V12', 'term:a:collect_fct-avg', { ...term, metrics: [{ collect_fct: 'avg' }] }, ['collect_field', 'avg']],
    ['V12', undefined, { ...term, metrics: [{}] }, ['collect_fct of aggregation 1']],
    [
      'V12',
      'term:a:collect_field-b:collect_fct-spanning',
      { ...term, metrics: [{ collect_field: 'b', collect_fct: 'spanning' }] },
      ['collect_fct of aggregation 1', functions, 'collect_field b, collect_fct spanning'],
    ],
    [
      'V12 twice',
      'term:a:collect_field-b:collect_fct-avg:collect_field-b:collect_fct-AVG',
      {
        ...term,
        metrics: [
          { collect_field: 'b', collect_fct: 'avg' },
          { collect_field: ' b', collect_fct: 'Avg' },
        ],
      },
      ['twice', 'collect_field b, collect_fct A'],
    ],
    [
      'V12 twice by another name',
      'term:a:collect_field-$timestamp:collect_fct-avg:collect_field-params.startdate:collect_fct-avg',
      undefined,
      ['twice', 'params.startdate'],
    ],
    [
      'V12 twice alone',
      'geohash:g:interval-1:collect_fct-geobbox:collect_field-g:collect_fct-geobbox',
      { ...grid, metrics: [{ collect_fct: 'geobbox' }, { collect_field: 'g', collect_fct: 'geobbox' }] },
      ['twice'],
    ],
    ['V13', 'term:a:order-asc', { ...term, order: 'asc' }, ['on of aggregation 1']],
    ['V13', 'term:a:on-count', { ...term, on: 'count' }, ['order of aggregation 1']],
    ['order', 'term:a:order-up:on-count', { ...term, order: 'up', on: 'count' }, ['order of', 'asc or desc', "'up'"]],
    [
      'on',
      'term:a:order-asc:on-size',
      { ...term, order: 'asc', on: 'size' },
      ['on of', 'field, count, result', "'size'"],
    ],
    ['V14', 'geohash:g:interval-1:order-asc:on-count', { ...grid, order: 'asc', on: 'count' }, ['order of', 'geohash']],
    ['V15', 'term:a:order-asc:on-result', { ...term, order: 'asc', on: 'result' }, ['on of', 'result']],
    [
      'V15',
      'term:a:collect_fct-geobbox:order-asc:on-result',
      { ...term, metrics: [{ collect_fct: 'geobbox' }], order: 'asc', on: 'result' },
      ['on of', 'result'],
    ],
    ['V16', 'datehistogram:interval-1day:size-5', { ...dates, size: 5 }, ['size of', 'datehistogram']],
    ['V16', 'term:a:size-0', { ...term, size: 0 }, ['size of aggregation 1', "'0'"]],
    ['V16', 'term:a:size--1', { ...term, size: '-1' }, ['size of aggregation 1', "'-1'"]],
    ['V16', 'term:a:size-1.5', { ...term, size: '1.5' }, ['size of aggregation 1', "'1.5'"]],
    ['V16', 'term:a:size-foo', { ...term, size: 'foo' }, ['size of aggregation 1', "'foo'"]],
    ['V18', 'geohash:g:interval-1:include-a', { ...grid, include: 'a' }, ['include of aggregation 1', 'geohash']],
    ['V18', 'term:a:include-(', { ...term, include: '(' }, ['include of aggregation 1', "'('"]],
    ['V18 too long', `term:a:include-${'x'.repeat(1001)}`, { ...term, include: 'x'.repeat(1001) }, ['include', '1000']],
    [
      'V19',
      'term:a:aggregated_geometries-bbox,cell',
      { ...term, aggregated_geometries: ['bbox', 'cell'] },
      ['aggregated_geometries of aggregation 1', "'cell'"],
    ],
    [
      'V19 alias',
      'term:a:aggregated_geometries-geohash_center',
      { ...term, aggregated_geometries: ['geohash_center'] },
      ['aggregated_geometries of aggregation 1', "'geohash_center'"],
    ],
    [
      'V20',
      'geohash:g:interval-1:aggregated_geometries-boo',
      { ...grid, aggregated_geometries: ['boo'] },
      ['aggregated_geometries of', 'bbox, centroid, cell, cell_center, geohash, geohash_center', "'boo'"],
    ],
    [
      'V20 empty',
      'geohash:g:interval-1:aggregated_geometries-bbox,',
      { ...grid, aggregated_geometries: [''] },
      ['bbox, centroid'],
    ],
    [
      'V21',
      'term:a:raw_geometries-g,h',
      { ...term, raw_geometries: [{ geometry: 'g,h' }] },
      ['raw_geometries of', ';', 'comma'],
    ],
    ['V21', 'term:a:raw_geometries-g(b', undefined, ['raw_geometries of', ';', 'balanced']],
    ['V21', 'term:a:raw_geometries-g)b', undefined, ['raw_geometries of', ';', 'balanced']],
    ['V21', 'term:a:raw_geometries-g(b)c', undefined, ['raw_geometries of', ';', 'balanced']],
    [
      'V21',
      'term:a:raw_geometries-g((b))',
      { ...term, raw_geometries: [{ geometry: 'g', sort: '(b)' }] },
      ['balanced'],
    ],
    ['V21', 'term:a:raw_geometries-g;', undefined, ['raw_geometries of', ';', 'empty']],
    [
      'V21',
      'term:a:raw_geometries-(b)',
      { ...term, raw_geometries: [{ sort: 'b' }] },
      ['raw_geometries of', ';', 'empty'],
    ],
    ['V21', 'term:a:raw_geometries-g(b,)', { ...term, raw_geometries: [{ geometry: 'g', sort: 'b,' }] }, ['empty']],
    ['V21', 'term:a:raw_geometries-g(-)', { ...term, raw_geometries: [{ geometry: 'g', signedSort: '-' }] }, ['empty']],
    ['V21', 'term:a:raw_geometries-g(b;c)', { ...term, raw_geometries: [{ geometry: 'g', sort: 'b;c' }] }, [';']],
    ['V25', 'term:a:fetch_hits-0', { ...term, fetch_hits: { size: 0 } }, ['fetch_hits of aggregation 1']],
    ['V25', 'term:a:fetch_hits--1(b)', { ...term, fetch_hits: { size: -1, include: ['b'] } }, ['fetch_hits of']],
    ['V25', 'term:a:fetch_hits-b', undefined, ['fetch_hits of', "'b'"]],
    ['V25', 'term:a:fetch_hits-3[b]', undefined, ['fetch_hits of', "'3[b]'"]],
    ['V25', 'term:a:fetch_hits-3([b])', { ...term, fetch_hits: { include: ['[b]'] } }, ['fetch_hits of']],
    ['V25', 'term:a:fetch_hits-3(b', undefined, ['fetch_hits of']],
    ['V25', 'term:a:fetch_hits-3b)', undefined, ['fetch_hits of']],
    ['V25', 'term:a:fetch_hits-3(b)c', undefined, ['fetch_hits of']],
    ['V25', 'term:a:fetch_hits-3(b,,c)', { ...term, fetch_hits: { include: ['b', ' '] } }, ['fetch_hits of']],
    ['V25', 'term:a:fetch_hits-3(+)', { ...term, fetch_hits: { include: ['+'] } }, ['fetch_hits of']],
  ])('%s: %s', (_, text, body, words) => {
    for (const request of [text === undefined ? undefined : [text], body && [body]]) {
      if (request === undefined) continue
      const fault = parseFault(request)
      expect(fault).toMatch(/^INVALID_AGGREGATION: /)
      for (const word of words) expect(fault).toContain(word)
    }
  })

  test('V1: nothing was asked', () => {
    for (const operation of [aggregate, geoaggregate]) {
      expect(parseFault(undefined, operation, 'query')).toMatch(/^INVALID_AGGREGATION: agg /)
      expect(parseFault([], operation, 'body')).toMatch(/^INVALID_AGGREGATION: aggregations /)
    }
  })

  test('the position of the aggregation is told', () => {
    expect(parseFault(['term:a', 'term:a:size-0'])).toContain('size of aggregation 2')
    expect(parseFault([term, grid, { ...term, on: 'count' }])).toContain('order of aggregation 3')
  })

  test('V5, V17, V26: limits name the setting and the value', () => {
    const six = Array.from({ length: 6 }, () => 'term:a')
    expect(parseFault(six)).toMatch(/^LIMIT_EXCEEDED: .*agg.* 5.*'6' \(setting limits\.aggregationDepth\)/)
    expect(parse(six.slice(1))).toHaveLength(5)
    expect(parseFault(['term:a:size-65536'])).toMatch(
      /^LIMIT_EXCEEDED: size of aggregation 1.*'65536' \(setting limits\.buckets\)/,
    )
    expect(parseFault([`geohash:g:interval-1:size-${'9'.repeat(400)}`])).toMatch(/^LIMIT_EXCEEDED: /)
    expect(parse(['term:a:size-65535'])[0]?.size).toBe(65535)
    expect(parseFault([term, { ...term, fetch_hits: { size: 101 } }])).toMatch(
      /^LIMIT_EXCEEDED: fetch_hits of aggregation 2.*'101' \(setting limits\.fetchHits\)/,
    )
    expect(parse(['term:a:fetch_hits-100'])[0]?.hits?.size).toBe(100)
  })

  test('limits come after the form of every aggregation', () => {
    expect(parseFault(['term:a:size-65536', 'term:b:size-x'])).toMatch(/^INVALID_AGGREGATION: size of aggregation 2/)
    expect(parseFault([...Array.from({ length: 6 }, () => 'term:a'), 'foo'])).toMatch(
      /^INVALID_AGGREGATION: type of aggregation 7/,
    )
  })
})
