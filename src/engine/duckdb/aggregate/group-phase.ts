import { checkBucketCount } from '../../../query/aggregation/bucket-limits.ts'
import type { AggregationLevel } from '../../../query/plan/aggregation-plan.ts'
import { type SqlBuilder, withSql } from '../database/sql-builder.ts'
import type { IndexTable } from '../index/index-table.ts'
import { isOrderedByDistinct, TooManyGroups } from './aggregation-approach.ts'
import { bucketRows } from './bucket-rows.ts'
import { type BucketNode, keptNodes } from './bucket-tree.ts'
import { compileDistinctCounts, needComparable } from './distinct-counts.ts'
import { compileCut, compileGroups, type GroupColumns, hasPartials, type Partial } from './group-sql.ts'
import { addGroups, groupsIn, noteOthers, rowsIn } from './group-tree.ts'
import { compileMetric } from './metric-sql.ts'
import { compileParents, type Parents } from './parent-buckets.ts'
import type { Domain } from './row-source.ts'
import type { TableAggregation } from './table-aggregation.ts'
import { compileBound } from './top-bounds.ts'

/**
 * Builds the buckets of levels `from` to `to` inside the kept buckets of the previous level, then sorts and cuts them.
 * Returns the number of selected rows if the groups of the first level determine it.
 */
export async function groupPhase(
  work: TableAggregation,
  root: BucketNode,
  from: number,
  to: number,
): Promise<number | undefined> {
  const parents = from === 0 ? undefined : { depth: from - 1, nodes: keptNodes(root, from - 1) }
  const [table] = work.tables
  if (!table || parents?.nodes.length === 0) return undefined
  let total: number | undefined = 0
  for (const domain of work.approach.domains) {
    const counted = await groupDomain(work, domain, table, root, parents, from, to)
    total = total === undefined || counted === undefined ? undefined : total + counted
  }
  finishLevels(work.plan.levels.slice(from, to + 1), parents?.nodes ?? [root], work.tables, table)
  return total
}

/** Computes the metrics of the levels of a phase, then sorts and cuts them, outermost level first. */
function finishLevels(
  levels: readonly AggregationLevel[],
  outer: readonly BucketNode[],
  tables: readonly IndexTable[],
  table: IndexTable,
): void {
  let nodes = outer
  let next = 0
  for (const level of levels) {
    const results = level.metrics.map((metric) => {
      if (!hasPartials(metric)) return undefined
      const { partials, finish } = compileMetric(metric, table)
      const first = next
      next += partials.length
      return (node: BucketNode) => finish(node.partials.slice(first, first + partials.length))
    })
    const bounds = level.tops.map((top) => (compileBound(top, tables, table) ? next++ : undefined))
    for (const parent of nodes) {
      for (const node of parent.children ?? []) {
        for (const [i, result] of results.entries()) if (result) node.setMetric(i, result(node))
        if (bounds.length > 0) node.bounds = bounds.map((at) => (at === undefined ? undefined : node.partials[at]))
      }
      parent.keep(level)
    }
    nodes = nodes.flatMap((node) => node.kept)
  }
}

/** Partial results gathered for a level besides its counts: those of its metrics, then the bounds of its tops. */
function levelPartials(level: AggregationLevel, tables: readonly IndexTable[], table: IndexTable): readonly Partial[] {
  return [
    ...level.metrics.filter(hasPartials).flatMap((metric) => compileMetric(metric, table).partials),
    ...level.tops.flatMap((top) => compileBound(top, tables, table) ?? []),
  ]
}

function groupDomain(
  work: TableAggregation,
  domain: Domain,
  table: IndexTable,
  root: BucketNode,
  parents: Parents | undefined,
  from: number,
  to: number,
): Promise<number | undefined> {
  const { plan, approach, reader } = work
  const levels = plan.levels.slice(from, to + 1)
  const partials = (own: IndexTable): readonly Partial[] =>
    levels.flatMap((level) => levelPartials(level, work.tables, own))
  const [level] = levels
  const distinct = level && levels.length === 1 ? distinctOrder(level) : undefined
  const columns: GroupColumns = {
    parents: parents !== undefined,
    from,
    to,
    partials,
    unites: partials(table).map((p) => p.unite),
    ...(distinct === undefined ? {} : { distinct }),
  }
  return withSql(async (sql) => {
    const rows = bucketRows(plan, domain, to, work.located, sql, {
      ...(parents ? { near: parents } : {}),
      fine: true,
      countsOnly: columns.unites.length === 0 && distinct === undefined,
    })
    const key = rows.keys[from]
    if (rows.sources.length === 0 || !level || !key) return 0
    const grouped = compileGroups(rows, columns, parents && compileParents(parents, rows.keys, domain, sql))
    const groups = distinct === undefined ? grouped : joinDistinct(grouped, work, domain, columns, parents, sql)
    const target = { root, parents, domain, alone: approach.domains.length === 1 }
    if (level.size !== undefined && levels.length === 1 && target.alone) {
      const found = await reader.columns(compileCut(groups, level, key, columns), sql.values)
      await addGroups(found, rows.keys, columns, target)
      noteOthers(found, columns, target)
      return rows.once && groupsIn(found) > 0 ? Number(found.at(-2)?.[0]) : undefined
    }
    const isAll = levels.length === 1 && level.size === undefined
    // One group may contain the rows without a key. They count in the total.
    const most = isAll ? plan.limits.buckets + 1 : approach.mostGroups
    const keyed = parents ? ' WHERE k0 IS NOT NULL' : ''
    const found = await reader.columns(`SELECT * FROM (${groups})${keyed} LIMIT ${most + 1}`, sql.values)
    if (groupsIn(found) > most) {
      if (isAll) checkBucketCount(groupsIn(found), plan.limits)
      throw new TooManyGroups()
    }
    await addGroups(found, rows.keys, columns, target)
    return rows.once ? rowsIn(found, columns) : undefined
  })
}

const distinctOrder = (level: AggregationLevel): number | undefined =>
  level.order.by === 'metric' && isOrderedByDistinct(level) ? level.order.metric : undefined

/** Joins distinct counts to the groups as column `d`, for a level ordered by them. */
function joinDistinct(
  groups: string,
  { plan, located, tables }: TableAggregation,
  domain: Domain,
  { from, distinct }: GroupColumns,
  parents: Parents | undefined,
  sql: SqlBuilder,
): string {
  const metric = plan.levels[from]?.metrics[distinct ?? 0]
  if (!metric) return groups
  const { sources } = bucketRows(plan, domain, from, located, sql, parents ? { inside: parents } : {})
  const outer = parents ? ['b'] : []
  const columns = [...outer, 'k0']
  const counts = compileDistinctCounts(
    sources,
    metric,
    columns,
    (source) => [...outer, `${source.keys[from]} AS k0`],
    needComparable(tables),
  )
  return `SELECT g.*, coalesce(c.d, 0) AS d FROM (${groups}) g LEFT JOIN (${counts}) c USING (${columns.join(', ')})`
}
