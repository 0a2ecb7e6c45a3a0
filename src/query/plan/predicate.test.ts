import { describe, expect, it } from 'vitest'
import type { Field } from '../schema/field.ts'
import { and, not, or, type Predicate } from './predicate.ts'

const field = (path: string): Field => ({ path, type: 'TEXT', indexed: true, nested: false })
const phrase = (path: string, ...tokens: readonly string[]): Predicate => ({
  kind: 'phrase',
  field: field(path),
  tokens,
  lastIsPrefix: false,
  slop: 0,
})
const prefix = (text: string): Predicate => ({ kind: 'prefix', field: field('a'), prefix: text })
const fuzzy = (word: string, edits: number): Predicate => ({ kind: 'fuzzy', field: field('a'), word, edits })

describe.each([
  ['or', or],
  ['and', and],
] as const)('%s', (kind, join) => {
  it('names repeated words once', () => {
    const words = [phrase('a', 'x'), prefix('x'), fuzzy('x', 1)]
    expect(join([...words, ...words, phrase('a', 'x')])).toEqual({ kind, members: words })
    expect(join(Array.from({ length: 5000 }, () => phrase('a', 'x')))).toEqual(phrase('a', 'x'))
  })

  it('keeps words that differ', () => {
    const members = [
      phrase('a', 'x'),
      phrase('b', 'x'),
      phrase('a', 'x', 'y'),
      phrase('a', 'x y'),
      { ...phrase('a', 'x'), lastIsPrefix: true } as Predicate,
      { ...phrase('a', 'x'), slop: 1 } as Predicate,
      prefix('x'),
      fuzzy('x', 1),
      fuzzy('x', 2),
      not(phrase('a', 'x')),
    ]
    expect(join(members)).toEqual({ kind, members })
  })
})
