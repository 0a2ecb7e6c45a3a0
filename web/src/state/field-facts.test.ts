import { expect, test } from 'vitest'
import type { Hit } from '../api/answers.ts'
import { fieldFacts } from './field-facts.ts'

const field = (path: string, type = 'KEYWORD') => ({
  path,
  name: path,
  type,
  indexed: true,
  taggable: false,
  isLabel: false,
})

/** A sample of 80 documents, of which every other one is missing. */
const hits = (make: (i: number) => Readonly<Record<string, unknown>>) => ({
  totalnb: 80,
  hits: Array.from(
    { length: 40 },
    (_, i): Hit => ({
      md: { id: String(i), centroid: { type: 'Point', coordinates: [i / 7, 50 - i / 9] } },
      data: make(i),
    }),
  ),
})

test('shares are of the documents with a value', () => {
  const kinds = hits((i) => (i % 4 === 0 ? {} : { kind: i % 2 === 0 ? 'well' : 'spring' }))
  const { filled, distinct, commonest, length } = fieldFacts(field('kind'), kinds, 'id')
  expect(filled).toBe(0.75)
  expect(distinct).toBeCloseTo(2 / 30)
  expect(commonest).toBeCloseTo(20 / 30)
  expect(length).toBeCloseTo((20 * 6 + 10 * 4) / 30)
})

test.each([
  ['station_id', 'KEYWORD', () => 'a'],
  ['stationId', 'LONG', () => 7],
  ['uuid', 'KEYWORD', () => 'a'],
  ['no', 'LONG', (i: number) => 500 + 2 * i],
  ['ref', 'KEYWORD', (i: number) => `550e8400-e29b-41d4-a716-4466554400${i + 10}`],
] as const)('%s is an identifier', (path, type, value) => {
  const found = fieldFacts(
    field(path, type),
    hits((i) => ({ [path]: value(i) })),
    'id',
  )
  expect(found.isIdentifier).toBe(true)
})

test.each([
  ['kind', 'KEYWORD', (i: number) => `kind ${i % 3}`],
  ['population', 'LONG', (i: number) => i * i * 31],
  ['name', 'KEYWORD', (i: number) => `Station ${i}`],
  ['grid', 'KEYWORD', (i: number) => `zone ${i % 5}`],
] as const)('%s is not an identifier', (path, type, value) => {
  const found = fieldFacts(
    field(path, type),
    hits((i) => ({ [path]: value(i) })),
    'id',
  )
  expect(found.isIdentifier).toBe(false)
})

test('coordinates are known by name and by value', () => {
  const facts = (path: string, value: (i: number) => number) =>
    fieldFacts(
      field(path, 'DOUBLE'),
      hits((i) => ({ [path]: value(i) })),
      'id',
    ).isCoordinate
  expect(facts('geo.latitude', () => 1)).toBe(true)
  expect(facts('breite', (i) => 50 - i / 9)).toBe(true)
  expect(facts('depth', (i) => i / 3)).toBe(false)
  expect(facts('flat', () => 1)).toBe(false)
})

test('links are known by their values', () => {
  const found = fieldFacts(
    field('page'),
    hits((i) => ({ page: `https://example.org/${i}` })),
    'id',
  )
  expect(found.isLink).toBe(true)
})
