import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hashOf } from '../byte-hash.ts'
import { GrowingDictionary } from './growing-dictionary.ts'

const term = fc.oneof(
  fc.constantFrom('', 'a', 'é', '\u{1f600}', '\ud800', '\ufffd', 'z'.repeat(300)),
  fc.string({ unit: 'binary', maxLength: 4 }),
  fc.string({ maxLength: 2 }),
)
/** Two terms each with the same hash. */
const twins = ['costarring', 'liquid', 'declinate', 'macallums', 'altarage', 'zinke']
const hash = (text: string): number => hashOf(Buffer.from(text), 0, Buffer.byteLength(text))

describe('a growing dictionary', () => {
  it('gives each term a code, in order of first appearance', () => {
    fc.assert(
      fc.property(fc.array(term, { maxLength: 200 }), fc.array(term), (terms, others) => {
        const dictionary = new GrowingDictionary()
        const codes = terms.map((added) => dictionary.add(added))
        const expected = [...new Set(terms.map((added) => added.toWellFormed()))]
        expect(codes).toEqual(terms.map((added) => expected.indexOf(added.toWellFormed()) + 1))
        const view = dictionary.view()
        expect(expected.map((_, i) => view.term(i + 1))).toEqual(expected)
        for (const sought of [...terms, ...others])
          expect(view.codeOf(sought)).toBe(expected.indexOf(sought.toWellFormed()) + 1)
      }),
    )
  })

  it('adds terms from the middle of bytes', () => {
    const dictionary = new GrowingDictionary()
    const bytes = Buffer.from('été, été, ét')
    const codes = [
      [0, 5],
      [7, 12],
      [14, 17],
      [3, 3],
    ].map(([from = 0, to = 0]) => dictionary.addBytes(bytes, from, to))
    expect(codes).toEqual([1, 1, 2, 3])
    expect([1, 2, 3].map((code) => dictionary.term(code))).toEqual(['été', 'ét', ''])
  })

  it('tells apart terms with the same hash', () => {
    expect(twins.map(hash)).toEqual(twins.map((_, i) => hash(twins[i - (i % 2)] ?? '')))
    const dictionary = new GrowingDictionary()
    const before = dictionary.add('before')
    const codes = twins.map((twin) => dictionary.add(twin))
    for (let i = 0; i < 1000; i++) dictionary.add(`term ${i}`)
    expect(new Set([before, ...codes]).size).toBe(7)
    expect(twins.map((twin) => dictionary.codeOf(twin))).toEqual(codes)
    expect(codes.map((code) => dictionary.term(code))).toEqual(twins)
  })

  it('finds all terms after the table has grown', () => {
    const dictionary = new GrowingDictionary()
    const terms = Array.from({ length: 5000 }, (_, i) => `${i}`)
    const views = terms.map((added) => {
      dictionary.add(added)
      return dictionary.view()
    })
    expect(terms.map((sought) => dictionary.codeOf(sought))).toEqual(terms.map((_, i) => i + 1))
    const [early] = views
    expect([early?.size, early?.codeOf('0'), early?.codeOf('1'), early?.term(2)]).toEqual([1, 1, 0, ''])
  })
})
