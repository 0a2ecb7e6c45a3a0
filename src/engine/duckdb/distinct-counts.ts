import type { MetricPlan } from '../../query/aggregation-plan.ts'
import type { Aggregating } from './aggregator.ts'
import { bucketRows, type RowSource } from './bucket-rows.ts'
import { type BucketNode, keptNodes } from './bucket-tree.ts'
import type { IndexTable } from './index-table.ts'
import { compileDistinct } from './metric-sql.ts'
import { withSql } from './snapshot.ts'

/** Ranks tell values apart in one table only, and only where every row has one. */
export const needComparable = (tables: readonly IndexTable[]): boolean =>
  tables.length > 1 || tables.some((table) => table.hasTail)

/**
 * The number of distinct values of a metric's field for each combination of `columns`, as the column `d`; `select`
 * gives the SQL of these columns for a source.
 */
export function compileDistinctCounts(
  sources: readonly RowSource[],
  metric: MetricPlan,
  columns: readonly string[],
  select: (source: RowSource) => readonly string[],
  comparable: boolean,
): string {
  const parts = sources.flatMap((source) => {
    const { single, several } = compileDistinct(metric, source.table, comparable)
    const values = (value: string, also: string): string =>
      `SELECT ${[...select(source), `${value} AS v`].join(', ')} FROM ${source.rows} WHERE ${source.where}${also}`
    if (!several) return values(single, '')
    return [
      values(single, ` AND (${several.condition}) IS NOT TRUE`),
      values(`unnest(${several.list})`, ` AND (${several.condition})`),
    ]
  })
  const names = columns.join(', ')
  return `SELECT ${names}, count(DISTINCT v) AS d FROM (${parts.join(' UNION ALL ')}) GROUP BY ${names}`
}

/** Counts distinct values in the kept buckets of a level; those its order needed are there already. */
export async function addDistinctCounts(work: Aggregating, root: BucketNode, depth: number): Promise<void> {
  const { plan, approach, tables, located } = work
  const nodes = keptNodes(root, depth)
  for (const [i, metric] of (plan.levels[depth]?.metrics ?? []).entries()) {
    if (metric.kind !== 'cardinality' || nodes.length === 0 || nodes[0]?.metrics[i] !== undefined) continue
    const found = await withSql(work.database, (sql) => {
      const sources = approach.domains.flatMap(
        (domain) => bucketRows(plan, domain, depth, located, sql, { parents: { depth, nodes } }).sources,
      )
      const text = compileDistinctCounts(sources, metric, ['b'], () => ['b'], needComparable(tables))
      return work.reader.rows(text, sql.values)
    })
    for (const node of nodes) node.metrics[i] = 0
    for (const [place, count] of found) {
      const node = nodes[Number(place)]
      if (node) node.metrics[i] = Number(count)
    }
  }
}
