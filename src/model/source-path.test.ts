import { describe, expect, it } from 'vitest'
import { firstAt, removeAt, sourcePath } from './source-path.ts'

describe('first value at a path', () => {
  it.each([
    ['a plain path', { a: { b: 1 } }, 1],
    ['a key with a dot', { 'a.b': 1 }, 1],
    ['an array on the way', { a: [{ c: 0 }, { b: null }, { b: 2 }, { b: 3 }] }, 2],
    ['an array at the end', { a: { b: [3, 4] } }, [3, 4]],
    ['false is a value', { a: { b: false } }, false],
    ['null is none', { a: { b: null } }, undefined],
    ['a scalar on the way', { a: 5 }, undefined],
    ['nothing there', {}, undefined],
  ])('%s', (_, source, expected) => {
    expect(firstAt(source, sourcePath('a.b'))).toEqual(expected)
  })

  it('reads keys with dots at any depth', () => {
    expect(firstAt({ a: { 'b.c': { d: 7 } } }, sourcePath('a.b.c.d'))).toBe(7)
  })

  it('does not see what objects inherit', () => {
    expect(firstAt({}, sourcePath('constructor'))).toBeUndefined()
  })
})

describe('removing a path', () => {
  it.each([
    ['keeps the siblings', { a: { b: 1, c: 2 }, d: 3 }, { a: { c: 2 }, d: 3 }],
    ['drops parents left empty', { a: { b: 1 }, d: 3 }, { d: 3 }],
    ['leaves other empty objects alone', { a: {}, e: {} }, { a: {}, e: {} }],
    ['finds keys with dots', { 'a.b': 1, a: { c: 2 } }, { a: { c: 2 } }],
    ['looks into arrays', { a: [{ b: 1 }, { b: 2, c: 3 }] }, { a: [{ c: 3 }] }],
    ['can empty the document', { a: { b: 1 } }, {}],
    ['removes a null', { a: { b: null, c: null } }, { a: { c: null } }],
  ])('%s', (_, source, expected) => {
    const before = structuredClone(source)
    expect(removeAt(source, sourcePath('a.b'))).toEqual(expected)
    expect(source).toEqual(before)
  })

  it('returns the same object when there is nothing to remove', () => {
    const source = { a: { c: 1 } }
    expect(removeAt(source, sourcePath('a.b'))).toBe(source)
  })
})
