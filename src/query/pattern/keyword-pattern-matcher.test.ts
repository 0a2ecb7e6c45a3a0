import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seed } from '../../../test/support/seed.ts'
import { patternMatcher } from './keyword-pattern-matcher.ts'
import { parseKeywordPattern } from './keyword-pattern-parser.ts'

const matches = (pattern: string, text: string): boolean => patternMatcher(parseKeywordPattern(pattern, 1000))(text)

describe('a pattern tried on a text', () => {
  it.each([
    ['', '', true],
    ['', 'a', true],
    ['b', 'abc', true],
    ['^b', 'abc', false],
    ['c$', 'abc', true],
    ['^abc$', 'abc', true],
    ['^ab$', 'abc', false],
    ['^$', '', true],
    ['^$', 'a', false],
    ['^.$', '\u{1f600}', true],
    ['^.$', '\n', true],
    ['^[^a]$', 'a', false],
    ['^(ab|cd){2}$', 'abcd', true],
    ['^(ab|cd){2}$', 'ab', false],
    ['^a{2,3}$', 'aaaa', false],
    ['^a{2,}$', 'aaaa', true],
    ['^(a?)*$', 'aaa', true],
    ['^((a*)*)*$', 'aab', false],
  ])('%s on %j: %s', (pattern, text, expected) => {
    expect(matches(pattern, text)).toBe(expected)
  })

  it('remembers nothing of the text before', () => {
    const test = patternMatcher(parseKeywordPattern('^ab$', 1000))
    expect(['ab', 'a', 'ab', '', 'abb', 'ab'].map(test)).toEqual([true, false, true, false, false, true])
  })

  it('agrees with the regular expressions of the runtime', () => {
    const atom = fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', 'ab', '\u{1f600}')
    const repeated = fc.tuple(atom, fc.constantFrom('', '', '*', '+', '?', '{2}', '{1,2}', '{0,3}', '{2,}'))
    const branch = fc.array(
      repeated.map(([a, count]) => `(${a})${count}`),
      { minLength: 1, maxLength: 3 },
    )
    const pattern = fc
      .tuple(fc.array(branch, { minLength: 1, maxLength: 3 }), fc.boolean(), fc.boolean(), fc.boolean())
      .map(([branches, start, end, loop]) => {
        const body = `(${branches.map((b) => b.join('')).join('|')})${loop ? '{0,2}' : ''}`
        return `${start ? '^' : ''}${body}${end ? '$' : ''}`
      })
    const text = fc.array(fc.constantFrom('a', 'b', 'c', '\u{1f600}', '\n'), { maxLength: 6 }).map((t) => t.join(''))
    fc.assert(
      fc.property(pattern, fc.array(text, { minLength: 1, maxLength: 5 }), (written, texts) => {
        const test = patternMatcher(parseKeywordPattern(written, 1000))
        const expected = new RegExp(written, 'su')
        for (const each of texts) expect(test(each), `${written} on ${each}`).toBe(expected.test(each))
      }),
      { seed, numRuns: 500 },
    )
  })

  it('follows all ways at once', () => {
    // Backtracking would take 2^5000 steps.
    expect(matches('^(a|a|a?)*b$', 'a'.repeat(5000))).toBe(false)
  })
})
