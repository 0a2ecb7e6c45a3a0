import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Predicate } from '../plan/predicate.ts'
import { type FullTextTerm, parseFullText } from './full-text-parser.ts'

/** Terms are represented as values of a field, so that a tree can be printed. */
function show(text: string): string {
  const leaf = (term: FullTextTerm): Predicate => ({
    kind: 'prefix',
    field: { path: '', type: 'KEYWORD', indexed: true, nested: false },
    prefix: showTerm(term),
  })
  return print(parseFullText(text, leaf).predicate)
}

function showTerm(term: FullTextTerm): string {
  if (term.kind === 'phrase') return `"${term.text}"${term.slop === 0 ? '' : `~${term.slop}`}`
  return term.form === 'fuzzy' ? `${term.text}~${term.edits}` : term.form === 'prefix' ? `${term.text}*` : term.text
}

function print(p: Predicate): string {
  switch (p.kind) {
    case 'and':
      return `(${p.members.map(print).join(' & ')})`
    case 'or':
      return `(${p.members.map(print).join(' | ')})`
    case 'not':
      return `!${print(p.member)}`
    case 'prefix':
      return p.prefix
    default:
      return p.kind
  }
}

describe('full text', () => {
  test.each([
    ['My name is', '(My & name & is)'],
    ['a + b', '(a & b)'],
    ['a|b', '(a | b)'],
    ['a | b c', '((a | b) & c)'],
    ['a b | c', '((a & b) | c)'],
    ['a | (b c)', '(a | (b & c))'],
    ['a | b | c', '(a | b | c)'],
    ['ice -cream', '(ice & !cream)'],
    ['-foo', '!foo'],
    ['--foo', 'foo'],
    ['- foo', 'foo'],
    ['-(a | b)', '!(a | b)'],
    ['-"a b"', '!"a b"'],
    ['a-b', 'a-b'],
    ['"Cost Estimator"', '"Cost Estimator"'],
    ['"a b"~2', '"a b"~2'],
    ['"a b"~', '"a b"'],
    ['"a (b"', '"a (b"'],
    ['"a \\"b"', '"a "b"'],
    ['choc*', 'choc*'],
    ['*oc', '*oc'],
    ['choc\\*', 'choc*'],
    ['jely~', 'jely~2'],
    ['jely~1', 'jely~1'],
    ['jely~9', 'jely~2'],
    ['jely~0', 'jely'],
    ['jely~x', 'jely~x'],
    ['a\\ b', 'a b'],
    ['\\-a', '-a'],
    ['a\\|b', 'a|b'],
    ['a\\', 'a'],
    // Malformed input: parts without meaning are dropped.
    ['"Candy (', 'Candy'],
    ['(((', 'nothing'],
    ['-', 'nothing'],
    ['+ | ~ *', 'nothing'],
    ['"', 'nothing'],
    ['""', 'nothing'],
    ['()', 'nothing'],
    ['', 'nothing'],
    [' ', 'nothing'],
    ['\\', 'nothing'],
    ['-()', 'nothing'],
    ['~2', 'nothing'],
    ['a *', 'a'],
    ['| a', 'a'],
    ['a |', 'a'],
    ['a + | b', '(a & b)'],
    ['(a | b', '(a | b)'],
    ['a) b', '(a & b)'],
    ['(a | b) c)', '((a | b) & c)'],
    ['((a))', 'a'],
    ['-(-a)', 'a'],
    ['a () | b', '(a | b)'],
  ])('%s', (text, expected) => {
    expect(show(text)).toBe(expected)
  })

  test('thousands of brackets do no harm', () => {
    expect(show(`${'('.repeat(50_000)}a${')'.repeat(50_000)}`)).toBe('a')
    expect(show(`${'-('.repeat(50_000)}a`)).toBe('a')
  })

  test('alternating AND and OR grow deep, and it is told', () => {
    const terms = Array.from({ length: 60 }, (_, i) => `w${i} ${i % 2 === 0 ? '|' : '+'}`).join(' ')
    expect(parseFullText(terms, () => ({ kind: 'everything' })).depth).toBe(59)
  })

  test('no text fails', () => {
    const text = fc.string({ unit: fc.constantFrom(...'ab "\\-+|()~*1:'), maxLength: 30 })
    fc.assert(fc.property(text, (t) => void show(t)))
  })
})
