import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Problem } from '../../errors.ts'
import { parseTriplets } from './triplets.ts'

const one = (field: string, op: string, value: string) => [[{ field, op, value }]]

describe('triplets', () => {
  test.each([
    ['params.job:eq:Actor', one('params.job', 'eq', 'Actor')],
    ['a:eq:b:', one('a', 'eq', 'b:')],
    ['a:eq::', one('a', 'eq', ':')],
    ['a:eq:b:c', one('a', 'eq', 'b:c')],
    ['label:eq:a\\;b', one('label', 'eq', 'a;b')],
    ['label:like:a\\d\\,\\\\', one('label', 'like', 'a\\d\\,\\\\')],
    ['a:eq:1;;b:ne:2;', [[...one('a', 'eq', '1').flat(), ...one('b', 'ne', '2').flat()]]],
    [';;', [[]]],
    [
      'params.job:like:Actor\\;x;params.job:like:Coach',
      [[...one('params.job', 'like', 'Actor;x').flat(), ...one('params.job', 'like', 'Coach').flat()]],
    ],
  ])('f=%s', (text, expected) => {
    expect(parseTriplets([text], []).f).toEqual(expected)
  })

  test.each([['params.job:eq'], ['a'], [':eq:x'], ['a::x'], ['a:eq:'], ['a:eq:x;b'], [' ']])(
    'f=%s is refused',
    (text) => {
      expect(() => parseTriplets([text], [])).toThrow(expect.objectContaining({ code: 'INVALID_FILTER' }))
    },
  )

  test('the message names the piece', () => {
    expect(() => parseTriplets(['a:eq:1;oops'], [])).toThrow("got 'oops'")
  })

  test('q is split like f', () => {
    expect(parseTriplets([], ['a;b', 'c\\;d', ';']).q).toEqual([['a', 'b'], ['c;d'], []])
  })

  test('what is escaped and joined comes back', () => {
    const value = fc.string({ unit: fc.constantFrom('a', ';', ':', ','), minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 4 }), (values) => {
        const text = values.map((v) => `f:eq:${v.replaceAll(';', '\\;')}`).join(';')
        expect(parseTriplets([text], []).f[0]?.map((e) => e.value)).toEqual(values)
      }),
    )
  })

  test('garbage is a client error or a filter', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        try {
          parseTriplets([text], [text])
        } catch (error) {
          expect(error).toBeInstanceOf(Problem)
        }
      }),
    )
  })
})
