import { isDisturbed } from '../measure/machine.ts'
import type { Timing } from '../measure/timing.ts'
import { percent, whole } from './figures.ts'
import { groupsOf, inOrderPerSecond, meanRatio, peersOf, ratioOf, type StateSummary, summaryOf } from './ratios.ts'
import {
  type BenchResult,
  failuresOf,
  filterLabel,
  OWN,
  type PartName,
  type QuestionTable,
  type ResultHeader,
  type StateName,
} from './result.ts'
import { ms, times } from './table.ts'

/** A whole result as Markdown. */
export function renderMarkdown(result: BenchResult): string {
  const states = summaryOf(result)
  const sections = [
    headerSection(result.header),
    loadSection(result),
    footprintSection(result),
    summarySection(states, peersOf(result.tables)),
    ...states.map((state) => stateSection(state, result)),
    throughputSection(result),
    writeSection(result),
    failureSection(result),
  ]
  return `${sections.filter((text) => text !== '').join('\n\n')}\n`
}

/** Lines of a Markdown table; the first row is the head, numbers are aligned to the right. */
export function markdownTable(rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  const [head = [], ...rest] = rows
  return [line(head), `|${head.map((_, i) => (i === 0 ? '---' : '---:')).join('|')}|`, ...rest.map(line)].join('\n')
}

const section = (heading: string, rows: readonly (readonly string[])[], note = ''): string =>
  rows.length < 2 ? '' : [`## ${heading}`, note, markdownTable(rows)].filter((text) => text !== '').join('\n\n')

const spread = ({ p25, p75, repetitions }: Timing): string => (repetitions > 1 ? `${ms(p25)} to ${ms(p75)}` : '-')
const tail = ({ median, p95, p99 }: Timing): readonly string[] => [median, p95, p99].map(ms)
const optional = (value: number | undefined, print: (value: number) => string): string =>
  value === undefined ? '-' : print(value)

function headerSection({ date, commandLine, machine, versions, documents, seed }: ResultHeader): string {
  const named = Object.entries(versions).map(([name, version]) => `${name} ${version}`)
  return [
    `# Benchmark of ${date.slice(0, 10)}`,
    '',
    `- ${whole(documents)} documents, seed ${seed}`,
    `- ${machine.cores} cores (${machine.processor}), ${(machine.memoryMiB / 1024).toFixed(1)} GiB of memory`,
    `- ${named.join(', ')}`,
    `- command: \`${commandLine}\``,
    '',
    'Times are medians in milliseconds. The spread contains the middle half of the times. A ratio is the time of another system divided by that of Periplus: above 1, Periplus is faster. Means are geometric.',
  ].join('\n')
}

function loadSection({ loads }: BenchResult): string {
  const head = [
    'system',
    'documents',
    'documents/s until findable',
    'seconds until in order',
    'documents/s until in order',
  ]
  const rows = loads.map((load) => [
    load.system,
    `${whole(load.documents)} ${load.dataset}`,
    whole(load.documentsPerSecond),
    load.secondsUntilInOrder.toFixed(1),
    whole(inOrderPerSecond(load)),
  ])
  return section('Loading', [head, ...rows])
}

function footprintSection({ footprints, loads }: BenchResult): string {
  const head = ['system', 'after', 'memory', 'peak since its start', 'memory per document', 'disk', 'disk per document']
  const rows = footprints
    .filter(({ part }) => FOOTPRINTS.has(part))
    .map(({ system, part, memoryMiB, peakMemoryMiB, diskMiB }) => {
      const documents = loads.filter((load) => load.system === system).reduce((sum, load) => sum + load.documents, 0)
      const perDocument = (mib: number): string =>
        documents === 0 ? '-' : `${whole((mib * 2 ** 20) / documents)} bytes`
      return [
        ...[system, part],
        optional(memoryMiB, mib),
        optional(peakMemoryMiB, mib),
        optional(memoryMiB, perDocument),
        mib(diskMiB),
        perDocument(diskMiB),
      ]
    })
  return section('Memory and disk', [head, ...rows])
}

/** Parts whose memory is shown; the others are in the result file. */
const FOOTPRINTS: ReadonlySet<PartName> = new Set(['load', 'rest', 'writes'])

const mib = (value: number): string => `${whole(value)} MiB`

function summarySection(states: readonly StateSummary[], peers: readonly string[]): string {
  const head = ['state', ...peers.flatMap((peer) => [`mean ratio to ${peer}`, 'worst row'])]
  const rows = states.map(({ label, against }) => [
    label,
    ...peers.flatMap((name) => {
      const found = against.find(({ peer }) => peer === name)
      if (found === undefined) return ['-', '-']
      const { ratio, question, time } = found.worst
      return [times(found.mean), `${times(ratio)} ${question}, ${filterLabel(time)}`]
    }),
  ])
  return peers.length === 0 ? '' : section('Summary', [head, ...rows])
}

