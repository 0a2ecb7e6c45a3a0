import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PatternFault, parseKeywordPattern } from './keyword-pattern-parser.ts'
import { printRe2 } from './keyword-pattern-re2.ts'

/** Compiles the printed pattern with the regular expressions of the runtime instead of RE2. */
function compile(pattern: string): RegExp {
  const printed = printRe2(parseKeywordPattern(pattern, 1000))
  const translated = printed
    .replace(/^\(\?s\)/, '')
    .replace(/^\\A/, '^')
    .replace(/\\z$/, '$')
    .replaceAll(/\\x\{/g, '\\u{')
  return new RegExp(translated, 'su')
}
const finds = (pattern: string, value: string): boolean => compile(pattern).test(value)

describe('parseKeywordPattern', () => {
  it.each([
    ['', ['', 'x'], []],
    ['cto', ['Actor', 'cto'], ['Cto', 'ct']],
    ['o.*r', ['Actor', 'Coder'], ['Coach']],
    ['^Co(ach|der)$', ['Coach', 'Coder'], ['Coaches', 'aCoder', 'Co']],
    ['C(oach|oder)', ['Coach', 'xCoder'], ['Cost']],
    ['^a|b$', ['a', 'b'], ['ab', 'xb', 'ax']],
    ['a|', ['a', 'x', ''], []],
    ['()', ['', 'x'], []],
    ['^$', [''], ['a']],
    ['^', ['', 'a'], []],
    ['a.c', ['abc', 'a\nc', 'a😀c'], ['ac', 'abbc']],
    ['^.$', ['a', '😀', '\n'], ['', 'ab']],
    ['[abc]', ['xbx'], ['d']],
    ['^[^a]$', ['b', '\n', '😀', 'A'], ['a', '']],
    ['^[a-c]+$', ['abc'], ['abcd', '']],
    ['^[-a]$', ['-', 'a'], ['b']],
    ['^[a-]$', ['-', 'a'], ['b']],
    ['^[^-a]$', ['b'], ['-', 'a']],
    ['^[--0]$', ['-', '.', '/', '0'], ['1', ',']],
    ['^[a^$.*|(){}?+[]$', ['^', '$', '.', '*', '[', '('], [']', 'b']],
    ['^[\\]\\-\\\\]$', [']', '-', '\\'], ['a']],
    ['^[\\d_]+$', ['12_3'], ['a', '']],
    ['^[\\D]$', ['a', '😀'], ['5']],
    ['^[^\\D]$', ['5'], ['a']],
    ['^[^\\w\\s]$', ['-', 'é'], ['a', ' ']],
    ['^\\d\\D\\w\\W\\s\\S$', ['1a_- x'], ['1a_-xx']],
    ['^\\d$', ['7'], ['٧', '７']],
    ['^\\w$', ['_', 'z'], ['é']],
    ['^\\s$', [' ', '\t', '\n', '\v'], ['\u00a0']],
    ['a*', ['', 'x'], []],
    ['^ab*c+d?$', ['ac', 'abbccd'], ['ab', 'abc dd']],
    ['^a{2}$', ['aa'], ['a', 'aaa']],
    ['^a{2,}$', ['aa', 'aaaa'], ['a']],
    ['^a{1,3}$', ['a', 'aaa'], ['', 'aaaa']],
    ['^(ab){2}$', ['abab'], ['ab', 'abb']],
    ['^a{0}$', [''], ['a']],
    ['^(a|b){2,3}c$', ['abc', 'babc'], ['ac', 'ababc']],
    ['a\\.b\\$\\^', ['a.b$^'], ['axb$^']],
    ['\\$', ['5$'], ['5']],
    ['\\\\$', ['a\\'], ['a']],
    ['a\\|b', ['a|b'], ['a']],
    ['"#&<>@~-!%:;=,/`\'_ ', ['x"#&<>@~-!%:;=,/`\'_ x'], ['"']],
    ['a}b]c', ['a}b]c'], ['abc']],
    ['é😀', ['aé😀'], ['é']],
    ['😀{2}', ['😀😀'], ['😀']],
    ['^[😀-😂]$', ['😁'], ['😃']],
    ['^(((a)))$', ['a'], ['b']],
    ['^(a{100}){20}$', ['a'.repeat(2000)], ['a'.repeat(1999), 'a'.repeat(2001)]],
  ])('%s', (pattern, found, missed) => {
    for (const value of found) expect([value, finds(pattern, value)]).toEqual([value, true])
    for (const value of missed) expect([value, finds(pattern, value)]).toEqual([value, false])
  })

  it.each([
    ['(', 1],
    ['a(b', 2],
    ['a)', 2],
    ['ab)c', 3],
    ['[', 1],
    ['a[b', 2],
    ['[a\\]', 1],
    ['[]', 1],
    ['[^]', 1],
    ['[]a]', 1],
    ['*a', 1],
    ['a|*', 3],
    ['(+)', 2],
    ['?', 1],
    ['{2}', 1],
    ['^*', 2],
    ['a**', 3],
    ['a+?', 3],
    ['a{2}{3}', 5],
    ['a*+', 3],
    ['a{', 2],
    ['a{}', 2],
    ['a{,3}', 2],
    ['a{x}', 2],
    ['a{3,2}', 2],
    ['a{1001}', 2],
    ['a{1,1001}', 2],
    ['a^b', 2],
    ['(^a)', 2],
    ['a|^b', 3],
    ['a$b', 2],
    ['(a$)', 3],
    ['a$|b', 2],
    ['$a', 1],
    ['$*', 1],
    ['\\', 1],
    ['a\\', 2],
    ['(a)\\1', 4],
    ['\\b', 1],
    ['\\n', 1],
    ['\\pL', 1],
    ['\\é', 1],
    ['[\\b]', 2],
    ['(?i)a', 1],
    ['(?:a)', 1],
    ['(?=a)', 1],
    ['a(?<!b)', 2],
    ['[z-a]', 2],
    ['[a-c-e]', 5],
    ['[\\d-z]', 2],
    ['[a-\\d]', 2],
    ['[a-', 1],
    ['😀(', 2],
    ['((a{1000}){1000}){1000}', 1],
    ['(.{1000}){1000}', 1],
  ])('faults on %s at position %i', (pattern, position) => {
    let fault: unknown
    try {
      parseKeywordPattern(pattern, 1000)
    } catch (thrown) {
      fault = thrown
    }
    expect(fault).toBeInstanceOf(PatternFault)
    expect(fault).toMatchObject({ position, reason: expect.stringContaining(`position ${position}`) })
  })

  it('counts characters against the longest length', () => {
    expect(parseKeywordPattern('a'.repeat(1000), 1000).node).toEqual({ kind: 'literal', text: 'a'.repeat(1000) })
    expect(parseKeywordPattern('😀'.repeat(1000), 1000).node.kind).toBe('literal')
    expect(() => parseKeywordPattern('a'.repeat(1001), 1000)).toThrow(PatternFault)
  })

  it('bounds its stack for any length', () => {
    expect(finds(`${'('.repeat(499)}a${')'.repeat(499)}`, 'a')).toBe(true)
    expect(() => parseKeywordPattern('('.repeat(100_000), 1_000_000)).toThrow(PatternFault)
    expect(() => parseKeywordPattern('(a|'.repeat(50_000), 1_000_000)).toThrow(PatternFault)
  })

  it('has a tree without syntax', () => {
    expect(parseKeywordPattern('^ab(c|[^d-f])+.\\.$', 100)).toEqual({
      anchoredStart: true,
      anchoredEnd: true,
      node: {
        kind: 'sequence',
        members: [
          { kind: 'literal', text: 'ab' },
          {
            kind: 'repeat',
            min: 1,
            member: {
              kind: 'choice',
              members: [
                { kind: 'literal', text: 'c' },
                { kind: 'class', negated: true, ranges: [{ from: 100, to: 102 }] },
              ],
            },
          },
          { kind: 'any' },
          { kind: 'literal', text: '.' },
        ],
      },
    })
  })

  // The common subset of this syntax and the one of the runtime, where both have the same meaning.
  const { pattern: grammar } = fc.letrec<{ pattern: string; atom: string }>((tie) => ({
    atom: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom('a', 'b', '.', '\\.', '\\d', '\\W', '[ab]', '[^a]', '[\\d-]', '[b-z_]', 'é', '-'),
      tie('pattern').map((p) => `(${p})`),
    ),
    pattern: fc
      .array(fc.tuple(tie('atom'), fc.constantFrom('', '', '*', '+', '?', '{2}', '{1,2}', '{2,}', '|')), {
        maxLength: 4,
      })
      .map((parts) => parts.map(([atom, suffix]) => atom + suffix).join('')),
  }))

  it('agrees with the runtime on generated patterns', () => {
    const value = fc.string({ unit: fc.constantFrom(...'abz1.-_é\n'), maxLength: 6 })
    fc.assert(
      fc.property(
        grammar,
        fc.boolean(),
        fc.boolean(),
        fc.array(value, { minLength: 5, maxLength: 5 }),
        (p, start, end, values) => {
          const text = `${start ? '^' : ''}${p}${end ? '$' : ''}`
          fc.pre(text.length < 200)
          const expected = new RegExp(
            `${start ? '^' : ''}(?:${p.replaceAll('[\\d-]', '[0-9\\-]')})${end ? '$' : ''}`,
            'su',
          )
          const actual = compile(text)
          for (const v of values) expect([v, actual.test(v)]).toEqual([v, expected.test(v)])
        },
      ),
    )
  })

  it('never fails but with its own fault, and prints what it accepts', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'ab09()[]{}|*+?^$\\.-,dWé😀 '), maxLength: 12 }), (text) => {
        try {
          parseKeywordPattern(text, 1000)
        } catch (fault) {
          expect(fault).toBeInstanceOf(PatternFault)
          return
        }
        compile(text)
      }),
      { numRuns: 3000 },
    )
  })
})
