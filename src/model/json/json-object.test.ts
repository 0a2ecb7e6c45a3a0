import { expect, test } from 'vitest'
import type { JsonObject } from './document.ts'
import { mergeDocument } from './json-object.ts'

test('objects are merged key by key, other values are replaced', () => {
  const before: JsonObject = { a: { b: 1, c: [1, 2] }, d: 'x' }
  expect(mergeDocument(before, { a: { c: [3] }, d: { e: null } })).toEqual({ a: { b: 1, c: [3] }, d: { e: null } })
  expect(before).toEqual({ a: { b: 1, c: [1, 2] }, d: 'x' })
})

test('__proto__ is a key like any other', () => {
  const merged = mergeDocument(JSON.parse('{"__proto__":{"a":1}}'), JSON.parse('{"__proto__":{"b":2},"toString":{}}'))
  expect(JSON.stringify(merged)).toBe('{"__proto__":{"a":1,"b":2},"toString":{}}')
  expect(Object.getPrototypeOf(merged)).toBe(Object.prototype)
})