function stateSection({ label, tables }: StateSummary, result: BenchResult): string {
  const state = tables[0]?.state
  return [
    `## State: ${label}`,
    ...(state === undefined ? [] : [...disturbance(result, state), writerTable(result, state)]),
    ...tables.flatMap((table) => [
      `### ${capital(filterLabel(table.time))}`,
      groupTable(table),
      folded(`${table.rows.length} questions`, questionTable(table)),
    ]),
  ]
    .filter((text) => text !== '')
    .join('\n\n')
}

function writerTable({ writers }: BenchResult, state: StateName): string {
  const head = ['documents that arrive', 'wanted/s', 'reached/s', 'per request', 'median', 'p95', 'p99']
  const rows = writers
    .filter((writer) => writer.state === state)
    .map(({ system, wanted, reached, batch, timing }) => [
      system,
      ...[wanted, reached, batch].map(whole),
      ...tail(timing),
    ])
  return rows.length === 0 ? '' : markdownTable([head, ...rows])
}

/** A long table that is shown on a click. */
const folded = (title: string, text: string): string =>
  `<details>\n<summary>${title}</summary>\n\n${text}\n\n</details>`

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

function questionTable(table: QuestionTable): string {
  const peers = peersOf([table])
  const head = ['question', OWN, 'spread', ...peers.flatMap((peer) => [peer, 'ratio'])]
  const rows = table.rows.map((row) => [
    row.question,
    optional(row.timings[OWN]?.median, ms),
    row.timings[OWN] === undefined ? '-' : spread(row.timings[OWN]),
    ...peers.flatMap((peer) => [optional(row.timings[peer]?.median, ms), optional(ratioOf(row, peer), times)]),
  ])
  return markdownTable([head, ...rows])
}

function groupTable({ rows, ...table }: QuestionTable): string {
  const peers = peersOf([{ rows, ...table }])
  if (peers.length === 0) return ''
  const means = (name: string, some: typeof rows): readonly string[] => [
    name,
    ...peers.map((peer) => optional(meanRatio(some, peer), times)),
  ]
  const groups = groupsOf(rows).map((group) =>
    means(
      group,
      rows.filter((row) => row.group === group),
    ),
  )
  const head = ['group', ...peers.map((peer) => `mean ratio to ${peer}`)]
  return markdownTable([head, ...groups, means('all', rows)])
}

/** A sentence if too much processor time was missing in a part. */
export function disturbance({ machineUse }: BenchResult, part: PartName): readonly string[] {
  return machineUse
    .filter((use) => use.part === part && isDisturbed(use))
    .map(
      ({ stolen, others, loadAverages: [before, after] }) =>
        `The machine was disturbed: the host gave ${percent(stolen)} of the wanted processor time to other machines, and other processes used ${percent(others)} of the processors (load average ${before} before, ${after} after). Times are too long; ratios differ less.`,
    )
}

function throughputSection(result: BenchResult): string {
  const head = ['system', 'question', 'clients', 'requests/s', 'median', 'p95', 'p99']
  const rows = result.throughput.map(({ system, question, clients, requestsPerSecond, timing }) => [
    system,
    question,
    String(clients),
    requestsPerSecond.toFixed(1),
    ...tail(timing),
  ])
  const refreshes = result.refreshes.map(({ system, requests, timing }) => [
    system,
    String(requests),
    ms(timing.median),
    spread(timing),
  ])
  const note = disturbance(result, 'throughput').join('\n\n')
  return [
    section('Many clients', [head, ...rows], note),
    section('Requests at once', [['system', 'requests', 'ms until the last answer', 'spread'], ...refreshes]),
  ]
    .filter((text) => text !== '')
    .join('\n\n')
}

function writeSection(result: BenchResult): string {
  const head = ['system', 'documents per request', 'clients that read', 'median', 'p95', 'p99']
  const rows = result.writes.map(({ system, batch, readers, timing }) => [
    system,
    whole(batch),
    String(readers),
    ...tail(timing),
  ])
  return section('Writes while clients read', [head, ...rows], disturbance(result, 'writes').join('\n\n'))
}

const LONGEST_LINE = 300

/** A failure may contain a long request and lines of a log, all of which are in the result file. */
const oneLine = (text: string): string => {
  const line = text.replaceAll('\n', ' ')
  return line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}...` : line
}

function failureSection(result: BenchResult): string {
  const failures = failuresOf(result)
  if (failures.length === 0) return ''
  return ['## Differing answers', '', ...failures.map((failure) => `- ${oneLine(failure)}`)].join('\n')
}
