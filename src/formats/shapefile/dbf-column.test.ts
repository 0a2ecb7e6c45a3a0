import { describe, expect, it } from 'vitest'
import type { Json } from '../../model/json/document.ts'
import { ColumnList, ColumnValues, decimalsOf, letterOf, printCell } from './dbf-column.ts'

function columnOf(...values: Json[]) {
  const seen = new ColumnValues('p')
  for (const value of values) seen.add(value)
  return seen.toColumn()
}

describe('the form of a column', () => {
  it.each<[string, Json[], string, number, number]>([
    ['integers', [1, -200, 30], 'N', 4, 0],
    ['integers of 18 characters', [1e17], 'N', 18, 0],
    ['a longer integer', [1e18], 'N', 24, 15],
    ['numbers', [1, 0.5], 'N', 24, 15],
    ['booleans', [true, false], 'L', 1, 0],
    ['texts', ['a', 'éé'], 'C', 4, 0],
    ['long texts', ['x'.repeat(300)], 'C', 254, 0],
    ['an empty text', [''], 'C', 1, 0],
    ['texts and numbers', ['a', 12345], 'C', 5, 0],
    ['booleans and numbers', [true, 1], 'C', 4, 0],
  ])('%s', (_, values, letter, width, decimals) => {
    const column = columnOf(...values)
    expect([letterOf(column), column.width, decimalsOf(column)]).toEqual([letter, width, decimals])
  })
})

describe('printCell', () => {
  it.each<[Json | undefined, string]>([
    [0.1, '0.1'],
    [-1.5, '-1.5'],
    [1e21, '1000000000000000000000'],
    [1.5e-7, '0.00000015'],
    [-2e-10, '-0.0000000002'],
    [1.25e22, '12500000000000000000000'],
    [1e300, '1e+300'],
    [-1.2345678901234568e-300, '-1.2345678901234568e-300'],
    [0.12345678901234568, '0.12345678901234568'],
    [undefined, ''],
    [null, ''],
  ])('writes %s as %j', (value, text) => {
    const written = printCell(columnOf(0.5), value)
    expect(written).toBe(text)
    expect(written.length).toBeLessThanOrEqual(24)
    if (typeof value === 'number') expect(Number(written)).toBe(value)
  })

  it('writes truth with a letter', () => {
    expect([true, false, undefined].map((value) => printCell(columnOf(true), value))).toEqual(['T', 'F', '?'])
  })

  it('writes anything in a column of texts', () => {
    expect([true, 5, 'x'].map((value) => printCell(columnOf('x', 5), value))).toEqual(['true', '5', 'x'])
  })
})

function propertiesOf(...rows: Record<string, number>[]): readonly string[] {
  const list = new ColumnList()
  for (const row of rows) list.add(row)
  return list.toColumns((properties) => properties).map(({ property }) => property)
}

describe('the list of columns', () => {
  it('puts what a later row brings behind what it stands behind there', () => {
    expect(propertiesOf({ a: 1, d: 1 }, { a: 1, b: 1, c: 1, d: 1 }, { z: 1, a: 1 })).toEqual(['z', 'a', 'b', 'c', 'd'])
  })

  it('counts columns and takes the order it is given', () => {
    const list = new ColumnList()
    list.add({ a: 1, b: 'x' })
    list.add({ b: 'longer' })
    expect(list.size).toBe(2)
    expect(list.toColumns((properties) => properties.toReversed())).toEqual([
      { property: 'b', form: 'text', width: 6 },
      { property: 'a', form: 'integer', width: 1 },
    ])
  })
})
