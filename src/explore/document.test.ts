import { describe, expect, it } from 'vitest'
import type { FieldType } from '../model/field-type.ts'
import type { Field } from '../query/schema/field.ts'
import { identifies } from './document.ts'

const field = (type: FieldType): Field => ({ path: 'id', type, indexed: true, nested: false })

describe('the document an identifier names', () => {
  it('has that keyword', () => {
    const id = field('KEYWORD')
    expect(identifies(id, '007')).toEqual({ kind: 'equals', field: id, values: ['007'] })
  })

  it.each([
    ['LONG', '9223372036854775807', 9223372036854775807n],
    ['INTEGER', '-17', -17n],
    ['BYTE', '0', 0n],
  ] as const)('has that %s: %s', (type, text, value) => {
    const id = field(type)
    expect(identifies(id, text)).toEqual({ kind: 'equals', field: id, values: [value] })
  })

  it.each([
    ['INTEGER', '007'],
    ['INTEGER', '+1'],
    ['INTEGER', '-0'],
    ['INTEGER', '1.0'],
    ['INTEGER', 'abc'],
    ['INTEGER', '2147483648'],
    ['BYTE', '128'],
    ['LONG', '9223372036854775808'],
    ['LONG', '99999999999999999999999'],
    ['DOUBLE', '1'],
  ] as const)('does not exist for %s %s', (type, text) => {
    expect(identifies(field(type), text)).toEqual({ kind: 'nothing' })
  })
})
