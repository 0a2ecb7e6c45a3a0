import type { Machine, MachineUse } from '../measure/machine.ts'
import type { Throughput } from '../measure/throughput.ts'
import type { Timing } from '../measure/timing.ts'
import type { DatasetName, Group, TimeFilter } from '../questions/question.ts'

/** The system that the others are compared with. */
export const OWN = 'Periplus'

/** States of the documents in which all questions are asked, in the order of a report. */
export const STATES = [
  'loaded',
  'rest',
  'live 200/s',
  'live 1000/s',
  'after one delete',
  'after one tag',
  'after a restart',
  'cached',
] as const

export type StateName = (typeof STATES)[number]

/** Parts of a run, each of which is saved when it is measured; in the order of a report. */
export const PARTS = ['load', ...STATES, 'throughput', 'writes'] as const

export type PartName = (typeof PARTS)[number]

export const TIME_FILTERS = ['none', 'constant', 'changing'] as const satisfies readonly TimeFilter[]

export interface ResultHeader {
  readonly date: string
  readonly commandLine: string
  readonly machine: Machine
  /** By name of the system or library. */
  readonly versions: Readonly<Record<string, string>>
  readonly documents: number
  readonly seed: number
  /** Other options that change what is measured. */
  readonly settings?: Readonly<Record<string, string | number | boolean>>
}

export interface LoadFigures {
  readonly system: string
  readonly dataset: DatasetName
  readonly documents: number
  /** Until the last document can be found. */
  readonly documentsPerSecond: number
  /** After the last document can be found: until the documents are in their final order. */
  readonly secondsUntilInOrder: number
}

/** Memory and disk of a system at the end of a part. */
export interface FootprintRow {
  readonly system: string
  /** Of all datasets. */
  readonly diskMiB: number
  /** Unknown for systems that were not started by the benchmark. */
  readonly memoryMiB?: number
  /** Since the system was started. */
  readonly peakMemoryMiB?: number
}

/** Answers to all questions in one state and with one time filter. */
export interface QuestionTable {
  readonly state: StateName
  readonly time: TimeFilter
  /** After a restart: which request of the question it was. */
  readonly request?: 'first' | 'second'
  readonly rows: readonly QuestionRow[]
}

export interface QuestionRow {
  readonly question: string
  readonly group: Group
  /** By name of the system; without systems that do not answer the question. */
  readonly timings: Readonly<Record<string, Timing>>
  /** Differing answers and failures. */
  readonly differences: readonly string[]
}

export interface ThroughputRow extends Throughput {
  readonly system: string
  /** Name of a question or of a mixture of questions. */
  readonly question: string
}

/** Time until the last of many simultaneous requests is answered. */
export interface RefreshRow {
  readonly system: string
  readonly requests: number
  readonly timing: Timing
}

/** Time of a bulk request while clients read. */
export interface WriteRow {
  readonly system: string
  readonly batch: number
  readonly readers: number
  readonly timing: Timing
}

/** What a writer achieved that sent batches at a fixed rate while questions were asked. */
export interface WriterRow {
  readonly state: StateName
  readonly system: string
  /** Documents per second that were to be sent. */
  readonly wanted: number
  /** Documents per second that were acknowledged. */
  readonly reached: number
  readonly batch: number
  /** Of a batch. */
  readonly timing: Timing
}

/** What was measured in one part of a run. */
export interface ResultPart {
  readonly loads?: readonly LoadFigures[]
  readonly tables?: readonly QuestionTable[]
  readonly throughput?: readonly ThroughputRow[]
  readonly refreshes?: readonly RefreshRow[]
  readonly writes?: readonly WriteRow[]
  readonly writers?: readonly WriterRow[]
  readonly footprints?: readonly FootprintRow[]
  /** Undefined where the machine does not tell. */
  readonly machineUse?: MachineUse
}

export interface PartFootprint extends FootprintRow {
  readonly part: PartName
}

export interface PartUse extends MachineUse {
  readonly part: PartName
}

/** Increased when a reader of older files would misunderstand newer ones. */
export const RESULT_FORMAT = 1

export interface BenchResult {
  readonly format: typeof RESULT_FORMAT
  readonly header: ResultHeader
  readonly loads: readonly LoadFigures[]
  readonly tables: readonly QuestionTable[]
  readonly throughput: readonly ThroughputRow[]
  readonly refreshes: readonly RefreshRow[]
  readonly writes: readonly WriteRow[]
  readonly writers: readonly WriterRow[]
  readonly footprints: readonly PartFootprint[]
  readonly machineUse: readonly PartUse[]
}

/** Joins the parts of a run in the order of a report. */
export function joinParts(header: ResultHeader, parts: ReadonlyMap<PartName, ResultPart>): BenchResult {
  const ordered = PARTS.flatMap((name) => {
    const part = parts.get(name)
    return part === undefined ? [] : [{ name, part }]
  })
  return {
    format: RESULT_FORMAT,
    header,
    loads: ordered.flatMap(({ part }) => part.loads ?? []),
    tables: ordered.flatMap(({ part }) => part.tables ?? []),
    throughput: ordered.flatMap(({ part }) => part.throughput ?? []),
    refreshes: ordered.flatMap(({ part }) => part.refreshes ?? []),
    writes: ordered.flatMap(({ part }) => part.writes ?? []),
    writers: ordered.flatMap(({ part }) => part.writers ?? []),
    footprints: ordered.flatMap(({ name, part }) => (part.footprints ?? []).map((row) => ({ part: name, ...row }))),
    machineUse: ordered.flatMap(({ name, part }) => (part.machineUse ? [{ part: name, ...part.machineUse }] : [])),
  }
}

/** Name of a table's state in reports: two tables of a state differ in the request. */
export const stateLabel = ({ state, request }: Pick<QuestionTable, 'state' | 'request'>): string =>
  request === undefined ? state : `${state}, ${request} request`

const FILTER_LABELS: Readonly<Record<TimeFilter, string>> = {
  none: 'no time filter',
  constant: 'constant time filter',
  changing: 'changing time filter',
}

export const filterLabel = (time: TimeFilter): string => FILTER_LABELS[time]

/** All differing answers and failures, with the place where they occurred. A run with one has failed. */
export const failuresOf = ({ tables }: BenchResult): readonly string[] =>
  tables.flatMap((table) =>
    table.rows.flatMap(({ question, differences }) =>
      differences.map((difference) => `${stateLabel(table)}, ${filterLabel(table.time)}, ${question}: ${difference}`),
    ),
  )
