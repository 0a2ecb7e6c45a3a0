import type { MetricValue } from '../../../query/aggregation/bucket.ts'
import type { MeasurePlan, MetricPlan } from '../../../query/plan/aggregation-plan.ts'
import type { MeasureResult } from '../../engine.ts'
import { type SelectedPart, type SelectedRows, selectRows } from '../condition/selected-rows.ts'
import { readTables, type Tables } from '../condition/snapshot.ts'
import type { Database } from '../database/database.ts'
import { countIn } from '../search/searcher.ts'
import { countDistinct } from './cardinality.ts'
import { compileMetric, type UnitedKind } from './metric-sql.ts'

/** Default number of distinct values up to which they are counted exactly. */
const EXACT_DISTINCT = 100_000

/** Returns the number of selected documents and the metrics over them, read from one snapshot. */
export function measure(
  database: Database,
  named: Tables,
  plan: MeasurePlan,
  signal: AbortSignal | undefined,
): Promise<MeasureResult> {
  return readTables(database, named, signal, async (reader, tables) => {
    const united = plan.metrics.filter(isUnited)
    const distinct = plan.metrics.filter((metric) => !isUnited(metric))
    if (plan.metrics.length === 0) return { total: await countIn(reader, tables, plan), values: [] }
    const rows = selectRows(reader, tables, plan.predicate)
    const gathered = united.length > 0 ? await gather(rows, united) : undefined
    const counted =
      distinct.length > 0 ? await countDistinct(rows, distinct, plan.exactDistinct ?? EXACT_DISTINCT) : undefined
    const figures = new Map<MetricPlan, MetricValue>()
    for (const [i, metric] of united.entries()) figures.set(metric, gathered?.values[i] ?? null)
    for (const [i, metric] of distinct.entries()) figures.set(metric, counted?.counts[i] ?? 0)
    return {
      total: gathered?.total ?? counted?.total ?? 0,
      values: plan.metrics.map((metric) => figures.get(metric) ?? null),
    }
  })
}

type UnitedPlan = MetricPlan & { readonly kind: UnitedKind }

const isUnited = (metric: MetricPlan): metric is UnitedPlan => metric.kind !== 'cardinality'

/** Aggregates each table, then the tables: the columns of a field differ between them. */
async function gather(rows: SelectedRows, metrics: readonly UnitedPlan[]): Promise<MeasureResult> {
  const compiled = rows.tables.map((table) => metrics.map((metric) => compileMetric(metric, table)))
  const byTable = new Map(rows.tables.map((table, i) => [table, compiled[i]?.flatMap((m) => m.partials) ?? []]))
  const [first = []] = compiled
  const united = first.flatMap((m) => m.partials).map(({ unite }, i) => `${unite}(p${i})`)
  const scan = ({ table, condition }: SelectedPart): string => {
    const partials = (byTable.get(table) ?? []).map(({ sql }, i) => `${sql} AS p${i}`)
    return `SELECT ${['count(*) AS n', ...partials].join(', ')} FROM ${table.table} WHERE ${condition}`
  }
  const [row = []] = await rows.read(
    (parts) => `SELECT ${['sum(n)', ...united].join(', ')} FROM (${parts.map(scan).join(' UNION ALL ')})`,
  )
  let next = 1
  const values = first.map(({ partials, finish }) => {
    const begin = next
    next += partials.length
    return finish(row.slice(begin, next))
  })
  return { total: Number(row[0] ?? 0), values }
}
