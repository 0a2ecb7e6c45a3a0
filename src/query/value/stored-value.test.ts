import { describe, expect, it } from 'vitest'
import type { FieldType } from '../../model/field-type.ts'
import type { Json } from '../../model/json/document.ts'
import type { Scalar } from '../plan/predicate.ts'
import type { Field } from '../schema/field.ts'
import { rawAt, readStoredValues, valuesAt } from './stored-value.ts'

const field = (type: FieldType, format?: string): Field => ({
  path: 'a',
  type,
  indexed: true,
  nested: false,
  ...(format !== undefined && { format }),
})

describe('readStoredValues', () => {
  const cases: readonly (readonly [FieldType, Json, readonly Scalar[]])[] = [
    ['KEYWORD', 'Actor', ['Actor']],
    ['KEYWORD', '', ['']],
    ['KEYWORD', [1, true, 'x', null, [2.5, ['y']], { a: 1 }], ['1', 'true', 'x', '2.5', 'y']],
    ['KEYWORD', null, []],
    ['KEYWORD', [], []],
    ['KEYWORD', { a: 1 }, []],
    ['TEXT', ['a b', 5], ['a b', '5']],
    ['LONG', 5, [5n]],
    ['LONG', -5.9, [-5n]],
    ['LONG', ['5', '+5', '-5.9', '1e3', '5.', 'x', '', ' 5', '0x5', 'NaN', true], [5n, 5n, -5n, 1000n, 5n]],
    ['LONG', '9223372036854775807', [9223372036854775807n]],
    ['LONG', '9223372036854775807.5', [9223372036854775807n]],
    ['LONG', ['9223372036854775808', '1e30', '1e999', '9'.repeat(500), 1e19], []],
    ['LONG', JSON.parse('[9223372036854775807, -9223372036854775808]'), [9223372036854775807n, -9223372036854775808n]],
    ['INTEGER', [2147483647, 2147483648, -2147483648.5, -2147483649], [2147483647n, -2147483648n]],
    ['SHORT', [32767, 32768, '-32768'], [32767n, -32768n]],
    ['BYTE', [127, 127.9, 128, -128, -129], [127n, 127n, -128n]],
    ['DOUBLE', [1.5, '2.5', '-.5', '1e-3', 'x', 'Infinity', null, false], [1.5, 2.5, -0.5, 0.001]],
    ['DOUBLE', [-0, '1e999'], [0]],
    ['FLOAT', [0.1, '0.1', 1e300], [Math.fround(0.1), Math.fround(0.1)]],
    [
      'DATE',
      ['2024-02-29T00:00:00Z', 1709251200000, '1709251200000', 'x', true],
      [1709164800000, 1709251200000, 1709251200000],
    ],
    ['BOOLEAN', [true, false, 'true', 'false', 'TRUE', 1, ''], [true, false, true, false]],
    ['IP', ['10.0.0.1', '::1', 'x', 5], ['00000000000000000000ffff0a000001', `${'0'.repeat(31)}1`]],
    ['GEO_POINT', '1,2', []],
    ['OBJECT', { a: 1 }, []],
    ['UNKNOWN', 'x', []],
  ]
  it.each(cases)('%s %j', (type, value, expected) => {
    expect(readStoredValues(field(type), value)).toEqual(expected)
  })

  it('reads dates by the format of the field', () => {
    expect(readStoredValues(field('DATE', 'epoch_second'), [5, '5'])).toEqual([5000, 5000])
    expect(readStoredValues(field('DATE', 'yyyyMMdd'), [20240229, '20240229', 1])).toEqual([
      1709164800000, 1709164800000,
    ])
    expect(readStoredValues(field('DATE', 'dd/MM/yyyy||epoch_millis'), ['29/02/2024', 5])).toEqual([1709164800000, 5])
    expect(readStoredValues(field('DATE', 'week_date||epoch_millis'), ['2024-W01-1', 5])).toEqual([5])
  })
})

describe('valuesAt and rawAt', () => {
  const source = {
    id: 'x',
    none: null,
    empty: [],
    params: { job: 'Actor', tags: ['a', ['b', null]], 'dotted.key': 1, deep: { er: 2 }, 'deep.er': 3 },
    'params.age': 5,
    list: [{ v: 1 }, { v: [2, 3] }, { w: 4 }, 'x', [{ v: 5 }]],
    place: [{ where: [10, 20] }, { where: { lat: 1, lon: 2 } }],
    point: { where: [10, 20] },
  }
  it.each([
    ['id', ['x'], 'x'],
    ['none', [], undefined],
    ['empty', [], []],
    ['params.job', ['Actor'], 'Actor'],
    ['params.tags', ['a', 'b'], ['a', ['b', null]]],
    ['params.dotted.key', [1], 1],
    ['params.age', [5], 5],
    ['params.deep.er', [2, 3], [2, 3]],
    ['list.v', [1, 2, 3, 5], [1, [2, 3], 5]],
    ['list.w', [4], 4],
    ['point.where', [10, 20], [10, 20]],
    ['place.where', [10, 20, { lat: 1, lon: 2 }], [[10, 20], { lat: 1, lon: 2 }]],
    ['params.nope', [], undefined],
    ['id.x', [], undefined],
    ['constructor', [], undefined],
    ['params.toString.name', [], undefined],
    ['__proto__.x', [], undefined],
    ['', [], undefined],
  ])('%s', (path, values, raw) => {
    expect(valuesAt(source, path)).toEqual(values)
    expect(rawAt(source, path)).toEqual(raw)
  })
})
