import fc from 'fast-check'
import { expect, it } from 'vitest'
import { compareCodePoints } from '../../../query/value/code-point-order.ts'
import { mergeTerms } from './build/build-dictionary.ts'
import { SortedDictionary } from './sorted-dictionary.ts'
import { GrowingDictionary } from './tail/growing-dictionary.ts'

const term = fc.oneof(fc.string({ unit: 'binary', maxLength: 4 }), fc.string({ maxLength: 2 }))

function sorted(terms: readonly string[]): SortedDictionary {
  const growing = new GrowingDictionary()
  for (const term of terms) growing.add(term)
  const dictionary = growing.view()
  return new SortedDictionary(mergeTerms([{ dictionary, isUsed: new Uint8Array(dictionary.size + 1).fill(1) }]).data)
}

it('finds terms and bounds', () => {
  fc.assert(
    fc.property(fc.array(term), fc.array(term), (terms, others) => {
      const expected = [...new Set(terms)].sort(compareCodePoints)
      const dictionary = sorted(terms)
      expect(dictionary.size).toBe(expected.length)
      expect(expected.map((_, i) => dictionary.term(i + 1))).toEqual(expected)
      for (const sought of [...expected, ...others]) {
        expect(dictionary.codeOf(sought)).toBe(expected.indexOf(sought) + 1)
        const from = expected.findIndex((known) => compareCodePoints(known, sought) >= 0)
        expect(dictionary.firstFrom(sought)).toBe((from < 0 ? expected.length : from) + 1)
      }
    }),
  )
})

it('decodes terms in any order', () => {
  const expected = Array.from({ length: 2000 }, (_, i) => (i % 700 === 5 ? `é${i}` : `term ${i}`)).sort(
    compareCodePoints,
  )
  const dictionary = sorted(expected)
  const inTurn = expected.map((_, i) => i + 1)
  const codes = [...inTurn, ...inTurn, 5, 6, 7, 1999, 2000, 3, 4, ...inTurn.toReversed(), 300, 301, 258, 259]
  expect(codes.map((code) => dictionary.term(code))).toEqual(codes.map((code) => expected[code - 1]))
})

it('keeps the size of a view of a growing dictionary', () => {
  const growing = new GrowingDictionary()
  const [a, b] = [growing.add('a'), growing.add('b')]
  const view = growing.view()
  expect(growing.add('c')).not.toBe(growing.add('a'))
  expect([view.size, view.codeOf('a'), view.codeOf('b'), view.codeOf('c')]).toEqual([2, a, b, 0])
  expect(growing.view().codeOf('c')).toBe(3)
  expect(growing.add('\ud800')).toBe(growing.add('\ufffd'))
})
