import { DuckDBInstance } from '@duckdb/node-api'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PatternFault, parseKeywordPattern } from './keyword-pattern-parser.ts'
import { printRe2 } from './keyword-pattern-re2.ts'

async function openRe2(): Promise<(pattern: string, value: string) => Promise<boolean>> {
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  return async (pattern, value) => {
    const printed = printRe2(parseKeywordPattern(pattern, 1000))
    // The value comes from a column, as in queries: only then does DuckDB rewrite the pattern.
    const reader = await connection.runAndReadAll(
      'SELECT regexp_matches(v, $2::VARCHAR) FROM (SELECT unnest([$1::VARCHAR]) AS v)',
      [value, printed],
    )
    return reader.getRows()[0]?.[0] === true
  }
}

describe('printRe2 in RE2', () => {
  it('means what the pattern says', async () => {
    const finds = await openRe2()
    const cases: readonly (readonly [string, string, boolean])[] = [
      ['', 'x', true],
      ['cto', 'Actor', true],
      ['^Co(ach|der)$', 'Coder', true],
      ['^a|b$', 'ab', false],
      ['^$', '', true],
      ['^$', 'x', false],
      ['^', 'x', true],
      ['$', 'x', true],
      ['^()', 'x', true],
      ['a{0}$', 'x', true],
      ['^50%$', '50%', true],
      ['^5_%$', '50%', false],
      ['^a', 'a\\%', true],
      ['a$', 'a\n', false],
      ['a.c', 'a\nc', true],
      ['^.$', '😀', true],
      ['^[^a]$', '\n', true],
      ['^[😀-😂]$', '😁', true],
      ['^\\W$', 'é', true],
      ['"#&<>@~-!%:;=,/`\'_ ', '"#&<>@~-!%:;=,/`\'_ ', true],
      ['\\\\\\.\\[', '\\.[', true],
      ['a|', 'x', true],
      ['^(a{100}){20}$', 'a'.repeat(2000), true],
      ['^(a{100}){20}$', 'a'.repeat(1999), false],
      ['^((a{30}){40}){2,}$', 'a'.repeat(2400), true],
      ['^((a{30}){40}){2,}$', 'a'.repeat(2401), false],
      ['^(a{1,70}){15,30}$', 'a'.repeat(14), false],
      ['^(a{1,70}){15,30}$', 'a'.repeat(2100), true],
      ['^(a{1,70}){15,30}$', 'a'.repeat(2101), false],
      ['(a{1,20}){80}', 'a'.repeat(80), true],
      ['.{1000}', 'é'.repeat(1000), true],
      ['.{1000}', 'é'.repeat(999), false],
    ]
    for (const [pattern, value, expected] of cases) {
      expect([pattern, value, await finds(pattern, value)]).toEqual([pattern, value, expected])
    }
  })

  it('accepts the largest patterns that are parsed', async () => {
    const finds = await openRe2()
    for (const atom of [
      'a',
      '.',
      '[^a]',
      '\\W',
      '[\u0081-\u{10fffe}]',
      '[ߟ-\u{10ffe}\u{20001}-\u{10fffe}]',
      '(a|b|)',
      '(é?)',
    ]) {
      let largest = 0
      for (let copies = 1; copies < 120; copies++) {
        try {
          parseKeywordPattern(`${atom}{0,1000}`.repeat(copies), 2000)
          largest = copies
        } catch (fault) {
          expect(fault).toBeInstanceOf(PatternFault)
          break
        }
      }
      expect(largest).toBeGreaterThan(0)
      const longest = Math.min(largest, Math.floor(1000 / (Array.from(atom).length + 8)))
      await expect(finds(`${atom}{0,1000}`.repeat(longest), 'x')).resolves.toBe(true)
    }
  })

  it('accepts whatever is parsed', async () => {
    const finds = await openRe2()
    const unit = fc.constantFrom(...'ab()[]|*+?^$\\.-dWé😀', '{3}', '{0,40}', '{900}', '(a', 'b)')
    await fc.assert(
      fc.asyncProperty(fc.string({ unit, maxLength: 12 }), async (text) => {
        try {
          parseKeywordPattern(text, 1000)
        } catch (fault) {
          expect(fault).toBeInstanceOf(PatternFault)
          return
        }
        await finds(text, 'ab')
      }),
      { numRuns: 500 },
    )
  })
})
