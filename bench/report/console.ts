import { isDisturbed } from '../measure/machine.ts'
import { duration, percent, whole } from './figures.ts'
import { inOrderPerSecond, peersOf, summaryOf } from './ratios.ts'
import { type BenchResult, failuresOf, OWN, type PartName, stateLabel } from './result.ts'
import { ms, table, times } from './table.ts'

/** A part that is still to be measured. */
export interface PlannedPart {
  readonly part: PartName
  /** Number of calls of `next`; 0 if it is not known. */
  readonly steps: number
}

export interface Progress {
  /** Prints what is measured now: a question, or another step of the part. */
  readonly next: (part: PartName, what: string) => void
  /** Ends a part, so that the preparation of the next one does not count as its last step. */
  readonly finish: (part: PartName) => void
}

interface Printing {
  readonly print?: (line: string) => void
  /** Milliseconds. */
  readonly clock?: () => number
}

/** On a terminal, a step replaces the one before it. */
function printLine(line: string): void {
  if (process.stdout.isTTY) process.stdout.write(`\r\u001b[K${line}`)
  else console.log(line)
}

/** Prints a line for each step, with the time left at the pace so far. */
export function progressOf(
  plan: readonly PlannedPart[],
  { print = printLine, clock = () => performance.now() }: Printing = {},
): Progress {
  const steps = new Map(plan.map((one) => [one.part, one.steps]))
  const done = new Map<PartName, number>()
  let stepsDone = 0
  let stepMs = 0
  let started: number | undefined

  const end = (): void => {
    if (started === undefined) return
    stepMs += clock() - started
    stepsDone++
    started = undefined
  }
  const left = (): string => {
    if (stepsDone === 0) return ''
    const remaining = plan.reduce((sum, one) => sum + Math.max(0, one.steps - (done.get(one.part) ?? 0)), 0)
    return `, about ${duration((remaining * stepMs) / stepsDone / 1000)} left`
  }

  return {
    next: (part, what) => {
      end()
      const n = (done.get(part) ?? 0) + 1
      // The step that begins is not done yet, so the time left is computed before it is counted.
      const of = steps.get(part) ?? 0
      print(`${part}${of === 0 ? '' : ` ${n} of ${of}`}: ${what}${left()}`)
      done.set(part, n)
      started = clock()
    },
    finish: (part) => {
      end()
      // Steps that were left out do not remain.
      done.set(part, steps.get(part) ?? 0)
    },
  }
}

/** The closing summary. */
export function renderSummary(result: BenchResult): string {
  const { documents, seed } = result.header
  return [
    `${whole(documents)} documents, seed ${seed}`,
    loadTable(result),
    stateTable(result),
    writeTable(result),
    result.machineUse
      .filter(isDisturbed)
      .map(
        ({ part, stolen, others }) =>
          `disturbed: ${part}, ${percent(stolen)} of the processor time was stolen, other processes used ${percent(others)}`,
      )
      .join('\n'),
    failureText(failuresOf(result)),
  ]
    .filter((text) => text !== '')
    .join('\n\n')
}

function loadTable({ loads }: BenchResult): string {
  if (loads.length === 0) return ''
  const head = ['load (documents/s)', 'until findable', 'until in order']
  const rows = loads.map((load) => [
    `${load.system}, ${whole(load.documents)} ${load.dataset}`,
    whole(load.documentsPerSecond),
    whole(inOrderPerSecond(load)),
  ])
  return table([head, ...rows])
}

/** Medians of Periplus alone. */
function medianTable({ tables }: BenchResult): string {
  const names = [...new Set(tables.flatMap(({ rows }) => rows.map(({ question }) => question)))]
  const rows = names.map((name) => [
    name,
    ...tables.map(({ rows }) => {
      const own = rows.find(({ question }) => question === name)?.timings[OWN]
      return own === undefined ? '-' : ms(own.median)
    }),
  ])
  const head = ['question (ms)', ...tables.map((one) => `${stateLabel(one)}, ${one.time}`)]
  return rows.length === 0 ? '' : table([head, ...rows])
}

function writeTable({ writers, writes }: BenchResult): string {
  const rows = [
    ...writers.map(({ system, state, batch, reached, timing }) => [
      `${system}, ${state}, ${whole(batch)} per request`,
      ms(timing.median),
      ms(timing.p95),
      whole(reached),
    ]),
    ...writes.map(({ system, batch, readers, timing }) => [
      `${system}, ${readers} readers, ${whole(batch)} per request`,
      ms(timing.median),
      ms(timing.p95),
      '-',
    ]),
  ]
  return rows.length === 0 ? '' : table([['writes (ms)', 'median', 'p95', 'documents/s'], ...rows])
}

function stateTable(result: BenchResult): string {
  const peers = peersOf(result.tables)
  if (peers.length === 0) return medianTable(result)
  const rows = summaryOf(result).map(({ label, against }) => [
    label,
    ...peers.flatMap((name) => {
      const found = against.find(({ peer }) => peer === name)
      return found === undefined ? ['-', '-'] : [times(found.mean), times(found.worst.ratio)]
    }),
  ])
  const head = ['faster than (geometric mean)', ...peers.flatMap((peer) => [peer, 'worst'])]
  return table([head, ...rows])
}

/** Failures shown on the console; all of them are in the result file. */
const SHOWN = 20

function failureText(failures: readonly string[]): string {
  if (failures.length === 0) return ''
  const more = failures.length > SHOWN ? [`and ${failures.length - SHOWN} more`] : []
  return [`FAILED: ${failures.length} differing or failed answers`, ...failures.slice(0, SHOWN), ...more].join('\n')
}
