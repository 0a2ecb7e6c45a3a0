import { describe, expect, it } from 'vitest'
import type { FieldType } from '../../../model/field-type.ts'
import type { SortKey } from '../../../query/plan/plan.ts'
import { fieldOf } from '../test-index.fixture.ts'
import { compilePlace, compileSort, compileSortedQuery } from './sort-keys.ts'

const by = (type: FieldType, descending = false): SortKey => ({
  kind: 'field',
  field: fieldOf('a.b', type),
  descending,
})
const distance = (descending: boolean): SortKey => ({
  kind: 'distance',
  field: fieldOf('place', 'GEO_POINT'),
  lon: 2,
  lat: 48,
  descending,
})

describe('the sort of a field', () => {
  it('puts missing values last in both directions, and first when it is read backwards', () => {
    const text = { unmapped_type: 'keyword' }
    expect(compileSort([by('KEYWORD')])).toEqual([{ 'a.b': { order: 'asc', mode: 'min', missing: '_last', ...text } }])
    expect(compileSort([by('KEYWORD', true)])).toEqual([
      { 'a.b': { order: 'desc', mode: 'max', missing: '_last', ...text } },
    ])
    expect(compileSort([by('KEYWORD', true)], true)).toEqual([
      { 'a.b': { order: 'asc', mode: 'max', missing: '_first', ...text } },
    ])
  })

  it('tells the greatest integer from a missing one by a second key', () => {
    expect(compileSort([by('INTEGER')], true)).toEqual([
      { 'a.b': { order: 'desc', mode: 'min', missing: 2147483647, unmapped_type: 'integer' } },
      { 'a.b': { order: 'desc', mode: 'min', missing: '_first', unmapped_type: 'integer', numeric_type: 'double' } },
    ])
  })

  it('is a mistake where there is no order', () => {
    expect(() => compileSort([by('TEXT')])).toThrow('a.b of type TEXT cannot be sorted')
  })
})

describe('a place in the order', () => {
  it('has a value for each key of the cluster', () => {
    const sort = [by('LONG'), by('DATE'), by('BOOLEAN'), by('IP'), by('FLOAT'), by('KEYWORD')]
    const values = [2n ** 63n - 1n, -5, false, '00000000000000000000ffff0a000009', 1.5, 'x,y']
    expect(compilePlace(sort, values)).toEqual([2n ** 63n - 1n, 2 ** 63, -5, 0, '10.0.0.9', 1.5, 'x,y'])
    expect(compilePlace(sort, values)).toHaveLength(compileSort(sort).length)
  })

  it.each<[FieldType, readonly unknown[], readonly unknown[]]>([
    ['KEYWORD', [null], [null]],
    ['IP', [null], [null]],
    ['LONG', [2n ** 63n - 1n, 'Infinity'], [-(2n ** 63n), '-Infinity']],
    ['INTEGER', [2147483647, 'Infinity'], [-2147483648, '-Infinity']],
    ['BYTE', [2147483647], [-2147483648]],
    ['BOOLEAN', [2147483647], [-2147483648]],
    ['DOUBLE', ['Infinity'], ['-Infinity']],
    ['DATE', [2n ** 63n - 1n], [-(2n ** 63n)]],
  ])('of a missing %s is where the cluster sees it', (type, ascending, descending) => {
    expect(compilePlace([by(type)], [null])).toEqual(ascending)
    expect(compilePlace([by(type, true)], [null])).toEqual(descending)
  })

  it('is a mistake without a value for each key', () => {
    expect(() => compilePlace([by('LONG'), by('KEYWORD')], [1n])).toThrow('one value per sort field')
  })
})

describe('the sort by distance', () => {
  const all = { match_all: {} }

  it('leaves it to the cluster to put missing places last when the nearest are first', () => {
    expect(compileSort([distance(false)])).toEqual([
      {
        _geo_distance: {
          place: { lat: 48, lon: 2 },
          order: 'asc',
          mode: 'min',
          unit: 'm',
          distance_type: 'arc',
          ignore_unmapped: true,
        },
      },
    ])
    expect(compileSortedQuery([distance(false)], all)).toEqual({ bool: { filter: [all] } })
  })

  it('puts missing places last by a score when the farthest are first', () => {
    expect(compileSort([distance(true)])).toMatchObject([
      { _score: { order: 'desc' } },
      { _geo_distance: { mode: 'max' } },
    ])
    expect(compileSortedQuery([by('LONG'), distance(true)], all)).toEqual({
      bool: {
        filter: [all],
        should: [{ constant_score: { filter: { exists: { field: 'place' } } } }],
        minimum_should_match: 0,
      },
    })
  })
})
