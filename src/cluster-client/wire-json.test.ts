import { describe, expect, test } from 'vitest'
import { parseWire, printWire } from './wire-json.ts'

describe('JSON to and from a cluster', () => {
  test.each([
    ['9007199254740992', 9007199254740992n],
    ['-9223372036854775808', -9223372036854775808n],
    ['18446744073709551615', 18446744073709551615n],
    ['9007199254740991', 9007199254740991],
    ['1794747440261000', 1794747440261000],
    ['12345678901234567.5', Number('12345678901234567.5')],
    ['12345678901234567e3', Number('12345678901234567e3')],
    ['3.14159265358979323846', Math.PI],
    ['-0', -0],
  ])('%s keeps its digits wherever it stands', (text, value) => {
    expect(parseWire(text)).toBe(value)
    expect(parseWire(`{"a":${text}}`)).toEqual({ a: value })
    expect(parseWire(`{ "a" : [ 1,${text},\n${text} ] }`)).toEqual({ a: [1, value, value] })
    expect(parseWire(`{"a":"x","b":{"c":[${text}]}}`)).toEqual({ a: 'x', b: { c: [value] } })
  })

  test('digits in a text stay a text', () => {
    const text = '{"a":":12345678901234567890","12345678901234567890":1}'
    expect(parseWire(text)).toEqual({ a: ':12345678901234567890', '12345678901234567890': 1 })
  })

  test('integers beyond 2^53 are printed as they are', () => {
    expect(printWire({ a: [18446744073709551615n, 1, '1'] })).toBe('{"a":[18446744073709551615,1,"1"]}')
  })
})
