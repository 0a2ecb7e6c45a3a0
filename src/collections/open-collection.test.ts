import { expect, it } from 'vitest'
import type { Mapping } from '../model/mapping.ts'
import { knownSchema } from './open-collection.ts'

const index = (name: string, mapping: Mapping) => ({ name, mapping, uuid: name, version: '1' })
const one: Mapping = { properties: { a: { type: 'keyword' } } }
const two: Mapping = { properties: { b: { type: 'keyword' } } }

it('has the same schema until an index or a mapping changes', () => {
  const schema = knownSchema([index('x', one)])
  expect(knownSchema([{ ...index('x', one), version: '2' }])).toBe(schema)
  expect(knownSchema([index('y', one)]).indices).toEqual(['y'])
  expect(knownSchema([index('x', one), index('y', two)]).fields.map((field) => field.path)).toEqual(['a', 'b'])
  expect(knownSchema([index('x', two)]).fields.map((field) => field.path)).toEqual(['b'])
})
