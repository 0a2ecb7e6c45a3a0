import type { MachineUse } from '../measure/machine.ts'
import { summarise, type Timing } from '../measure/timing.ts'
import type { Group } from '../questions/question.ts'
import type { BenchResult, QuestionRow, QuestionTable, ResultHeader } from './result.ts'

/** Small results for tests. */

/** A median with a spread of a tenth on both sides. */
export const timing = (median: number): Timing => ({
  ...summarise([median]),
  p25: median * 0.9,
  p75: median * 1.1,
  p95: median * 1.5,
  p99: median * 2,
  repetitions: 20,
})

export function row(question: string, group: Group, medians: Readonly<Record<string, number>>): QuestionRow {
  const timings = Object.fromEntries(Object.entries(medians).map(([name, median]) => [name, timing(median)]))
  return { question, group, timings, differences: [] }
}

export const header: ResultHeader = {
  date: '2025-01-02T03:04:05.000Z',
  commandLine: 'npm run bench -- --documents 1000000',
  machine: { processor: 'Some Processor', cores: 2, memoryMiB: 8192 },
  versions: { Node: '24.0.0', Periplus: '0.1.0', OpenSearch: '3.5.0' },
  documents: 1_000_000,
  seed: 1,
}

export const calm: MachineUse = { seconds: 60, stolen: 0.02, others: 0.01, loadAverages: [0.5, 1.5] }
export const stolen: MachineUse = { seconds: 60, stolen: 0.412, others: 0.2, loadAverages: [4, 6] }

export const tables: readonly QuestionTable[] = [
  {
    state: 'rest',
    time: 'none',
    rows: [
      row('count all', 'counts', { Periplus: 2, OpenSearch: 8, DuckDB: 1 }),
      row('days | months', 'aggregations', { Periplus: 10, OpenSearch: 90, DuckDB: 20 }),
      row('term > term', 'aggregations', { Periplus: 100, OpenSearch: 400 }),
      row('export', 'files', { Periplus: 500 }),
    ],
  },
  {
    state: 'rest',
    time: 'changing',
    rows: [row('count all', 'counts', { Periplus: 4, OpenSearch: 2 })],
  },
  {
    state: 'after a restart',
    time: 'none',
    request: 'first',
    rows: [{ ...row('count all', 'counts', { Periplus: 40, OpenSearch: 160 }), differences: ['OpenSearch, 3 for 4'] }],
  },
]

export const sample: BenchResult = {
  format: 1,
  header,
  loads: [
    {
      system: 'Periplus',
      dataset: 'points',
      documents: 1_000_000,
      documentsPerSecond: 76_912.4,
      secondsUntilInOrder: 9.26,
    },
    {
      system: 'DuckDB',
      dataset: 'points',
      documents: 1_000_000,
      documentsPerSecond: 200_000,
      secondsUntilInOrder: 0,
    },
  ],
  tables,
  throughput: [
    {
      system: 'Periplus',
      question: 'count all',
      clients: 8,
      requests: 4000,
      requestsPerSecond: 812.34,
      timing: timing(9),
    },
  ],
  refreshes: [{ system: 'Periplus', requests: 30, timing: timing(220) }],
  writes: [{ system: 'Periplus', batch: 200, readers: 8, timing: timing(17) }],
  writers: [{ state: 'rest', system: 'OpenSearch', wanted: 1000, reached: 612.3, batch: 200, timing: timing(70) }],
  footprints: [
    { part: 'load', system: 'Periplus', diskMiB: 172, memoryMiB: 900, peakMemoryMiB: 1700 },
    { part: 'loaded', system: 'Periplus', diskMiB: 172, memoryMiB: 950, peakMemoryMiB: 1700 },
    { part: 'load', system: 'DuckDB', diskMiB: 86 },
  ],
  machineUse: [
    { part: 'rest', ...calm },
    { part: 'after a restart', ...stolen },
  ],
}
