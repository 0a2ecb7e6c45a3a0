import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { FieldType } from '../../model/field-type.ts'
import type { Field } from '../schema/field.ts'
import { type Decimal, numberOf, numberRange, parseDecimal } from './numbers.ts'

const decimal = (text: string): Decimal => {
  const parsed = parseDecimal(text)
  if (parsed === undefined) throw new Error(`${text} is no number`)
  return parsed
}
const of = (type: FieldType): Field => ({ path: 'n', type, indexed: true, nested: false })
const above = (type: FieldType, text: string, inclusive: boolean) =>
  numberRange(of(type), { decimal: decimal(text), inclusive })
const below = (type: FieldType, text: string, inclusive: boolean) =>
  numberRange(of(type), undefined, { decimal: decimal(text), inclusive })

describe('numbers', () => {
  test.each([
    ['0'],
    ['-1'],
    ['+1'],
    [' 1 '],
    ['1.5'],
    ['.5'],
    ['1.'],
    ['1e3'],
    ['1E-3'],
    ['1e+3'],
    ['-0.0e0'],
    ['007'],
  ])('%s is a number', (text) => expect(parseDecimal(text)).toBeDefined())
  test.each([
    [''],
    [' '],
    ['.'],
    ['e5'],
    ['NaN'],
    ['Infinity'],
    ['0x10'],
    ['1 2'],
    ['1,5'],
    ['1_000'],
    ['--1'],
    ['1e'],
    ['old'],
    ['1n'],
  ])('%s is not', (text) => expect(parseDecimal(text)).toBeUndefined())

  test.each<[FieldType, string, bigint | number | undefined]>([
    ['INTEGER', '400', 400n],
    ['INTEGER', '400.0', 400n],
    ['INTEGER', '4e2', 400n],
    ['INTEGER', '40000e-2', 400n],
    ['INTEGER', '400.5', undefined],
    ['INTEGER', '-0', 0n],
    ['INTEGER', '0e999999999999999999', 0n],
    ['INTEGER', '2147483647', 2147483647n],
    ['INTEGER', '2147483648', undefined],
    ['INTEGER', '-2147483648', -2147483648n],
    ['SHORT', '32768', undefined],
    ['BYTE', '-128', -128n],
    ['BYTE', '128', undefined],
    ['LONG', '9007199254740993', 9007199254740993n],
    ['LONG', '9223372036854775807', 9223372036854775807n],
    ['LONG', '9223372036854775808', undefined],
    ['LONG', '-9223372036854775808', -9223372036854775808n],
    ['LONG', '1e18', 10n ** 18n],
    ['LONG', '1e400', undefined],
    ['LONG', '1e-400', undefined],
    ['LONG', '9223372036854775807.0000000000000000001', undefined],
    ['DOUBLE', '0.1', 0.1],
    ['DOUBLE', '-0', 0],
    ['DOUBLE', '1e999', undefined],
    ['FLOAT', '0.1', Math.fround(0.1)],
    ['FLOAT', '1e39', undefined],
  ])('the %s equal to %s', (type, text, expected) => {
    expect(Object.is(numberOf(type, decimal(text)), expected)).toBe(true)
  })

  const exists = (type: FieldType) => ({ kind: 'exists', field: of(type) })
  const lower = (type: FieldType, value: bigint | number, inclusive = true) => ({
    kind: 'range',
    field: of(type),
    lower: { value, inclusive },
  })
  const upper = (type: FieldType, value: bigint | number, inclusive = true) => ({
    kind: 'range',
    field: of(type),
    upper: { value, inclusive },
  })

  test('integers get the nearest integer bound', () => {
    expect(above('INTEGER', '1.5', true)).toEqual(lower('INTEGER', 2n))
    expect(above('INTEGER', '1.5', false)).toEqual(lower('INTEGER', 2n))
    expect(above('INTEGER', '-1.5', false)).toEqual(lower('INTEGER', -1n))
    expect(above('INTEGER', '2', false)).toEqual(lower('INTEGER', 3n))
    expect(below('INTEGER', '1.5', false)).toEqual(upper('INTEGER', 1n))
    expect(below('INTEGER', '-1.5', true)).toEqual(upper('INTEGER', -2n))
    expect(below('INTEGER', '2', false)).toEqual(upper('INTEGER', 1n))
    expect(below('LONG', '1e-30', false)).toEqual(upper('LONG', 0n))
    expect(above('LONG', '-1e-30', false)).toEqual(lower('LONG', 0n))
  })

  test('beyond the type: nothing, or whatever has a value', () => {
    expect(above('BYTE', '127', false)).toEqual({ kind: 'nothing' })
    expect(above('BYTE', '128', true)).toEqual({ kind: 'nothing' })
    expect(above('BYTE', '-1000', true)).toEqual(exists('BYTE'))
    expect(below('BYTE', '1000', true)).toEqual(exists('BYTE'))
    expect(below('BYTE', '-128', false)).toEqual({ kind: 'nothing' })
    expect(below('LONG', '1e30', true)).toEqual(exists('LONG'))
    expect(above('LONG', '1e30', true)).toEqual({ kind: 'nothing' })
    expect(below('LONG', '-1e30', true)).toEqual({ kind: 'nothing' })
    expect(above('LONG', '-1e30', true)).toEqual(exists('LONG'))
    expect(below('DOUBLE', '1e999', true)).toEqual(exists('DOUBLE'))
    expect(above('DOUBLE', '1e999', true)).toEqual({ kind: 'nothing' })
    expect(below('FLOAT', '-1e39', true)).toEqual({ kind: 'nothing' })
  })

  test('min above max matches nothing', () => {
    const between = (type: FieldType, a: string, b: string, inclusive: boolean) =>
      numberRange(of(type), { decimal: decimal(a), inclusive }, { decimal: decimal(b), inclusive })
    expect(between('INTEGER', '100', '10', true)).toEqual({ kind: 'nothing' })
    expect(between('INTEGER', '1', '2', false)).toEqual({ kind: 'nothing' })
    expect(between('DOUBLE', '1', '1', false)).toEqual({ kind: 'nothing' })
    expect(between('DOUBLE', '1', '1', true)).toMatchObject({ lower: { value: 1 }, upper: { value: 1 } })
    expect(between('INTEGER', '1.2', '1.8', true)).toEqual({ kind: 'nothing' })
  })

  test('every LONG reads back exactly, in any notation', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
        fc.integer({ min: 0, max: 30 }),
        (n, shift) => {
          expect(numberOf('LONG', decimal(n.toString()))).toBe(n)
          expect(numberOf('LONG', decimal(`${n}${'0'.repeat(shift)}e-${shift}`))).toBe(n)
        },
      ),
    )
  })
})
