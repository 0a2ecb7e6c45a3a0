import type { DuckDBValue } from '@duckdb/node-api'
import { checkBucketCount } from '../../../query/aggregation/bucket-limits.ts'
import type { AggregationLevel } from '../../../query/plan/aggregation-plan.ts'
import { inTurns } from '../../../turn.ts'
import { type SqlBuilder, withSql } from '../database/sql-builder.ts'
import type { IndexTable } from '../table/index-table.ts'
import type { BucketKeySql } from './bucket-key.ts'
import { bucketRows } from './bucket-rows.ts'
import { type BucketNode, keptNodes } from './bucket-tree.ts'
import { compileDistinctCounts } from './distinct-counts.ts'
import { compileCut, compileGroups, type GroupColumns, hasPartials, type Partial } from './group-sql.ts'
import { compileMetric } from './metric-sql.ts'
import { compileParents, type Parents } from './parent-buckets.ts'
import type { TableAggregation } from './table-aggregation.ts'
import { compileBound } from './top-bounds.ts'

/**
 * Groups returned by a statement, column by column: those of GroupColumns, then `d` of a level ordered by distinct
 * values, then `total` and `keyed` of a cut level.
 */
type FoundGroups = readonly (readonly DuckDBValue[])[]

/**
 * Builds the buckets of a level inside the kept buckets of the previous level, then sorts and cuts them. Returns the
 * number of selected rows if the groups determine it.
 */
export async function groupLevel(work: TableAggregation, root: BucketNode, depth: number): Promise<number | undefined> {
  const outer = depth === 0 ? [root] : keptNodes(root, depth - 1)
  const [table] = work.tables
  const level = work.plan.levels[depth]
  if (!table || !level || outer.length === 0) return undefined
  const parents = depth === 0 ? undefined : { depth: depth - 1, nodes: outer }
  const counted = await findGroups(work, level, table, outer, parents, depth)
  finishLevel(level, outer, table)
  return counted
}

/** Computes the metrics of the groups, then sorts and cuts them. */
function finishLevel(level: AggregationLevel, outer: readonly BucketNode[], table: IndexTable): void {
  let next = 0
  const results = level.metrics.map((metric) => {
    if (!hasPartials(metric)) return undefined
    const { partials, finish } = compileMetric(metric, table)
    const first = next
    next += partials.length
    return (node: BucketNode) => finish(node.partials.slice(first, first + partials.length))
  })
  const bounds = level.tops.map((top) => (compileBound(top, table) ? next++ : undefined))
  for (const parent of outer) {
    for (const node of parent.children ?? []) {
      for (const [i, result] of results.entries()) if (result) node.setMetric(i, result(node))
      if (bounds.length > 0) node.bounds = bounds.map((at) => (at === undefined ? undefined : node.partials[at]))
    }
    parent.keep(level)
  }
}

/** Partial results gathered for a level besides its counts: those of its metrics, then the bounds of its tops. */
function levelPartials(level: AggregationLevel, table: IndexTable): readonly Partial[] {
  return [
    ...level.metrics.filter(hasPartials).flatMap((metric) => compileMetric(metric, table).partials),
    ...level.tops.flatMap((top) => compileBound(top, table) ?? []),
  ]
}

function findGroups(
  work: TableAggregation,
  level: AggregationLevel,
  table: IndexTable,
  outer: readonly BucketNode[],
  parents: Parents | undefined,
  depth: number,
): Promise<number | undefined> {
  const { plan, tables, reader } = work
  const partials = (own: IndexTable): readonly Partial[] => levelPartials(level, own)
  const distinct = distinctOrder(level)
  const columns: GroupColumns = {
    depth,
    partials,
    unites: partials(table).map((p) => p.unite),
    ...(distinct === undefined ? {} : { distinct }),
  }
  return withSql(async (sql) => {
    const rows = bucketRows(plan, tables, depth, sql, { ...(parents ? { near: parents } : {}), fine: true })
    const key = rows.keys[depth]
    if (!key) return undefined
    const grouped = compileGroups(rows, columns, parents && compileParents(parents, rows.keys, sql))
    const groups = distinct === undefined ? grouped : joinDistinct(grouped, work, columns, distinct, parents, sql)
    if (level.size !== undefined) {
      const found = await reader.columns(compileCut(groups, level, key, columns), sql.values)
      await addGroups(found, key, columns, outer)
      noteOthers(found, columns, outer)
      return rows.once && groupsIn(found) > 0 ? Number(found.at(-2)?.[0]) : undefined
    }
    // One group may contain the rows without a key. They count in the total.
    const most = plan.limits.buckets + 1
    const keyed = parents ? ' WHERE k IS NOT NULL' : ''
    const found = await reader.columns(`SELECT * FROM (${groups})${keyed} LIMIT ${most + 1}`, sql.values)
    if (groupsIn(found) > most) checkBucketCount(groupsIn(found), plan.limits)
    await addGroups(found, key, columns, outer)
    return rows.once ? rowsIn(found, columns) : undefined
  })
}

