import { describe, expect, it } from 'vitest'
import { lowerCaseToken } from '../../../query/text/text-analysis.ts'
import { beginsWord } from '../../../query/text/word-starts.ts'
import { wordStartPattern } from './word-start-pattern.ts'

/** Converts to a RegExp: Lucene anchors at both ends, and its dot matches any character. */
function toRegExp(pattern: string): RegExp {
  const quoted = pattern.replace(/\\([\s\S])/g, (_, c: string) => `\\u{${c.charCodeAt(0).toString(16)}}`)
  return new RegExp(`^(?:${quoted})$`, 'su')
}

const TERMS = [
  'Actor',
  'Cost Estimator',
  'a.coder',
  'a. coder',
  'co-driver',
  '_coder',
  "d'oder",
  '"Code" (%_\\)',
  'a\nCoda',
  'ΟΔΟΣ',
  'Étoile',
  'İzmir',
  'Kelvin',
  '東京 Tower',
  '東京tower',
  'カタカナabc',
  'กรุงเทพabc',
  'שלום"ם',
  '😀 code',
  '\uffee',
  '𐐀𐐁 x',
  ' ',
  `${'a'.repeat(254)}ecode`,
  `${'😀'.repeat(3)}${'𐐀'.repeat(127)}𐐁x`,
  `b ${'9.'.repeat(130)}7`,
]

describe('the pattern of terms with a word that begins with a prefix', () => {
  it('holds for every term that the rule accepts', () => {
    for (const term of TERMS) {
      const lower = lowerCaseToken(term)
      for (let at = 0; at < lower.length; at++) {
        for (const length of [1, 2, 3, 9, 20]) {
          const prefix = lower.slice(at, at + length)
          if (!prefix.isWellFormed() || !beginsWord(term, prefix)) continue
          expect([term, prefix, toRegExp(wordStartPattern(prefix)).test(term)]).toEqual([term, prefix, true])
        }
      }
    }
  })

  it.each([
    ['oder', 'Coder'],
    ['e', 'Coder, Coach'],
    ['1', 'x1 a1'],
    ['.', 'a.b .'],
    ['co', '東京'],
  ])('fails with %j for %j', (prefix, term) => {
    expect(toRegExp(wordStartPattern(prefix)).test(term)).toBe(false)
  })

  it('knows every capital of a letter', () => {
    const accepts = (prefix: string, term: string): boolean => toRegExp(wordStartPattern(prefix)).test(term)
    expect(['K', 'k', '\u212a'].filter((term) => accepts('k', term))).toHaveLength(3)
    expect(['I', 'i', 'İ'].filter((term) => accepts('i', term))).toHaveLength(3)
    expect(['Σ', 'σ'].filter((term) => accepts('σ', term))).toHaveLength(2)
    expect(['Ǆ', 'ǅ', 'ǆ'].filter((term) => accepts('ǆ', term))).toHaveLength(3)
    expect(['𐐀', '𐐨'].filter((term) => accepts('𐐨', term))).toHaveLength(2)
  })

  it('stays short', () => {
    expect(wordStartPattern('"'.repeat(5000)).length).toBeLessThan(300)
    expect(wordStartPattern('ǆ'.repeat(5000)).length).toBeLessThan(300)
  })
})
