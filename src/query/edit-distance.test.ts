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
