import fc from 'fast-check'
import { expect, test } from 'vitest'
import { seed } from '../../../../../test/support/seed.ts'
import { patternMatcher } from '../../../../query/pattern/keyword-pattern-matcher.ts'
import { parseKeywordPattern } from '../../../../query/pattern/keyword-pattern-parser.ts'
import { codesOfPattern, isPlainText, requiredText } from './pattern-terms.ts'

const word = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '𝄞', '\uFFFD'), maxLength: 5 })
const piece = fc.constantFrom('a', 'b', 'ab', 'aa', 'é', '𝄞', '.', '.*', 'a?', '(a|b)', '[ab]', '\uD834')
const pattern = fc
  .tuple(fc.constantFrom('', '^'), fc.array(piece, { minLength: 1, maxLength: 4 }), fc.constantFrom('', '$'))
  .map(([start, pieces, end]) => parseKeywordPattern(start + pieces.join('') + end, 100))

/** Terms as a dictionary keeps them: their bytes one after the other. */
function dictionaryOf(terms: readonly string[]) {
  const parts = terms.map((term) => Buffer.from(term))
  const starts = new Uint32Array(terms.length + 1)
  for (const [i, part] of parts.entries()) starts[i + 1] = (starts[i] ?? 0) + part.length
  // Growing dictionaries have room for further terms.
  return { bytes: Buffer.concat([...parts, Buffer.from('aaab')]), starts }
}

test('the terms of a pattern are those that match it', () => {
  fc.assert(
    fc.property(fc.uniqueArray(word, { maxLength: 40 }), pattern, (terms, like) => {
      fc.pre(requiredText(like) !== '')
      const matches = patternMatcher(like)
      const expected = terms.flatMap((term, i) => (matches(term) ? [i + 1] : []))
      const found = codesOfPattern(like, dictionaryOf(terms), (code) => terms[code - 1] ?? '')
      expect([...found]).toEqual(expected)
    }),
    { seed, numRuns: 2_000 },
  )
})

test('a text is found in terms without reading them', () => {
  const terms = ['owner1', 'owner12', 'owner2', 'own', 'er12']
  const unread = (): string => expect.fail('a term was read')
  expect([...codesOfPattern(parseKeywordPattern('er12', 100), dictionaryOf(terms), unread)]).toEqual([2, 5])
  expect(isPlainText(parseKeywordPattern('^er12', 100))).toBe(false)
  expect(requiredText(parseKeywordPattern('a.*owner', 100))).toBe('owner')
})
