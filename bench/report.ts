import type { LoadResult } from './loading.ts'
import { geometricMean, type Timing } from './measurement.ts'

export interface QuestionResult {
  readonly name: string
  readonly periplus: Timing
  /** Second request with the result cache on. */
  readonly cached?: Timing
  readonly opensearch?: Timing
  /** Number of repetitions in which the systems returned different counts. */
  readonly disagreements?: number
}

export interface BenchReport {
  readonly documents: number
  readonly seed: number
  readonly date: string
  readonly machine: string
  readonly load: { readonly periplus: LoadResult; readonly opensearch?: LoadResult }
  readonly peakMemoryMiB: { readonly periplus?: number; readonly opensearch?: number }
  readonly questions: readonly QuestionResult[]
}

export const ms = (v: number): string => (Math.abs(v) < 10 ? v.toFixed(2) : v.toFixed(1))
export const times = (v: number): string => `${v.toFixed(2)}x`

export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)))
  const line = (row: readonly string[]): string =>
    row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join('  ')
  return rows.map(line).join('\n')
}

function loadRow(name: string, load: LoadResult): string[] {
  const memory = load.peakMemoryMiB === undefined ? '-' : `${load.peakMemoryMiB} MiB`
  const seconds = `${load.seconds.toFixed(1)} s`
  return [name, Math.round(load.documentsPerSecond).toString(), seconds, `${load.settleSeconds.toFixed(1)} s`, memory]
}

/** Speed-up of Periplus: geometric mean over the ratios of medians. */
function overallRatio(questions: readonly QuestionResult[]): number | undefined {
  const ratios = questions.flatMap((q) => (q.opensearch ? [q.opensearch.median / q.periplus.median] : []))
  return ratios.length === 0 ? undefined : geometricMean(ratios)
}

/** Prints the report: a table of the load and one of the questions. */
export function renderReport(report: BenchReport): string {
  const { load, questions } = report
  const loads = [
    ['load', 'documents/s', 'time', 'settling', 'peak memory'],
    loadRow('Periplus', load.periplus),
    ...(load.opensearch ? [loadRow('OpenSearch', load.opensearch)] : []),
  ]
  const rows = questions.map((q) => [
    q.name,
    ms(q.periplus.median),
    ms(q.periplus.p95),
    q.cached ? ms(q.cached.median) : '-',
    q.opensearch ? ms(q.opensearch.median) : '-',
    q.opensearch ? ms(q.opensearch.p95) : '-',
    q.opensearch ? times(q.opensearch.median / q.periplus.median) : '-',
    q.disagreements === undefined ? '-' : String(q.disagreements),
  ])
  const head = ['question (ms)', 'median', 'p95', 'cached', 'OpenSearch median', 'p95', 'faster', 'differing']
  const ratio = overallRatio(questions)
  const gathering = overallRatio(questions.filter((q) => q.cached))
  const summary =
    ratio === undefined || gathering === undefined
      ? ''
      : `\ngeometric mean: ${times(ratio)} faster; of the aggregations: ${times(gathering)}\n`
  return `${report.documents} documents\n\n${table(loads)}\n\n${table([head, ...rows])}\n${summary}`
}
