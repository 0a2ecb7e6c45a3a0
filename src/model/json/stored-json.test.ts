import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import type { ExactInteger } from './exact-integer.ts'
import { parseRewritable } from './exact-json.ts'
import { parseObject } from './json-object.ts'
import { hasShape, parseOwn, parseStored } from './stored-json.ts'

const Secret = Type.Object({ secret: Type.String(), at: Type.Optional(Type.Number()) })

describe('parseStored', () => {
  it('returns the record as it was stored', () => {
    expect(parseStored(Secret, '{"secret":"s","other":null}', 'secret')).toEqual({ secret: 's', other: null })
  })

  it.each([
    ['{"secret":"whsec_', 'The stored secret of x is damaged: it is not JSON'],
    ['[]', 'The stored secret of x is damaged: it must be object'],
    ['{}', "The stored secret of x is damaged: it must have required property 'secret'"],
    ['{"secret":"whsec_","at":"now"}', 'The stored secret of x is damaged: /at must be number'],
  ])('names the record and what is wrong with %s, without quoting it', (text, message) => {
    expect(() => parseStored(Secret, text, 'secret of x')).toThrow(new Error(message))
  })

  it('keeps large integers if asked to', () => {
    const Time = Type.Object({ at: Type.Unsafe<number | ExactInteger>({ type: ['number', 'object'] }) })
    const text = '{"at":9007199254740993}'
    expect(JSON.stringify(parseStored(Time, text, 'time', parseRewritable))).toBe(text)
  })
})

describe('hasShape', () => {
  it('does not take null for absent', () => {
    expect(hasShape(Secret, { secret: 's' })).toBe(true)
    expect(hasShape(Secret, { secret: 's', at: null })).toBe(false)
  })
})

describe('parseOwn', () => {
  it('reads back what was printed, with large integers', () => {
    const text = JSON.stringify({ at: JSON.rawJSON('9007199254740993'), name: 'n' })
    expect(JSON.stringify(parseOwn<{ readonly at: ExactInteger; readonly name: string }>(text))).toBe(text)
  })
})

describe('parseObject', () => {
  it('refuses what is not an object', () => {
    expect(parseObject('{"a":[1]}')).toEqual({ a: [1] })
    for (const text of ['[]', 'null', '1', '"a"']) expect(() => parseObject(text)).toThrow('is not a JSON object')
  })
})
