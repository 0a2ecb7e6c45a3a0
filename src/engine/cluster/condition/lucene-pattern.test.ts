import { describe, expect, it } from 'vitest'
import { parseKeywordPattern } from '../../../query/pattern/keyword-pattern-parser.ts'
import { lucenePattern } from './lucene-pattern.ts'

const written = (text: string): string => lucenePattern(parseKeywordPattern(text, 1000), 'as-written')
const whole = (text: string): string => lucenePattern(parseKeywordPattern(text, 1000), 'both-ends')

describe('lucenePattern', () => {
  it.each([
    ['', '.*().*'],
    ['^$', '()'],
    ['cto', '.*cto.*'],
    ['^Co(ach|der)$', 'Co(ach|der)'],
    ['^a|b$', 'a|b'],
    ['a|b', '.*(a|b).*'],
    ['^(a|)$', 'a|()'],
    ['^x(a|)$', 'x(a|())'],
    ['^.$', '.'],
    ['^[^a]$', '[^a]'],
    ['^[a-c\\]\\-]$', '[\\-\\]a-c]'],
    ['^\\d\\W$', '[0-9][^0-9A-Z_a-z]'],
    ['^ab*c+d?$', 'ab*c+d?'],
    ['^a{2}b{2,}c{1,3}$', 'a{2}b{2,}c{1,3}'],
    ['^a{0}$', '()'],
    ['^(ab){2}$', '(ab){2}'],
    ['^😀{2}$', '(😀){2}'],
    ['^"#&<>@~-!%:;=,/`\'_ $', '\\"\\#\\&\\<\\>\\@\\~\\-\\!\\%\\:\\;\\=\\,\\/\\`\\\'_\\ '],
    ['^a\\.b\\$\\^\\\\$', 'a\\.b\\$\\^\\\\'],
    ['^é😀\n$', 'é😀\\\n'],
  ])('prints %s', (pattern, expected) => {
    expect(written(pattern)).toBe(expected)
  })

  it('ties both ends when asked', () => {
    expect(whole('cto')).toBe('cto')
    expect(whole('a|b')).toBe('a|b')
    expect(whole('^a')).toBe('a')
  })
})
