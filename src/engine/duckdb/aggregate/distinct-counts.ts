import type { DuckDBValue } from '@duckdb/node-api'
import type { MetricPlan } from '../../../query/plan/aggregation-plan.ts'
import { withSql } from '../database/sql-builder.ts'
import { bucketRows } from './bucket-rows.ts'
import { type BucketNode, keptNodes } from './bucket-tree.ts'
import { compileDistinct } from './metric-sql.ts'
import { codePath } from './parent-buckets.ts'
import type { RowSource } from './row-source.ts'
import type { TableAggregation } from './table-aggregation.ts'

/**
 * Compiles the number of distinct values of a metric's field for each combination of `columns`, as the column `d`.
 * `select` returns the SQL of these columns for a source.
 */
export function compileDistinctCounts(
  sources: readonly RowSource[],
  metric: MetricPlan,
  columns: readonly string[],
  select: (source: RowSource) => readonly string[],
): string {
  const parts = sources.flatMap((source) => {
    const { single, several } = compileDistinct(metric, source.table)
    const values = (value: string, also: string): string =>
      `SELECT ${[...select(source), `${value} AS v`].join(', ')} FROM ${source.rows} WHERE ${source.where}${also}`
    if (!several) return values(single, '')
    return [
      values(single, ` AND (${several.condition}) IS NOT TRUE`),
      values(`unnest(${several.list})`, ` AND (${several.condition})`),
    ]
  })
  const names = columns.join(', ')
  // Grouping twice is faster than count(DISTINCT ...).
  const pairs = `SELECT ${names}, v FROM (${parts.join(' UNION ALL ')}) WHERE v IS NOT NULL GROUP BY ALL`
  return `SELECT ${names}, count(*) AS d FROM (${pairs}) GROUP BY ALL`
}

/** Counts distinct values in the kept buckets of a level, except those already counted to order the level. */
export async function addDistinctCounts(work: TableAggregation, root: BucketNode, depth: number): Promise<void> {
  const nodes = keptNodes(root, depth)
  for (const [i, metric] of (work.plan.levels[depth]?.metrics ?? []).entries()) {
    if (metric.kind !== 'cardinality' || nodes.length === 0 || nodes[0]?.metrics[i] !== undefined) continue
    for (const node of nodes) node.setMetric(i, 0)
    const count = isWhole(root, depth) ? countByKeys : countByParents
    for (const [node, distinct] of await count(work, nodes, metric, depth)) node.setMetric(i, distinct)
  }
}

/** True if no bucket down to the level was cut. */
function isWhole(root: BucketNode, depth: number): boolean {
  let nodes: readonly BucketNode[] = [root]
  for (let level = 0; level <= depth; level++) {
    if (nodes.some((node) => node.others > 0)) return false
    nodes = nodes.flatMap((node) => node.kept)
  }
  return true
}

type Counted = readonly (readonly [BucketNode, number])[]

/** Groups by the keys themselves. No bucket was cut, so nothing is counted in vain. */
async function countByKeys(
  { reader, plan, tables }: TableAggregation,
  nodes: readonly BucketNode[],
  metric: MetricPlan,
  depth: number,
): Promise<Counted> {
  const columns = Array.from({ length: depth + 1 }, (_, level) => `k${level}`)
  const found = await withSql((sql) => {
    const { sources } = bucketRows(plan, tables, depth, sql)
    const select = ({ keys }: RowSource): readonly string[] => columns.map((name, level) => `${keys[level]} AS ${name}`)
    return reader.rows(compileDistinctCounts(sources, metric, columns, select), sql.values)
  })
  const byCodes = new Map(nodes.map((node) => [pathName(codePath(node)), node]))
  return found.flatMap((row) => {
    const node = byCodes.get(pathName(row.slice(0, -1)))
    return node ? [[node, Number(row.at(-1))] as const] : []
  })
}

/** Terms may contain newlines. JSON quoting keeps paths unambiguous. */
const pathName = (codes: readonly DuckDBValue[]): string =>
  codes.map((code) => (typeof code === 'string' ? JSON.stringify(code) : code)).join('\n')

async function countByParents(
  { reader, plan, tables }: TableAggregation,
  nodes: readonly BucketNode[],
  metric: MetricPlan,
  depth: number,
): Promise<Counted> {
  const found = await withSql((sql) => {
    const { sources } = bucketRows(plan, tables, depth, sql, { inside: { depth, nodes } })
    return reader.rows(
      compileDistinctCounts(sources, metric, ['b'], () => ['b']),
      sql.values,
    )
  })
  return found.flatMap(([place, count]) => {
    const node = nodes[Number(place)]
    return node ? [[node, Number(count)] as const] : []
  })
}
