import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findJsonExcess } from './json-bounds.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

/** Counts the values and keys of a JSON value. */
function countNodes(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + countNodes(item), 1)
  if (typeof value !== 'object' || value === null) return 1
  return Object.values(value).reduce((sum: number, member) => sum + 1 + countNodes(member), 1)
}

describe('findJsonExcess', () => {
  it('bounds the depth', () => {
    const nested = (depth: number): Uint8Array => bytes('['.repeat(depth) + ']'.repeat(depth))
    expect(findJsonExcess(nested(100), 1000)).toBeUndefined()
    expect(findJsonExcess(nested(101), 1000)?.reason).toBe('must not be nested deeper than 100 levels')
  })

  it.each([
    ['empty arrays', `[${'[],'.repeat(999)}[]]`],
    ['keys', JSON.stringify(Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [i, 1])))],
    ['numbers', JSON.stringify(Array.from({ length: 1001 }, () => 1))],
  ])('bounds the number of %s', (_name, text) => {
    expect(findJsonExcess(bytes(text), 1000)).toEqual({
      reason: 'must not have more than 1000 values and keys',
      setting: 'limits.jsonNodes',
    })
    expect(findJsonExcess(bytes(text), 3000)).toBeUndefined()
  })

  it('bounds the keys of one object', () => {
    const object = (count: number): string =>
      JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, i) => [i, 1])))
    const many = Array.from({ length: 3 }, () => object(10_000)).join()
    expect(findJsonExcess(bytes(`[{"a":{},"b":${object(10_000)}},${many}]`), 1_000_000)).toBeUndefined()
    const reason = 'must not have an object with more than 10000 keys'
    expect(findJsonExcess(bytes(`[${many},${object(10_001)}]`), 1_000_000)).toEqual({ reason })
    expect(findJsonExcess(bytes(`}}${':'.repeat(5)}`), 1_000_000)).toBeUndefined()
  })

  it('does not look into texts', () => {
    expect(findJsonExcess(bytes(JSON.stringify({ a: ',:[{'.repeat(1000), '\\"[': '\\' })), 10)).toBeUndefined()
    expect(findJsonExcess(bytes('"no end ['), 2)).toBeUndefined()
  })

  it('counts a value once or twice', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const text = bytes(JSON.stringify(value))
        const nodes = countNodes(value)
        expect(findJsonExcess(text, 2 * nodes)).toBeUndefined()
        expect(findJsonExcess(text, Math.ceil(nodes / 2) - 1)).toBeDefined()
      }),
      { numRuns: 2000 },
    )
  })
})
