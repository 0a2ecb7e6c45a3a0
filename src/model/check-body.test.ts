import { Type } from 'typebox'
import { describe, expect, test } from 'vitest'
import { Problem } from '../errors.ts'
import { checkBody } from './check-body.ts'
import { DisplayNames } from './collection.ts'
import { Filter } from './filter.ts'
import { Count, Search } from './search.ts'

const Organisations = Type.Object({ public: Type.Optional(Type.Boolean()) })
const Metric = Type.Union([Type.Literal('AVG'), Type.Literal('GEO_BBOX')])
const Open = Type.Object({
  name: Type.String(),
  filter: Type.Optional(Filter),
  organisations: Type.Optional(Organisations),
  metric: Type.Optional(Metric),
  names: Type.Optional(Type.Record(Type.String(), Type.String())),
})

function message(run: () => unknown): string {
  try {
    run()
  } catch (error) {
    if (error instanceof Problem) return `${error.code}: ${error.message}`
    throw error
  }
  throw new Error('nothing was thrown')
}

describe('a search', () => {
  test.each([
    [{}, {}],
    [{ page: { size: 10.0 } }, { page: { size: 10 } }],
    [{ filter: null, page: { size: null, from: 0 } }, { page: { from: 0 } }],
    [{ partition_filter: [{ q: [['a']] }] }, { partitionFilter: [{ q: [['a']] }] }],
    [{ partition_filter: null, partitionFilter: [] }, { partitionFilter: [] }],
  ])('%j is taken', (body, normal) => {
    expect(checkBody(Search, body)).toEqual(normal)
  })

  test.each([
    [[], 'INVALID_BODY: body must be an object'],
    ['x', 'INVALID_BODY: body must be an object'],
    [null, 'INVALID_BODY: body must be an object'],
    [{ page: { size: '10' } }, "INVALID_BODY: page.size must be an integer, got '10'"],
    [{ page: { size: 1.5 } }, "INVALID_BODY: page.size must be an integer, got '1.5'"],
    [{ page: { size: 2 ** 31 } }, 'INVALID_PARAMETER: page.size must be an integer from'],
    [{ filter: [] }, 'INVALID_BODY: filter must be an object'],
    [{ filter: { f: 'a:eq:b' } }, "INVALID_BODY: filter.f must be an array, got 'a:eq:b'"],
    [{ filter: { f: [[{}, { op: 5 }]] } }, "INVALID_BODY: filter.f[0][1].op must be a string, got '5'"],
    [{ filter: { f: [[{ opp: 'eq' }]] } }, 'INVALID_BODY: filter.f[0][0].opp is not a known key'],
    [{ filter: { f: [null] } }, 'INVALID_BODY: filter.f[0] must be an array'],
    [{ filter: { righthand: 'maybe' } }, "INVALID_BODY: filter.righthand must be a boolean, got 'maybe'"],
    [{ unknown: 1 }, 'INVALID_BODY: unknown is not a known key'],
    [
      { partition_filter: [], partitionFilter: [] },
      'INVALID_BODY: partitionFilter must not be given twice, in two spellings',
    ],
    [JSON.parse('{"__proto__":{"a":1}}'), 'INVALID_BODY: __proto__ is not a known key'],
  ])('%j is refused', (body, expected) => {
    expect(message(() => checkBody(Search, body))).toContain(expected)
  })

  test('is not a count', () => {
    expect(message(() => checkBody(Count, { page: {} }))).toContain('page is not a known key')
  })
})

describe('a schema that drops unknown keys', () => {
  const check = (body: unknown, root?: string): unknown =>
    checkBody(Open, body, { unknownKeys: 'drop', ...(root === undefined ? {} : { root }) })

  test('drops them at every level', () => {
    expect(check({ name: 'a', type_name: 'x', organisations: { _public: true, other: 1 } })).toEqual({
      name: 'a',
      organisations: { public: true },
    })
  })

  test('but not inside a filter', () => {
    expect(message(() => check({ name: 'a', filter: { ff: [] } }, 'file[0].params'))).toBe(
      'INVALID_BODY: file[0].params.filter.ff is not a known key',
    )
  })

  test('maps keep their keys', () => {
    expect(check({ name: 'a', names: { 'b.c': 'd', e: null } })).toEqual({ name: 'a', names: { 'b.c': 'd' } })
    expect(message(() => check({ name: 'a', names: { 'b.c': 1 } }))).toContain("names.b.c must be a string, got '1'")
  })

  test('a missing key is named', () => {
    expect(message(() => check({ name: null }))).toBe('INVALID_BODY: name is required')
  })

  test('enumerated words match in any case, with - read as _', () => {
    expect(check({ name: 'a', metric: 'geo-bbox' })).toEqual({ name: 'a', metric: 'GEO_BBOX' })
    expect(message(() => check({ name: 'a', metric: 'mean' }))).toContain(
      "metric must be one of AVG, GEO_BBOX, got 'mean'",
    )
  })
})

describe('a map of names', () => {
  const names = (count: number): object => Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, 'x']))

  test('has as many keys as its schema says', () => {
    expect(Object.keys(checkBody(DisplayNames, names(5_000)))).toHaveLength(5_000)
    expect(message(() => checkBody(DisplayNames, names(5_001)))).toBe('INVALID_BODY: body must have at most 5000 keys')
  })
})
