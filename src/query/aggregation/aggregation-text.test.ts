import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Problem } from '../../errors.ts'
import type { AggregationDraft } from './aggregation-draft.ts'
import { parseAggregationText } from './aggregation-text.ts'

const cut = (text: string): Partial<AggregationDraft> => {
  const { position, ...draft } = parseAggregationText(text, 1)
  const given = Object.entries(draft).filter(([, value]) => value !== undefined && !isEmptyList(value))
  return Object.fromEntries(given)
}
const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0

function faultOf(text: string, position = 1): string {
  try {
    parseAggregationText(text, position)
  } catch (error) {
    if (error instanceof Problem) return `${error.code}: ${error.message}`
    throw error
  }
  throw new Error(`no fault in ${text}`)
}

describe('the text of an aggregation is cut', () => {
  test.each<[string, Partial<AggregationDraft>]>([
    ['term:params.job', { type: 'term', field: 'params.job' }],
    ['TeRm:params.job', { type: 'term', field: 'params.job' }],
    ['term:size-5', { type: 'term', field: 'size-5' }],
    ['term:station-size-x', { type: 'term', field: 'station-size-x' }],
    ['term:a:size-5', { type: 'term', field: 'a', size: '5' }],
    ['term: a : size- 5 ', { type: 'term', field: 'a', size: '5' }],
    ['datehistogram', { type: 'datehistogram' }],
    ['datehistogram::format-HH', { type: 'datehistogram', format: 'HH' }],
    ['datehistogram:size-x-y', { type: 'datehistogram', size: 'x-y' }],
    ['datehistogram:sizes', { type: 'datehistogram', field: 'sizes' }],
    ['datehistogram:a:format-HH', { type: 'datehistogram', field: 'a', format: 'HH' }],
    ['datehistogram:format-HH', { type: 'datehistogram', format: 'HH' }],
    [
      'datehistogram:format-yyyy-MM-dd-HH:mm:ss:order-asc',
      { type: 'datehistogram', format: 'yyyy-MM-dd-HH:mm:ss', order: 'asc' },
    ],
    ['term:a:include-b:c:SIZE-5', { type: 'term', field: 'a', include: 'b:c:SIZE-5' }],
    ['term:a:raw_geometries-g(-t,u);h', { type: 'term', field: 'a', rawGeometries: 'g(-t,u);h' }],
    [
      'term:a:fetch_hits-3(+b):on-count:aggregated_geometries-bbox,cell',
      { type: 'term', field: 'a', fetchHits: '3(+b)', on: 'count', aggregatedGeometries: 'bbox,cell' },
    ],
    ['term:a:fetch_geometry', { type: 'term', field: 'a', fetchGeometry: '' }],
    ['term:a: fetch_geometry :size-5', { type: 'term', field: 'a', fetchGeometry: '', size: '5' }],
    ['datehistogram:fetch_geometry', { type: 'datehistogram', fetchGeometry: '' }],
    ['term:fetch_geometry', { type: 'term', field: 'fetch_geometry' }],
    ['term:a:fetch_geometry-b-c-first', { type: 'term', field: 'a', fetchGeometry: 'b-c-first' }],
    ['term:a:fetch_geometry-b:c-first', { type: 'term', field: 'a', fetchGeometry: 'b:c-first' }],
  ])('%s', (text, draft) => {
    expect(cut(text)).toEqual(draft)
  })

  test.each([
    ['1day', '1', 'day'],
    ['2.5', '2.5', ''],
    ['1e3', '1e3', ''],
    ['-5', '-5', ''],
    ['day', '', 'day'],
  ])('interval-%s', (written, value, unit) => {
    expect(cut(`histogram:a:interval-${written}`).interval).toEqual({ value, unit, written })
  })

  test.each([
    [
      'foobar',
      "type of aggregation 1 must be one of datehistogram, histogram, term, geohash, geotile, geohex, got 'foobar'",
    ],
    ['', 'type of aggregation 1'],
    ['foobar:a:b', 'type of aggregation 1'],
    ['term', 'field of aggregation 1 must be given for type term'],
    ['term::size-5', 'field of aggregation 1 must be given for type term'],
    ['geohash: :interval-1', 'field of aggregation 1'],
    ['term:params.job:foo', 'agg of aggregation 1 must have a known part'],
    ['term:params.job:foo', "got 'foo'"],
    ['term:a:', 'agg of aggregation 1'],
    ['term:a:SIZE-5', "got 'SIZE-5'"],
    ['datehistogram:a:b', "got 'b'"],
    ['term:a:size-5:size-6', "size of aggregation 1 must not be given twice, got 'size-6'"],
    ['term:a:order-asc:on-count:order-asc', 'order of aggregation 1 must not be given twice'],
    ['term:a:size-', "size of aggregation 1 must not be empty, got 'size-'"],
    ['term:a:raw_geometries- ', 'raw_geometries of aggregation 1 must not be empty'],
    ['term:a:collect_field-:collect_fct-avg', 'collect_field of aggregation 1 must not be empty'],
    ['term:a:fetch_geometry-', 'fetch_geometry of aggregation 1 must not be empty'],
    ['datehistogram:fetch_geometry- ', 'fetch_geometry of aggregation 1 must not be empty'],
    ['term:a:fetch_geometry:fetch_geometry-first', 'fetch_geometry of aggregation 1 must not be given twice'],
    ['term:a:fetch_geometry:first', 'agg of aggregation 1 must have a known part'],
    ['term:a:fetch_geometryfirst', 'agg of aggregation 1 must have a known part'],
  ])('%s is refused', (text, message) => {
    expect(faultOf(text)).toContain(message)
    expect(faultOf(text)).toMatch(/^INVALID_AGGREGATION: /)
    expect(faultOf(text, 3)).toContain('of aggregation 3')
  })
})

