import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findJsonFault } from './json-fault.ts'

describe('where a text stops being JSON', () => {
  test.each([
    ['{bad json', 1, 2],
    ['{"a":1,}', 1, 8],
    ['{"a":1,\n  "b" 2}', 2, 7],
    ['[1,\n2,\n]', 3, 1],
    ['[1 2]', 1, 4],
    ['{"a":tru}', 1, 6],
    ['{"a":01}', 1, 7],
    ['{"a":1.}', 1, 7],
    ['{"a":"x\ny"}', 1, 8],
    ['"\\q"', 1, 2],
    ['{"é🜚":1]', 1, 8],
    ['{} x', 1, 4],
    ['{"a"', 1, 5],
    ['{"a":"b', 1, 8],
    ['[[1]', 1, 5],
    ['}', 1, 1],
    ['{,}', 1, 2],
    ['[,]', 1, 2],
    ["{'a':1}", 1, 2],
    ['', 1, 1],
    ['{"a":1}\r\n}', 2, 1],
  ])('%j', (text, line, column) => {
    expect(findJsonFault(text)).toEqual({ line, column })
  })

  test('a text cut anywhere stops at its end, or where a number or a word was cut', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(), (value, cut) => {
        const whole = `{"a":${JSON.stringify(value)}}`
        const text = whole.slice(0, cut % whole.length)
        const { line, column } = findJsonFault(text)
        expect(line).toBe(1)
        expect(column).toBeLessThanOrEqual([...text].length + 1)
        expect([...text].slice(column - 1).join('')).toMatch(/^(?:"?\\?u?[0-9A-Fa-f]*|[-.0-9eE+]*|[a-z]*)(?:.{0,5})$/)
      }),
    )
  })

  test('a megabyte of brackets or of text is no burden', () => {
    const size = 1 << 20
    expect(findJsonFault('['.repeat(size)).column).toBe(size + 1)
    expect(findJsonFault(`"${'x'.repeat(size)}`).column).toBe(size + 2)
    expect(findJsonFault(`"${'\\n'.repeat(size / 2)}`).column).toBe(size + 2)
  })
})
