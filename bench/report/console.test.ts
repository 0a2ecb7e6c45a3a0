import { expect, test } from 'vitest'
import { progressOf, renderSummary } from './console.ts'
import { sample } from './sample-result.ts'

test('the time left follows the pace so far', () => {
  const lines: string[] = []
  let now = 0
  const progress = progressOf(
    [
      { part: 'rest', steps: 3 },
      { part: 'cached', steps: 20 },
    ],
    { print: (line) => lines.push(line), clock: () => now },
  )
  progress.next('rest', 'days, no time filter')
  now += 10_000
  progress.next('rest', 'months, no time filter')
  now += 20_000
  progress.finish('rest')
  // A restart, which is not part of a question.
  now += 600_000
  progress.next('cached', 'days')
  now += 15_000
  progress.next('cached', 'months')
  expect(lines).toEqual([
    'rest 1 of 3: days, no time filter',
    'rest 2 of 3: months, no time filter, about 4 min left',
    'cached 1 of 20: days, about 5 min left',
    'cached 2 of 20: months, about 5 min left',
  ])
})

test('a run without peers shows the medians', () => {
  const [first] = sample.tables
  if (first === undefined) throw new Error('the sample has no table')
  const alone = first.rows.map(({ timings, ...row }) => ({ ...row, timings: { Periplus: timings.Periplus ?? fail() } }))
  const live = { ...first, state: 'live 1000/s', time: 'changing', rows: alone.slice(0, 1) } as const
  const result = {
    ...sample,
    loads: [],
    writes: [],
    writers: [],
    machineUse: [],
    tables: [{ ...first, rows: alone }, live],
  }
  expect(renderSummary(result)).toBe(`1,000,000 documents, seed 1

question (ms)  rest, none  live 1000/s, changing
count all            2.00                   2.00
days | months        10.0                      -
term > term         100.0                      -
export              500.0                      -`)
})

function fail(): never {
  throw new Error('the sample has a row without Periplus')
}

test('the closing summary', () => {
  expect(renderSummary(sample)).toBe(`1,000,000 documents, seed 1

load (documents/s)          until findable  until in order
Periplus, 1,000,000 points          76,912          44,920
DuckDB, 1,000,000 points           200,000         200,000

faster than (geometric mean)    OpenSearch  worst  DuckDB  worst
rest                                 2.91x  0.50x   1.00x  0.50x
after a restart, first request       4.00x  4.00x       -      -

writes (ms)                           median    p95  documents/s
OpenSearch, rest, 200 per request       70.0  105.0          612
Periplus, 8 readers, 200 per request    17.0   25.5            -

disturbed: after a restart, 41 % of the processor time was stolen, other processes used 20 %

FAILED: 1 differing or failed answers
after a restart, first request, no time filter, count all: OpenSearch, 3 for 4`)
})
