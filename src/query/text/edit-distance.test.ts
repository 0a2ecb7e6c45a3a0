import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isWithinEdits } from './edit-distance.ts'

describe('isWithinEdits', () => {
  it.each([
    ['jellybean', 'jelybean', 1, true],
    ['candy', 'cndy', 1, true],
    ['candy', 'cadny', 1, true],
    ['candy', 'cnady', 1, true],
    ['candy', 'dcany', 1, false],
    ['candy', 'dcany', 2, true],
    ['candy', 'candies', 2, false],
    ['candy', 'candie', 2, true],
    ['crème', 'creme', 1, true],
    ['a', 'abc', 2, true],
    ['', 'abc', 2, false],
    ['same', 'same', 1, true],
    ['kitten', 'sitting', 2, false],
  ])('%s and %s within %i: %s', (a, b, edits, expected) => {
    expect(isWithinEdits(a, b, edits)).toBe(expected)
    expect(isWithinEdits(b, a, edits)).toBe(expected)
  })
})

/** Computed with the table of distances of all prefixes. */
function distance(a: readonly string[], b: readonly string[]): number {
  const table = a.concat('').map((_, i) => b.concat('').map((__, j) => (i === 0 ? j : i)))
  const at = (i: number, j: number): number => table[i]?.[j] ?? Number.POSITIVE_INFINITY
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const changed = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const isSwapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swapped = isSwapped ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY
      table[i]?.splice(j, 1, Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, changed, swapped))
    }
  }
  return at(a.length, b.length)
}

it('counts as the table of distances does', () => {
  const letter = fc.constantFrom('a', 'b', 'c', '😀')
  const word = fc.array(letter, { maxLength: 8 })
  fc.assert(
    fc.property(word, word, fc.nat(2), (a, b, edits) => {
      expect(isWithinEdits(a.join(''), b.join(''), edits)).toBe(distance(a, b) <= edits)
    }),
    { numRuns: 2000 },
  )
})
