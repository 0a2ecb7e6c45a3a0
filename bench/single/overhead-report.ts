import type { LoadResult } from '../measure/loading.ts'
import { summarise, type Timing } from '../measure/timing.ts'
import { ms, table, times } from '../report/table.ts'

/** One question, asked through Periplus and directly. */
export interface Overhead {
  readonly name: string
  readonly periplus: Timing
  readonly opensearch: Timing
  /** Difference of both paths per repetition. */
  readonly differences: readonly number[]
  readonly overhead: Timing
  /** Median length of an answer. */
  readonly bytes: number
  /** Processor time of the Periplus process per answer; nearly independent of other load. */
  readonly processorMs?: number
  /** Number of repetitions with different counts. */
  readonly disagreements: number
  /** Calls of Periplus to the cluster for one answer. */
  readonly calls: readonly string[]
}

export interface OverheadReport {
  readonly documents: number
  readonly seed: number
  readonly date: string
  readonly machine: string
  /** One-minute load averages before and after the questions. */
  readonly loadAverages: readonly [number, number]
  readonly load: LoadResult
  readonly questions: readonly Overhead[]
}

/** Maximum length of a small answer, for which the request costs more than printing. */
const SMALL_BYTES = 16 * 1024

/** Prints the report: the overhead of every question, and of small answers. */
export function renderOverhead({ documents, load, loadAverages, questions }: OverheadReport): string {
  const head = [
    'question (ms)',
    'calls',
    'bytes',
    'Periplus',
    'p95',
    'OpenSearch',
    'p95',
    'overhead',
    'ratio',
    'processor',
    'differing',
  ]
  const rows = questions.map((q) => [
    q.name,
    String(q.calls.length),
    String(q.bytes),
    ms(q.periplus.median),
    ms(q.periplus.p95),
    ms(q.opensearch.median),
    ms(q.opensearch.p95),
    ms(q.overhead.median),
    times(q.periplus.median / q.opensearch.median),
    q.processorMs === undefined ? '-' : ms(q.processorMs),
    String(q.disagreements),
  ])
  const kinds = [...new Set(questions.flatMap(({ calls }) => calls))].sort()
  const medianOf = (some: readonly Overhead[]): string =>
    ms(summarise(some.flatMap(({ differences }) => differences)).median)
  const small = questions.filter(({ bytes }) => bytes <= SMALL_BYTES)
  return [
    `${documents} documents, loaded through Periplus at ${Math.round(load.documentsPerSecond)}/s`,
    `load average ${loadAverages.map((v) => v.toFixed(1)).join(' before, ')} after`,
    '',
    table([head, ...rows]),
    '',
    `calls: ${kinds.join(', ')}`,
    `median overhead: ${medianOf(small)} ms for responses of up to ${SMALL_BYTES} bytes, ${medianOf(questions)} ms for all`,
    '',
  ].join('\n')
}
