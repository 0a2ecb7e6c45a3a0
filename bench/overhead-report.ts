import type { LoadResult } from './loading.ts'
import { summarise, type Timing } from './measurement.ts'
import { ms, table, times } from './report.ts'

/** One question asked through Periplus and directly. */
export interface Overhead {
  readonly name: string
  readonly periplus: Timing
  readonly opensearch: Timing
  /** Between the two ways, repetition by repetition. */
  readonly differences: readonly number[]
  readonly overhead: Timing
  /** Length of an answer, at the median. */
  readonly bytes: number
  /** Processor time of the Periplus process for one answer; unlike the rest, it hardly depends on what else runs. */
  readonly processorMs?: number
  /** Repetitions in which the two ways counted differently. */
  readonly disagreements: number
  /** What Periplus asked the cluster for one answer. */
  readonly calls: readonly string[]
}

export interface OverheadReport {
  readonly documents: number
  readonly seed: number
  readonly date: string
  readonly machine: string
  /** Of the last minute, before and after the questions. */
  readonly loadAverages: readonly [number, number]
  readonly load: LoadResult
  readonly questions: readonly Overhead[]
}

/** Up to this length an answer is small: what counts is that it is asked for, not how it is printed. */
const SMALL_BYTES = 16 * 1024

/** The report as text: what every question costs, and what small answers do. */
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
    `median overhead: ${medianOf(small)} ms for answers of up to ${SMALL_BYTES} bytes, ${medianOf(questions)} ms for all`,
    '',
  ].join('\n')
}
