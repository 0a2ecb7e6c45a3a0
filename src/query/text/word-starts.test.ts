import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lowerCaseToken, tokenize } from './text-analysis.ts'
import { beginsWord } from './word-starts.ts'

describe('a term begins with a prefix', () => {
  it.each([
    ['Cost Estimator', 'co', true],
    ['Cost Estimator', 'est', true],
    ['Cost Estimator', 'cost e', true],
    ['Cost Estimator', 'st', false],
    ['Cost Estimator', '', true],
    ['Head Cost Estimator', 'cost est', true],
    ['-x', '-', true],
    ['a -x', '-', false],
    ['name:is', 'is', false],
    ['name: is', 'is', true],
    ['ID_0_0DI', '0di', false],
    ['_ _a', '_a', true],
    ['3.14', '14', false],
    ['v3.x', 'x', true],
    ["l'Étoile", 'étoile', false],
    ['Place de l’Étoile', 'étoile', false],
    ['Place Étoile', 'étoile', true],
    ['ΟΔΟΣ ΣΑΜΟΥ', 'σα', true],
    ['Büro İzmir', 'izm', true],
    ['東京', '京', true],
    ['𐐀𐐁 𐐂', lowerCaseToken('𐐂'), true],
    [`${'a'.repeat(255)}bc`, 'bc', true],
    [`${'a'.repeat(254)}bc`, 'bc', false],
  ])('%s, %s: %s', (term, prefix, begins) => expect(beginsWord(term, prefix)).toBe(begins))

  it('with every one of its tokens', () => {
    const text = fc.string({ unit: fc.constantFrom(...'ab1_.:\'", -漢ひカא\u0301İΣ') })
    fc.assert(fc.property(text, (term) => tokenize(term).every((token) => beginsWord(term, token))))
  })

  it('at its start or at a token only', () => {
    const text = fc.string({ unit: fc.constantFrom(...'ab1_.: ') })
    fc.assert(
      fc.property(text, text, (before, after) => {
        const joined = tokenize(`${before}x${after}`)
        const starts = joined.some((token) => token.startsWith('x'))
        expect(beginsWord(`${before}x${after}`, 'x')).toBe(before === '' || starts)
      }),
    )
  })

  it('and lower-casing keeps every character in its place', () => {
    for (let code = 0; code <= 0x10ffff; code++) {
      const character = String.fromCodePoint(code)
      if (lowerCaseToken(character).length !== character.length) throw new Error(`U+${code.toString(16)}`)
    }
  })
})
