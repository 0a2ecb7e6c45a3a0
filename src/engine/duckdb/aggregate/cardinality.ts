import type { MetricPlan } from '../../../query/plan/aggregation-plan.ts'
import type { SelectedPart, SelectedRows } from '../condition/selected-rows.ts'
import { estimateOf, firstSample, isSampled, nextSample, type SampleBits } from './cardinality-sample.ts'
import { compileDistinct } from './metric-sql.ts'

interface DistinctCounts {
  /** Documents in the selection. */
  readonly total: number
  /** In the order of the metrics. */
  readonly counts: readonly number[]
}

/** Counts the distinct values of each metric in the selection: exactly up to `exactUpTo`, within 2 % above. */
export async function countDistinct(
  rows: SelectedRows,
  metrics: readonly MetricPlan[],
  exactUpTo: number,
): Promise<DistinctCounts> {
  const first = metrics.map((metric) => firstSample(metric, rows.tables, exactUpTo))
  const { total, counts } = await countSamples(rows, metrics, first)
  const estimates = counts.map((counted, i) => estimateOf(counted, first[i] ?? 0))
  const again = counts.flatMap((counted, i) => {
    const bits = nextSample(counted, first[i] ?? 0, exactUpTo)
    const metric = metrics[i]
    return bits === undefined || !metric ? [] : [{ i, metric, bits }]
  })
  if (again.length > 0) {
    const second = again.map(({ bits }) => bits)
    const better = await countSamples(
      rows,
      again.map(({ metric }) => metric),
      second,
    )
    for (const [n, { i, bits }] of again.entries()) estimates[i] = estimateOf(better.counts[n] ?? 0, bits)
  }
  return { total, counts: estimates }
}

async function countSamples(
  rows: SelectedRows,
  metrics: readonly MetricPlan[],
  bits: readonly SampleBits[],
): Promise<DistinctCounts> {
  const counted = metrics.map((_, i) => `count(DISTINCT v${i}) FILTER (${isSampled(`v${i}`, bits[i] ?? 0)})`)
  const [row = []] = await rows.read((parts) => {
    const values = parts.flatMap((part) => compileValues(part, metrics))
    // Grouping is faster than count(DISTINCT ...). It does not work with lists: their values would be counted as
    // documents.
    if (metrics.length === 1 && bits[0] === 0 && values.length === parts.length) {
      const groups = `SELECT v0, count(*) AS n FROM (${values.join(' UNION ALL ')}) GROUP BY ALL`
      return `SELECT coalesce(sum(n), 0), count(v0) FROM (${groups})`
    }
    const figures = ['count(*) FILTER (is_document)', ...counted]
    return `SELECT ${figures.join(', ')} FROM (${values.join(' UNION ALL ')})`
  })
  const [total = 0, ...counts] = row.map(Number)
  return { total, counts }
}

/** Selects one row per document with its values, then for each multi-valued metric one row per list element. */
function compileValues({ table, condition }: SelectedPart, metrics: readonly MetricPlan[]) {
  const values = metrics.map((metric) => compileDistinct(metric, table))
  const singles = values.map(({ single }, i) => `${single} AS v${i}`)
  const documents = `SELECT TRUE AS is_document, ${singles.join(', ')} FROM ${table.table} WHERE ${condition}`
  const listed = values.flatMap(({ several }, i) => {
    if (!several) return []
    const columns = values.map((_, other) => (other === i ? `unnest(${several.list}) AS v${i}` : 'NULL'))
    const where = `${several.condition} AND (${condition})`
    return [`SELECT FALSE AS is_document, ${columns.join(', ')} FROM ${table.table} WHERE ${where}`]
  })
  return [documents, ...listed]
}
