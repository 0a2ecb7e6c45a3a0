import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seed } from '../../../../../test/support/seed.ts'
import { holdsPhrase } from '../../../../query/evaluate/phrase.ts'
import type { FuzzyPredicate, PhrasePredicate } from '../../../../query/plan/predicate.ts'
import { isWithinEdits } from '../../../../query/text/edit-distance.ts'
import { compareCodePoints } from '../../../../query/value/code-point-order.ts'
import type { Postings, TextColumn } from '../../segment/column.ts'
import type { Dictionary } from '../../segment/dictionary.ts'
import { bareRows, expectRows, randomNumbers } from '../place/geo-rows.fixture.ts'
import { compileFuzzyTextTest, compilePhraseTest } from './text-test.ts'

const field = { path: 'text', type: 'TEXT', indexed: true, nested: false } as const

/** Values of a row, each a list of tokens. */
type Row = readonly (readonly string[])[]

function dictionaryOf(terms: readonly string[], sorted: boolean): Dictionary {
  return {
    size: terms.length,
    origin: terms,
    sorted,
    term: (code) => terms[code - 1] ?? '',
    codeOf: (term) => terms.indexOf(term) + 1,
    firstFrom: (term) => {
      if (!sorted) throw new Error('not sorted')
      const at = terms.findIndex((other) => compareCodePoints(other, term) >= 0)
      return at < 0 ? terms.length + 1 : at + 1
    },
  }
}

function columnOf(rows: readonly Row[], isSegment: boolean): TextColumn {
  const terms = [...new Set(rows.flat(2))]
  const dictionary = dictionaryOf(isSegment ? terms.sort(compareCodePoints) : terms, isSegment)
  const codes = rows.map((row) => row.flatMap((value) => [0, ...value.map((token) => dictionary.codeOf(token))]))
  const starts = new Uint32Array(rows.length + 1)
  for (const [row, list] of codes.entries()) starts[row + 1] = (starts[row] ?? 0) + list.length
  const tokens = (terms.length < 256 ? Uint8Array : Uint16Array).from(codes.flat())
  const column = { kind: 'text', type: 'TEXT', tokens, starts, dictionary } as const
  return isSegment ? { ...column, postings: postingsOf(codes, terms.length) } : column
}

function postingsOf(codes: readonly (readonly number[])[], size: number): Postings {
  const lists = Array.from({ length: size + 1 }, (): number[] => [])
  for (const [row, list] of codes.entries()) for (const code of new Set(list)) if (code > 0) lists[code]?.push(row)
  const bytes: number[] = []
  const starts = new Float64Array(size + 2)
  for (const [code, list] of lists.entries()) {
    starts[code] = bytes.length
    let before = 0
    for (const row of list) {
      let step = row - before
      for (; step > 0x7f; step >>>= 7) bytes.push((step & 0x7f) | 0x80)
      bytes.push(step)
      before = row
    }
  }
  starts[size + 1] = bytes.length
  return { bytes: Uint8Array.from(bytes), starts, counts: Uint32Array.from(lists, (list) => list.length) }
}

const WORDS = ['a', 'b', 'ab', 'abc', 'abd', 'b\u{10000}', 'b\uffee', 'ba', 'cab', 'storm', 'storms', 'strom']

/** Few words often, most of them rarely, so that lists are long and short. */
function randomRows(count: number, words: readonly string[], random: () => number): readonly Row[] {
  const word = (): string => words[Math.floor(random() ** 3 * words.length)] ?? ''
  const list = <T>(most: number, make: () => T): T[] => Array.from({ length: Math.floor(random() * most) }, make)
  return Array.from({ length: count }, () => list(3, () => list(random() < 0.1 ? 40 : 6, word)))
}

const phrase = (tokens: readonly string[], lastIsPrefix: boolean, slop: number): PhrasePredicate => ({
  kind: 'phrase',
  field,
  tokens,
  lastIsPrefix,
  slop,
})

describe.each([
  ['a segment', true],
  ['a tail', false],
] as const)('text of %s', (_name, isSegment) => {
  const words = fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...WORDS) },
    { weight: 1, arbitrary: fc.constantFrom('absent', 's', 'sto', 'w1', 'w12') },
  )
  const rare = Array.from({ length: 400 }, (_, i) => `w${i}`)

  it('holds a phrase', () => {
    fc.assert(
      fc.property(
        fc.nat(),
        fc.nat(5000),
        fc.array(words, { minLength: 1, maxLength: 4 }),
        fc.boolean(),
        fc.constantFrom(0, 0, 1, 2, 5),
        fc.boolean(),
        (start, count, tokens, lastIsPrefix, slop, hasRare) => {
          const random = randomNumbers(start)
          const rows = randomRows(count, hasRare ? [...WORDS, ...rare] : WORDS, random)
          const p = phrase(tokens, lastIsPrefix, slop)
          const test = compilePhraseTest(p, columnOf(rows, isSegment), bareRows(count))
          expectRows(test, count, (row) => rows[row]?.some((value) => holdsPhrase(value, p)) === true, random)
        },
      ),
      { seed, numRuns: 60 },
    )
  })

  it('holds a word with errors', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(5000), words, fc.constantFrom(1, 2), (start, count, word, edits) => {
        const random = randomNumbers(start)
        const rows = randomRows(count, [...WORDS, ...rare], random)
        const p: FuzzyPredicate = { kind: 'fuzzy', field, word, edits }
        const column = columnOf(rows, isSegment)
        const isNear = (token: string): boolean => isWithinEdits(token, word, edits)
        for (let i = 0; i < 2; i++) {
          const test = compileFuzzyTextTest(p, column, bareRows(count))
          expectRows(test, count, (row) => rows[row]?.flat().some(isNear) === true, random)
        }
      }),
      { seed, numRuns: 20 },
    )
  })

  it('does not find phrases across values', () => {
    const rows: readonly Row[] = [[['a', 'b'], ['c']], [['a'], ['b', 'c']], [['a', 'x', 'b', 'c']]]
    const column = columnOf(rows, isSegment)
    const found = (p: PhrasePredicate): readonly number[] => {
      const mask = new Uint8Array(3)
      compilePhraseTest(p, column, bareRows(3)).fill(0, 3, mask)
      return [...mask.keys()].filter((row) => mask[row] === 1)
    }
    expect(found(phrase(['b', 'c'], false, 0))).toEqual([1, 2])
    expect(found(phrase(['a', 'b'], false, 0))).toEqual([0])
    expect(found(phrase(['a', 'b'], false, 5))).toEqual([0, 2])
    expect(found(phrase(['a', 'c'], false, 5))).toEqual([2])
  })

  it('reads texts longer than its buffer', () => {
    const rows: readonly Row[] = Array.from({ length: 3 }, (_, i) => [
      [...Array.from({ length: 100_000 }, () => 'x'), 'y', i === 1 ? 'z' : 'y'],
    ])
    const test = compilePhraseTest(phrase(['y', 'z'], false, 0), columnOf(rows, isSegment), bareRows(3))
    expectRows(test, 3, (row) => row === 1, randomNumbers(1))
  })
})
