import { expect, test } from 'vitest'
import { flatten } from './flatten.ts'

test('keys are joined, elements numbered, empty things vanish', () => {
  expect(
    flatten({
      id: 'x',
      a: { b: { c: 1, d: true, e: null }, f: {}, g: [] },
      list: [1, { x: 'y' }, [2, null]],
      'dotted.key': { z: 0 },
      empty: '',
    }),
  ).toEqual({
    id: 'x',
    a_b_c: 1,
    a_b_d: true,
    list_0: 1,
    list_1_x: 'y',
    list_2_0: 2,
    'dotted.key_z': 0,
    empty: '',
  })
})

test('of two equal keys the first in document order stays', () => {
  expect(flatten({ a: { b: 1 }, a_b: 2 })).toEqual({ a_b: 1 })
  expect(flatten({ a_b: 2, a: { b: 1 } })).toEqual({ a_b: 2 })
})

test('a key named __proto__ is data', () => {
  const flat = flatten(JSON.parse('{"__proto__":{"x":1},"a":{"__proto__":2}}'))
  expect(JSON.stringify(flat)).toBe('{"__proto___x":1,"a___proto__":2}')
  expect(JSON.stringify(flatten(JSON.parse('{"__proto__":3}')))).toBe('{"__proto__":3}')
})
