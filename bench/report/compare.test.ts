import { expect, test } from 'vitest'
import { summarise } from '../measure/timing.ts'
import { hasChanged, pairsOf, renderComparison } from './compare.ts'
import { type BenchResult, joinParts, type QuestionTable } from './result.ts'
import { header, row } from './sample-result.ts'

const resultOf = (date: string, tables: readonly QuestionTable[], changed: Partial<BenchResult['header']> = {}) =>
  joinParts({ ...header, date, ...changed }, new Map([['rest', { tables }]]))

const before = resultOf('2025-01-01', [
  {
    state: 'rest',
    time: 'none',
    rows: [
      row('days', 'aggregations', { Periplus: 10, OpenSearch: 50 }),
      row('count all', 'counts', { Periplus: 10, OpenSearch: 50 }),
      row('term', 'aggregations', { Periplus: 10, OpenSearch: 50 }),
      row('gone', 'counts', { Periplus: 10 }),
    ],
  },
])

const after = resultOf('2025-01-02', [
  {
    state: 'rest',
    time: 'none',
    rows: [
      row('days', 'aggregations', { Periplus: 20, OpenSearch: 50 }),
      row('count all', 'counts', { Periplus: 11, OpenSearch: 50 }),
      row('term', 'aggregations', { Periplus: 5, OpenSearch: 50 }),
      row('new', 'counts', { Periplus: 10 }),
    ],
  },
  { state: 'cached', time: 'none', rows: [row('days', 'aggregations', { Periplus: 1 })] },
])

test('only what was measured in both is compared', () => {
  const pairs = pairsOf(before, after)
  expect(pairs.filter(({ system }) => system === 'Periplus').map(({ question, ratio }) => [question, ratio])).toEqual([
    ['days', 2],
    ['count all', 1.1],
    ['term', 0.5],
  ])
  expect(pairs).toHaveLength(6)
})

test('a change is beyond the spread of both', () => {
  // The spread is a tenth on both sides: 10 reaches up to 11, and 11 down to 9.9.
  expect(
    pairsOf(before, after)
      .filter(hasChanged)
      .map(({ question }) => question),
  ).toEqual(['days', 'term'])
})

test('a single request has to change much', () => {
  const changed = (from: number, to: number): boolean =>
    hasChanged({
      ...{ label: 'after a restart, first request', time: 'none', question: 'days', system: 'Periplus' },
      ...{ before: summarise([from]), after: summarise([to]), ratio: to / from },
    })
  expect([changed(10, 16), changed(10, 17), changed(16, 10), changed(17, 10)]).toEqual([false, true, false, true])
})

test('changes are listed by state, the faster first', () => {
  expect(renderComparison(before, after)).toBe(`from 2025-01-01 to 2025-01-02

rest: 1 of 3 faster, 1 slower, mean ratio 1.03x
  meanwhile OpenSearch: mean ratio 1.00x
question  time filter  before (ms)  after  ratio
term             none         10.0   5.00  0.50x
days             none         10.0   20.0  2.00x`)
})

test('other conditions are named', () => {
  const other = resultOf('2025-01-03', [], { documents: 5, versions: { ...header.versions, OpenSearch: '3.6.0' } })
  expect(renderComparison(before, other)).toBe(`from 2025-01-01 to 2025-01-03

measured under other conditions: documents: 1000000 before, 5 after; OpenSearch: 3.5.0 before, 3.6.0 after

nothing was measured in both`)
})
