import { describe, expect, it } from 'vitest'
import { checkFieldCount, countFields, firstFields } from './field-limit.ts'
import type { Mapping } from './mapping.ts'

const leaf = { type: 'keyword' } as const
const mapping: Mapping = {
  properties: {
    a: leaf,
    o: { type: 'object', properties: { b: leaf, c: leaf } },
    empty: { type: 'object', properties: {} },
    t: { type: 'text', fields: { raw: leaf } },
  },
}

it('objects and sub-fields count as fields', () => {
  expect(countFields(mapping)).toBe(7)
  expect(countFields({ properties: {} })).toBe(0)
})

describe('checkFieldCount', () => {
  it('refuses more fields than there may be, and names the setting', () => {
    expect(() => checkFieldCount(mapping, 7)).not.toThrow()
    expect(() => checkFieldCount(mapping, 6)).toThrow('limits.fields')
  })

  it('takes an index that had them before', () => {
    expect(() => checkFieldCount(mapping, 6, mapping)).not.toThrow()
    expect(() => checkFieldCount(mapping, 6, { properties: { a: leaf } })).toThrow('limits.fields')
  })
})

describe('firstFields', () => {
  const paths = (most: number) => Object.keys(firstFields(mapping, most)?.properties ?? {})

  it('takes them in their order', () => {
    expect(firstFields(mapping, 100)).toEqual(mapping)
    expect([0, 1, 3, 4, 5].map(paths)).toEqual([[], ['a'], ['a', 'o'], ['a', 'o'], ['a', 'o', 'empty']])
    expect(firstFields(mapping, 3)?.properties.o).toEqual({ type: 'object', properties: { b: leaf } })
  })

  it('leaves an object out when none of its fields fits', () => {
    expect(paths(2)).toEqual(['a'])
  })
})
