import { describe, expect, it } from 'vitest'
import { canonicalText } from './canonical-plan.ts'

const field = { path: 'a.b', type: 'KEYWORD', indexed: true, nested: false }
const square = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 0],
]
const geo = (area: object): object => ({ kind: 'geo', field, relation: 'within', area })

describe('the text of a plan', () => {
  it.each([
    ['the order of members', { a: 1, b: { c: 2, d: [3] } }, { b: { d: [3], c: 2 }, a: 1 }],
    ['members that are undefined', { a: 1, b: undefined }, { a: 1 }],
  ])('does not depend on %s', (_name, one, other) => {
    expect(canonicalText(one)).toBe(canonicalText(other))
  })

  it.each([
    ['1', 1],
    [1, 1n],
    ['1n', 1n],
    [9007199254740993n, 9007199254740992n],
    [true, 'true'],
    [null, 'null'],
    [0, -0],
    [Number.POSITIVE_INFINITY, 'Infinity'],
    [1e21, 1e21 + 2 ** 20],
    ['a","b', ['a', 'b']],
    [['a,b'], ['a', 'b']],
    [[['a'], 'b'], [['a', 'b']]],
    [{ a: [] }, { a: {} }],
    [{ 'a":1,"b': 1 }, { a: 1, b: 1 }],
    ['\ud800', '\udbff'],
    [{ field }, { field: { ...field, type: 'TEXT' } }],
    [{ field }, { field: { ...field, path: 'a.c' } }],
    [geo({ polygons: [[square]] }), geo({ polygons: [[square, square]] })],
    [geo({ boxes: [{ west: 0, east: 1 }] }), geo({ boxes: [{ west: 0, east: 1.0000000000000002 }] })],
  ])('tells %o from %o', (one, other) => {
    expect(canonicalText(one)).not.toBe(canonicalText(other))
  })

  it.each([[new Map([[1, 2]])], [new Set([1])], [() => 1], [Symbol('a')]])('refuses %o', (value) => {
    expect(() => canonicalText({ value })).toThrow('plain data')
  })
})
