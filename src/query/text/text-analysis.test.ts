import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { tokenize } from './text-analysis.ts'
import { wordBreakClasses } from './word-break.ts'

const cases: readonly (readonly [text: string, tokens: string])[] = [
  ['', ''],
  ['  \t\n', ''],
  ['My name is ID_0_0DI', 'my name is id_0_0di'],
  ['Search the word Ice cream', 'search the word ice cream'],
  ['name:is', 'name:is'],
  ['a:b:', 'a:b'],
  ['a::b', 'a b'],
  ['red,green', 'red green'],
  ['x&y=z', 'x y z'],
  ['crème brûlée', 'crème brûlée'],
  ['cre\u0300me', 'cre\u0300me'],
  ["O'Neil’s can''t", "o'neil’s can t"],
  ["'quoted'", 'quoted'],
  ['col·lecció', 'col·lecció'],
  ['a.b.c. d', 'a.b.c d'],
  ['a;b a,b', 'a b a b'],
  ["1.5 1,000.50 1;2 1'000", "1.5 1,000.50 1;2 1'000"],
  ['1:2 1·2 1’2', '1 2 1 2 1’2'],
  ['a.1 1.a a,1', 'a 1 1 a a 1'],
  ['3D mp3 x_1_ __a _', '3d mp3 x_1_ __a'],
  ['_._ __', ''],
  ['well-known e-mail@example.com', 'well known e mail example.com'],
  ['http://example.com/a?b=c', 'http example.com a b c'],
  ['50% $5 #tag 1+1', '50 5 tag 1 1'],
  ['日本語', '日 本 語'],
  ['ひらがなカタカナ', 'ひ ら が な カタカナ'],
  ['人々', '人 々'],
  ['カタカナabc カタ_a', 'カタカナ abc カタ_a'],
  ['ﾊﾝｶｸ ー', 'ﾊﾝｶｸ ー'],
  ['한국어 단어', '한국어 단어'],
  ['ภาษาไทยabc', 'ภาษาไทย abc'],
  ['ພາສາລາວ', 'ພາສາລາວ'],
  ['المساعدة١٢', 'المساعدة١٢'],
  ['דו"ח ג\'ירפה א\' ב"', "דו\"ח ג'ירפה א' ב"],
  ['हिन्दी', 'हिन्दी'],
  ['СТРОКА Ёлка', 'строка ёлка'],
  ['ΑΣ ΣΑΣ', 'ασ σασ'],
  ['İstanbul', 'istanbul'],
  ['ẞ K Å', 'ß k å'],
  ['ⅠⅡ ²x x²', 'ⅰⅱ x x'],
  ['👍 👩‍👩‍👧 🇫🇷 a👍b', 'a b'],
  ['\u0301abc \u200dabc', 'abc abc'],
  ['a\u00adb a\u200bb a\u2060b', 'a\u00adb a b a\u2060b'],
  ['a:\u0301b', 'a:\u0301b'],
  ['１２３ ＡＢＣ', '１２３ ａｂｃ'],
  ['𝐀𝐁 𐐀𐐁 𠀀𠀁', '𝐀𝐁 𐐨𐐩 𠀀 𠀁'],
  ['a\ud800b', 'a b'],
  ['\ud800', ''],
  // Assigned after Unicode 12.1, or letters only since then.
  ['a\u{16e40}b a\u{1e030}b a\ua708b a\u02e5b', 'a\u{16e60}b a b a b a b'],
]

describe('tokenize', () => {
  it.each(cases)('%j', (text, tokens) => {
    expect(tokenize(text).join(' ')).toBe(tokens)
  })

  it('keeps tokens apart that join(" ") would not show', () => {
    expect(tokenize('a\u202fb')).toEqual(['a\u202fb'])
    expect(tokenize('a\u00a0b')).toEqual(['a', 'b'])
  })

  it('cuts tokens every 255 UTF-16 units, between characters', () => {
    expect(tokenize('A'.repeat(255)).map((t) => t.length)).toEqual([255])
    expect(tokenize('A'.repeat(256)).map((t) => t.length)).toEqual([255, 1])
    expect(tokenize('a'.repeat(600)).map((t) => t.length)).toEqual([255, 255, 90])
    expect(tokenize('𝐀'.repeat(200)).map((t) => t.length)).toEqual([254, 146])
    expect(tokenize(`${'a'.repeat(200)}é${'b'.repeat(100)} c`).map((t) => t.length)).toEqual([255, 46, 1])
  })

  it('reads a long text in one pass, also when optimised', () => {
    const words = 'Hello World abc '
    const timeOf = (work: () => void): number => {
      const start = performance.now()
      work()
      return performance.now() - start
    }
    const inPieces = timeOf(() => {
      for (let i = 0; i < 64_000; i++) tokenize(words)
    })
    const atOnce = timeOf(() => {
      expect(tokenize(words.repeat(64_000)).length).toBe(192_000)
    })
    // The expected ratio is about 1; it would be in the hundreds if each token cost a pass over the text.
    expect(atOnce / inPieces).toBeLessThan(30)
  })

  it('decodes every range of the smaller classes', () => {
    const counts = new Map<number, number>()
    for (const kind of wordBreakClasses) counts.set(kind, (counts.get(kind) ?? 0) + 1)
    // Hebrew_Letter, Numeric, Katakana, ExtendNumLet, MidLetter, MidNum, MidNumLet, the quotes.
    expect([2, 3, 4, 5, 7, 8, 9, 10, 11].map((kind) => counts.get(kind))).toEqual([75, 631, 314, 11, 9, 15, 7, 1, 1])
  })

  // Excluded: the colon and Hangul, which the runtime treats differently, and scripts it splits with a dictionary,
  // including Katakana.
  const letters = fc.constantFrom(...'abZÉñ019_.,;\'’" -\u0301\u200dאבЖ', '\u00ad', '１', '𝐀')
  it('agrees with the word segmenter of the runtime', () => {
    const segmenter = new Intl.Segmenter('en', { granularity: 'word' })
    fc.assert(
      fc.property(fc.string({ unit: letters, maxLength: 30 }), (text) => {
        const expected = [...segmenter.segment(text)]
          .map(({ segment }) => segment)
          .filter((segment) => /[\p{L}\p{Nd}]/u.test(segment))
          .map((segment) => segment.toLowerCase())
        expect(tokenize(text)).toEqual(expected)
      }),
      { numRuns: 3000 },
    )
  })

  it('finds each token again when it stands alone', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
        const tokens = tokenize(text)
        expect(tokens.flatMap(tokenize)).toEqual(tokens)
        expect(tokens.every((token) => token !== '' && token.length <= 255)).toBe(true)
      }),
      { numRuns: 1000 },
    )
  })
})
