import { describe, expect, test } from 'vitest'
import { Problem } from '../errors.ts'
import type { FieldType } from '../model/field-type.ts'
import type { TagAction } from '../model/tag-request.ts'
import type { Field } from '../query/schema/field.ts'
import { checkTagValue } from './tag-value.ts'

const fieldOf = (type: FieldType, format?: string): Field => ({
  path: 'f',
  type,
  indexed: true,
  nested: false,
  ...(format === undefined ? {} : { format }),
})

function refusal(value: unknown, field: Field | undefined, action: TagAction = 'ADD'): string | undefined {
  try {
    checkTagValue(value, { path: 'some.path', field, action })
    return undefined
  } catch (error) {
    if (error instanceof Problem && error.code === 'INVALID_TAG') return error.message
    throw error
  }
}

const text = '2024-05-01T00:00:00Z'

const table: readonly (readonly [string, Field | undefined, readonly unknown[], readonly unknown[]])[] = [
  ['KEYWORD', fieldOf('KEYWORD'), ['a', 7, 7.5, true], []],
  ['TEXT', fieldOf('TEXT'), ['a', 7, false], []],
  ['LONG', fieldOf('LONG'), [7, -7, 7.0, 2 ** 53 - 1, 1 - 2 ** 53], ['7', 7.5, true]],
  ['INTEGER', fieldOf('INTEGER'), [2147483647, -2147483648], [2147483648, -2147483649, '1']],
  ['SHORT', fieldOf('SHORT'), [32767, -32768], [32768, -32769]],
  ['BYTE', fieldOf('BYTE'), [127, -128, -0], [128, -129, 0.5]],
  ['DOUBLE', fieldOf('DOUBLE'), [7, 7.5, -1e-300], ['7.5', true]],
  ['FLOAT', fieldOf('FLOAT'), [7, 7.5], ['7.5', false]],
  ['BOOLEAN', fieldOf('BOOLEAN'), [true, false], ['true', 1, 0]],
  ['DATE', fieldOf('DATE'), [0, 1794736800000, text, '2024'], ['yesterday', 1.5, true]],
  ['DATE with a pattern', fieldOf('DATE', 'dd/MM/yyyy'), ['01/05/2024', 1794736800000], [text]],
  ['DATE with a format of others', fieldOf('DATE', 'basic_t_time||dd/MM/yyyy'), ['T101112Z'], [1.5]],
  ['IP', fieldOf('IP'), ['10.0.0.1', '::1'], ['10.0.0', 'host', 1, true]],
  ['a new field', undefined, ['a', 7, 7.5, true], []],
]

describe('values by the type of the field', () => {
  test.each(table)('%s', (_name, field, accepted, refused) => {
    for (const value of accepted) expect([value, refusal(value, field)]).toEqual([value, undefined])
    for (const value of refused) {
      const message = refusal(value, field)
      expect([value, message]).toEqual([value, expect.stringContaining('some.path')])
      expect(message).toContain(field === undefined ? 'does not exist yet' : `type ${field.type}`)
      expect(message).toContain(`got '${String(value)}'`)
      // A value to remove need not fit the field: it may be older than the mapping.
      expect(refusal(value, field, 'REMOVE')).toBeUndefined()
    }
  })
})

describe('what is no value anywhere', () => {
  test.each([
    ['', 'must not be empty'],
    [{ a: 1 }, 'must be a string, a number or a boolean'],
    [['a'], 'must be a string, a number or a boolean'],
    [Number.POSITIVE_INFINITY, '64-bit'],
    [2 ** 53, '2^53-1'],
    [-(2 ** 53), '2^53-1'],
    [1e300, '2^53-1'],
    ['\ud800', 'valid Unicode'],
    ['x'.repeat(32_767), 'at most 32766 bytes'],
    ['é'.repeat(16_384), 'at most 32766 bytes'],
  ])('%j', (value, words) => {
    for (const action of ['ADD', 'REMOVE'] as const) {
      expect(refusal(value, undefined, action)).toContain(words)
      expect(refusal(value, fieldOf('KEYWORD'), action)).toContain('some.path, a field of type KEYWORD')
    }
  })

  test('long ones are cut in the message', () => {
    expect(refusal('x'.repeat(40_000), undefined)?.match(/x{90,}/)?.[0]).toHaveLength(100)
    expect(refusal(['x'.repeat(40_000)], undefined)?.length).toBeLessThan(250)
  })

  test('the longest is taken', () => {
    expect(refusal('x'.repeat(32_766), undefined)).toBeUndefined()
    expect(refusal('é'.repeat(16_383), fieldOf('KEYWORD'))).toBeUndefined()
  })
})
