import { expect, test } from 'vitest'
import { failuresOf, joinParts, stateLabel } from './result.ts'
import { calm, header, sample, stolen, tables } from './sample-result.ts'

test('parts are joined in the order of a report, whatever the order they were measured in', () => {
  const [first, second] = tables
  if (first === undefined || second === undefined) throw new Error('tables are missing')
  const whole = joinParts(
    header,
    new Map([
      ['writes', { writes: sample.writes, machineUse: stolen }],
      ['cached', { tables: [second] }],
      ['rest', { tables: [first], machineUse: calm }],
      ['load', { loads: sample.loads, footprints: sample.footprints.filter(({ part }) => part === 'load') }],
    ]),
  )
  expect(whole).toEqual({
    format: 1,
    header,
    loads: sample.loads,
    tables: [first, second],
    throughput: [],
    refreshes: [],
    writes: sample.writes,
    writers: [],
    footprints: sample.footprints.filter(({ part }) => part === 'load'),
    machineUse: [
      { part: 'rest', ...calm },
      { part: 'writes', ...stolen },
    ],
  })
})

test('the label of a state names the request', () => {
  expect(tables.map(stateLabel)).toEqual(['rest', 'rest', 'after a restart, first request'])
})

test('failures say where they occurred', () => {
  expect(failuresOf(sample)).toEqual(['after a restart, first request, no time filter, count all: OpenSearch, 3 for 4'])
})
