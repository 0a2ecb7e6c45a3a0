import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { indexMatcher, indexPatternsMeet } from './index-pattern.ts'

describe('two names or patterns of indices', () => {
  test.each([
    ['trips', 'trips', true],
    ['trips', 'trip', false],
    ['trips', 'trips*', true],
    ['trips*', 'trips', true],
    ['*', 'trips', true],
    ['*', '*', true],
    ['a*', 'b*', false],
    ['a*', '*b', true],
    ['a*c', '*b*', true],
    ['ab*', 'a*', true],
    ['ab*yz', 'a*z', true],
    ['ab*y', 'a*z', false],
    ['a*a', 'a', false],
    ['a*', 'a', true],
    ['**', 'a*', true],
    ['trips-2024-*', 'trips-*-01', true],
  ])('%s and %s: %s', (one, other, meet) => {
    expect(indexPatternsMeet(one, other)).toBe(meet)
    expect(indexPatternsMeet(other, one)).toBe(meet)
  })

  test('meet wherever both mean a name', () => {
    const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '*'), maxLength: 5 })
    const name = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 6 })
    fc.assert(
      fc.property(pattern, pattern, name, (one, other, text) => {
        fc.pre(indexMatcher(one)(text) && indexMatcher(other)(text))
        return indexPatternsMeet(one, other)
      }),
    )
  })

  test('and nowhere else', () => {
    const names = ['']
    for (let i = 0; names.length < 2 ** 9 - 1; i++) names.push(`${names[i]}a`, `${names[i]}b`)
    const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '*'), maxLength: 4 })
    fc.assert(
      fc.property(pattern, pattern, (one, other) => {
        const isMeant = names.some((text) => indexMatcher(one)(text) && indexMatcher(other)(text))
        return indexPatternsMeet(one, other) === isMeant
      }),
    )
  })
})

test('a pattern of many stars takes no time', () => {
  const matches = indexMatcher(`${'*a'.repeat(2_000)}*!`)
  const name = 'a'.repeat(255)
  expect([matches(name), indexMatcher(`${'*'.repeat(2_000)}!`)(name)]).toEqual([false, false])
  expect(indexMatcher(`${'*'.repeat(2_000)}a`)(name)).toBe(true)
  expect(indexMatcher('a*a*a')('aa')).toBe(false)
})
