import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ErrorCode, Problem } from '../../errors.ts'
import { type IntegerRange, parseInteger, parseParameters } from './parameters.ts'

function failure(run: () => unknown): Problem {
  try {
    run()
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
  throw new Error('nothing was thrown')
}

describe('names and values', () => {
  test.each([
    ['F=a:eq:1&f=b:eq:2', 'f', ['a:eq:1', 'b:eq:2']],
    ['q=x;y&Q=z', 'q', ['x;y', 'z']],
    ['f=&f=%20&f=+&f=a', 'f', ['a']],
    ['&&size=2', 'size', ['2']],
    ['f=a%2Bb+c%20d', 'f', ['a+b c d']],
    ['f=a=b=c', 'f', ['a=b=c']],
    ['f', 'f', []],
    ['', 'f', []],
    ['f=%C3%A9', 'f', ['é']],
    ['MAX-AGE-CACHE=60', 'max-age-cache', ['60']],
  ])('%s', (query, name, values) => {
    expect(parseParameters(query).all(name)).toEqual(values)
  })

  test('a parameter given twice with different values is refused, with the same value it counts once', () => {
    expect(parseParameters('size=2&size=2&SIZE=2').text('size')).toBe('2')
    expect(parseParameters('size=2&size=').text('size')).toBe('2')
    const error = failure(() => parseParameters('size=2&Size=3').text('size'))
    expect([error.code, error.message]).toEqual(['INVALID_PARAMETER', "size must not be given twice, got '3'"])
  })

  test('unknown parameters are ignored', () => {
    expect(parseParameters('foo=1&bar').text('size')).toBeUndefined()
  })

  test('nothing fails before it is asked for', () => {
    const parameters = parseParameters('f=%ff')
    expect(failure(() => parameters.all('f')).code).toBe('INVALID_PARAMETER')
    expect(failure(() => parseParameters('f=%e0%a4%a').all('size')).code).toBe('INVALID_PARAMETER')
  })

  test('what is encoded comes back', () => {
    const value = fc
      .string({ unit: 'binary', minLength: 1 })
      .filter((text) => text.trim() !== '' && text.isWellFormed())
    fc.assert(
      fc.property(fc.array(value), (values) => {
        const query = values.map((text) => `f=${encodeURIComponent(text)}`).join('&')
        expect(parseParameters(query).all('f')).toEqual(values)
      }),
    )
  })
})

describe('integers', () => {
  const size: IntegerRange = { min: 1, limit: { max: 10_000, setting: 'limits.size' } }

  test.each([
    ['1', 1],
    ['+7', 7],
    ['007', 7],
    ['10000', 10_000],
  ])('%s is %d', (text, value) => {
    expect(parseInteger('size', text, size)).toBe(value)
  })

  test.each<[string, ErrorCode]>([
    ['0', 'INVALID_PARAMETER'],
    ['-1', 'INVALID_PARAMETER'],
    ['foo', 'INVALID_PARAMETER'],
    ['1.5', 'INVALID_PARAMETER'],
    ['1e3', 'INVALID_PARAMETER'],
    ['0x10', 'INVALID_PARAMETER'],
    [' 1', 'INVALID_PARAMETER'],
    ['١', 'INVALID_PARAMETER'],
    ['2147483648', 'INVALID_PARAMETER'],
    ['99999999999999999999', 'INVALID_PARAMETER'],
    ['10001', 'LIMIT_EXCEEDED'],
    ['2147483647', 'LIMIT_EXCEEDED'],
  ])('%s is %s', (text, code) => {
    const error = failure(() => parseInteger('size', text, size))
    expect(error.code).toBe(code)
    expect(error.message).toContain(`'${text}'`)
    if (code === 'LIMIT_EXCEEDED') expect(error.message).toContain('limits.size')
    else expect(error.message).toContain('size must be an integer from 1 to 10000')
  })

  test('minus zero is zero', () => {
    expect(Object.is(parseInteger('from', '-0', { min: 0 }), 0)).toBe(true)
  })
})

test('booleans are true or false in any case', () => {
  const pretty = (text: string): boolean | undefined => parseParameters(`pretty=${text}`).boolean('pretty')
  expect(['true', 'TRUE', 'True'].map(pretty)).toEqual([true, true, true])
  expect(['false', 'FALSE'].map(pretty)).toEqual([false, false])
  expect(pretty('')).toBeUndefined()
  for (const text of ['1', 'yes', 'tru', 'true%20']) expect(failure(() => pretty(text)).code).toBe('INVALID_PARAMETER')
})
