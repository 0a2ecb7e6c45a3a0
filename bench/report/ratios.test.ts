import { expect, test } from 'vitest'
import { groupsOf, meanRatio, peersOf, ratioOf, summaryOf } from './ratios.ts'
import { row, sample, tables } from './sample-result.ts'

const rows = tables[0]?.rows ?? []

test('a ratio above one means that the other system is slower', () => {
  expect(ratioOf(row('a', 'counts', { Periplus: 2, OpenSearch: 5 }), 'OpenSearch')).toBe(2.5)
  expect(ratioOf(row('a', 'counts', { Periplus: 2 }), 'OpenSearch')).toBeUndefined()
  expect(ratioOf(row('a', 'counts', { OpenSearch: 2 }), 'OpenSearch')).toBeUndefined()
})

test('means leave out questions that a system does not answer', () => {
  expect(peersOf(tables)).toEqual(['OpenSearch', 'DuckDB'])
  expect(meanRatio(rows, 'DuckDB')).toBeCloseTo(1)
  expect(meanRatio(rows, 'OpenSearch')).toBeCloseTo(144 ** (1 / 3))
  expect(meanRatio(rows, 'ClickHouse')).toBeUndefined()
})

test('groups keep their order', () => {
  expect(groupsOf(rows)).toEqual(['counts', 'aggregations', 'files'])
})

test('a summary covers all time filters of a state', () => {
  const [rest, restart] = summaryOf(sample)
  expect(rest?.label).toBe('rest')
  expect(rest?.against.map(({ peer }) => peer)).toEqual(['OpenSearch', 'DuckDB'])
  expect(rest?.against[0]?.mean).toBeCloseTo(72 ** (1 / 4))
  expect(rest?.against[0]?.worst).toEqual({ ratio: 0.5, question: 'count all', time: 'changing' })
  expect(restart?.label).toBe('after a restart, first request')
  expect(restart?.against.map(({ peer }) => peer)).toEqual(['OpenSearch'])
})
