import { expect, test } from 'vitest'
import { parseKeywordPattern } from '../../../../query/pattern/keyword-pattern-parser.ts'
import { and, not, type Predicate } from '../../../../query/plan/predicate.ts'
import type { Field } from '../../../../query/schema/field.ts'
import { tailPart } from '../../segment/parts.fixture.ts'
import { kernelGap, MOST_TERM_TESTS } from './filter-coverage.ts'

const field: Field = { path: 'name', type: 'KEYWORD', indexed: true, nested: false }
const count = MOST_TERM_TESTS / 2 + 1
const part = tailPart(
  { properties: { name: { type: 'keyword' } } },
  Array.from({ length: count }, (_, i) => ({ name: `n${i}` })),
)
const like = (text: string): Predicate => ({ kind: 'pattern', field, pattern: parseKeywordPattern(text, 1_000) })
const fuzzy: Predicate = { kind: 'fuzzy', field, word: 'n100', edits: 1 }

test('patterns and fuzzy words are left to the database when they would test too many terms without yielding', () => {
  expect(kernelGap(like('n.*1'), [part])).toBeUndefined()
  expect(kernelGap(and([like('n.*1'), fuzzy]), [part])).toBe('patterns over many terms')
  expect(kernelGap(not(like('n.*1')), [part, part])).toBe('patterns over many terms')
  // A text anywhere in a term is found without reading the terms.
  expect(kernelGap(like('n1'), [part, part, part])).toBeUndefined()
  expect(kernelGap({ kind: 'equals', field, values: ['n1'] }, [part, part, part])).toBeUndefined()
})
