import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isWithinEdits } from './edit-distance.ts'
import { fuzzyPattern } from './fuzzy-pattern.ts'

/** The pattern in JavaScript syntax, anchored at both ends. */
const regex = (word: string, edits: number): RegExp => {
  const pattern = fuzzyPattern(word, edits, '.')
  if (pattern === undefined) throw new Error(`no pattern of ${word}`)
  return new RegExp(`^${pattern.replaceAll('\\x{', '\\u{')}$`, 'su')
}

describe('fuzzyPattern', () => {
  it('matches the texts within so many edits of a word, and no others', () => {
    const letters = fc.constantFrom('a', 'b', 'c', 'é', '.', '(', '\\', '\u{1f600}')
    const word = fc.array(letters, { maxLength: 4 }).map((list) => list.join(''))
    fc.assert(
      fc.property(word, word, fc.constantFrom(1, 2), (text, of, edits) => {
        expect(regex(of, edits).test(text)).toBe(isWithinEdits(text, of, edits))
      }),
      { numRuns: 1000 },
    )
  })

  it('is not made of words that are too long', () => {
    expect(fuzzyPattern('a'.repeat(12), 2, '.')).toBeDefined()
    expect(fuzzyPattern('a'.repeat(13), 2, '.')).toBeUndefined()
    expect(fuzzyPattern('a'.repeat(40), 1, '.')).toBeDefined()
    expect(fuzzyPattern('a'.repeat(41), 1, '.')).toBeUndefined()
  })
})
