import { expect, it } from 'vitest'
import { ColumnList } from './column-list.ts'

function propertiesOf(...rows: Record<string, number>[]): readonly string[] {
  const list = new ColumnList()
  for (const row of rows) list.add(row)
  return list.toColumns((properties) => properties).map(({ property }) => property)
}

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
