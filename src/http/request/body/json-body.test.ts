import { expect, test } from 'vitest'
import { Problem } from '../../../errors.ts'
import { parseJson } from './json-body.ts'

const parse = (text: string | Uint8Array): unknown => parseJson(typeof text === 'string' ? Buffer.from(text) : text)

function code(text: string | Uint8Array): string {
  try {
    parse(text)
  } catch (error) {
    if (error instanceof Problem) return error.code
    throw error
  }
  return 'none'
}

test('reads JSON of any kind', () => {
  expect(parse('"é"')).toBe('é')
  expect(parse('\ufeff{"a":[1,null]}')).toEqual({ a: [1, null] })
})

test.each([
  ['{', 'MALFORMED_JSON'],
  ["{'a':1}", 'MALFORMED_JSON'],
  ['NaN', 'MALFORMED_JSON'],
  [Uint8Array.of(0x22, 0xc3, 0x28, 0x22), 'MALFORMED_JSON'],
  ['['.repeat(101) + ']'.repeat(101), 'INVALID_BODY'],
  [`${'{"a":'.repeat(200)}1${'}'.repeat(200)}`, 'INVALID_BODY'],
  ['['.repeat(1_000_000), 'INVALID_BODY'],
  ['['.repeat(100) + ']'.repeat(100), 'none'],
  [JSON.stringify('[{'.repeat(500)), 'none'],
  [JSON.stringify(`\\"${'['.repeat(500)}`), 'none'],
])('%j', (text, expected) => {
  expect(code(text)).toBe(expected)
})