/** Index of the metric that counts distinct values, if the level is ordered by one. */
function distinctOrder({ order, metrics }: AggregationLevel): number | undefined {
  return order.by === 'metric' && metrics[order.metric]?.kind === 'cardinality' ? order.metric : undefined
}

/** Joins distinct counts to the groups as column `d`, for a level ordered by them. */
function joinDistinct(
  groups: string,
  { plan, tables }: TableAggregation,
  { depth }: GroupColumns,
  distinct: number,
  parents: Parents | undefined,
  sql: SqlBuilder,
): string {
  const metric = plan.levels[depth]?.metrics[distinct]
  if (!metric) return groups
  const { sources } = bucketRows(plan, tables, depth, sql, parents ? { inside: parents } : {})
  const outer = parents ? ['b'] : []
  const columns = [...outer, 'k']
  const counts = compileDistinctCounts(sources, metric, columns, ({ keys }) => [...outer, `${keys[depth]} AS k`])
  return `SELECT g.*, coalesce(c.d, 0) AS d FROM (${groups}) g LEFT JOIN (${counts}) c USING (${columns.join(', ')})`
}

/** Columns before the counts: the parent `b` if there are several, and the key. */
const countColumn = ({ depth }: GroupColumns): number => (depth === 0 ? 1 : 2)

const groupsIn = (found: FoundGroups): number => found[0]?.length ?? 0

/** Number of rows in all groups. */
function rowsIn(found: FoundGroups, columns: GroupColumns): number {
  return (found[countColumn(columns)] ?? []).reduce((sum: number, n) => sum + Number(n), 0)
}

const parentAt = (
  found: FoundGroups,
  row: number,
  { depth }: GroupColumns,
  outer: readonly BucketNode[],
): BucketNode | undefined => (depth === 0 ? outer[0] : outer[Number(found[0]?.[row])])

/** Adds the groups that have a key to their parents. */
async function addGroups(
  found: FoundGroups,
  key: BucketKeySql,
  columns: GroupColumns,
  outer: readonly BucketNode[],
): Promise<void> {
  const { unites, distinct } = columns
  const count = countColumn(columns)
  const codes = found[count - 1] ?? []
  const partials = found.slice(count + 1, count + 1 + unites.length)
  const distincts = found[count + 1 + unites.length]
  await inTurns(found[count] ?? [], (groupCount, row) => {
    const code = codes[row] ?? null
    const node = code === null ? undefined : parentAt(found, row, columns, outer)?.newChild(key.decode(code), code)
    if (!node) return
    node.count = Number(groupCount)
    if (partials.length > 0) node.partials = partials.map((column) => column[row] ?? null)
    if (distinct !== undefined) node.setMetric(distinct, Number(distincts?.[row]))
  })
}

/**
 * Records the rows the database cut: all rows of a parent that have a key (last column) minus those of the returned
 * groups.
 */
function noteOthers(found: FoundGroups, columns: GroupColumns, outer: readonly BucketNode[]): void {
  const counts = found[countColumn(columns)] ?? []
  const keyed = found.at(-1) ?? []
  const others = new Map<BucketNode, number>()
  for (let row = 0; row < counts.length; row++) {
    const parent = parentAt(found, row, columns, outer)
    if (parent) others.set(parent, (others.get(parent) ?? Number(keyed[row])) - Number(counts[row]))
  }
  for (const [parent, rest] of others) parent.others = rest
}