describe('collect parts are paired', () => {
  const f = (text: string): string => `:collect_field-${text}`
  const c = (text: string): string => `:collect_fct-${text}`
  const couple = (collect_field: string, collect_fct: string) => ({ collect_field, collect_fct })

  test.each([
    ['field first', f('a') + c('avg'), [couple('a', 'avg')]],
    ['function first', c('avg') + f('a'), [couple('a', 'avg')]],
    ['i-th with i-th', c('avg') + f('a') + f('b') + c('max'), [couple('a', 'avg'), couple('b', 'max')]],
    ['i-th with i-th, apart', f('a') + f('b') + c('avg') + c('max'), [couple('a', 'avg'), couple('b', 'max')]],
    ['other parts in between', `${f('a')}:size-5${c('avg')}`, [couple('a', 'avg')]],
    ['a function alone', c('geobbox'), [{ collect_fct: 'geobbox' }]],
    ['the one after wins', c('geobbox') + f('a') + c('avg'), [{ collect_fct: 'geobbox' }, couple('a', 'avg')]],
    ['else the one before', c('geobbox') + c('avg') + f('a'), [{ collect_fct: 'geobbox' }, couple('a', 'avg')]],
    [
      'the one before is taken once',
      f('a') + c('avg') + f('b') + c('geobbox') + c('max'),
      [couple('a', 'avg'), couple('b', 'geobbox'), { collect_fct: 'max' }],
    ],
    [
      'a field between two taken functions stays alone',
      f('a') + f('b') + c('avg') + c('geobbox') + c('geocentroid'),
      [couple('b', 'avg'), { collect_fct: 'geobbox' }, { collect_fct: 'geocentroid' }, { collect_field: 'a' }],
    ],
    ['more fields than functions', f('a') + f('b') + c('avg'), [couple('a', 'avg'), { collect_field: 'b' }]],
    ['no function', f('a'), [{ collect_field: 'a' }]],
  ])('%s', (_, parts, metrics) => {
    expect(parseAggregationText(`term:x${parts}`, 1).metrics).toEqual(metrics)
  })
})

test('whatever is sent, a fault is a problem with a code', () => {
  const word = fc.constantFrom(
    'term',
    'datehistogram',
    'geotile',
    ':',
    '-',
    'size-',
    'interval-',
    'collect_fct-',
    '(',
    ';',
    ',',
  )
  const garbage = fc
    .array(fc.oneof(word, fc.string({ unit: 'binary' })), { maxLength: 12 })
    .map((parts) => parts.join(''))
  fc.assert(
    fc.property(garbage, fc.constantFrom('', 'term:a:', 'datehistogram:'), (text, start) => {
      try {
        expect(parseAggregationText(start + text, 1).position).toBe(1)
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        expect(error.code).toBe('INVALID_AGGREGATION')
      }
    }),
    { numRuns: 500 },
  )
})
