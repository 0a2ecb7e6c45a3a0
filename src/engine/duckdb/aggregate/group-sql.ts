import type { AggregationLevel, MetricPlan } from '../../../query/plan/aggregation-plan.ts'
import type { IndexTable } from '../table/index-table.ts'
import type { BucketKeySql } from './bucket-key.ts'
import type { BucketRows } from './bucket-rows.ts'
import type { Unite } from './bucket-tree.ts'
import type { UnitedKind, UnitedMetric } from './metric-sql.ts'
import type { RowSource } from './row-source.ts'

export type Partial = UnitedMetric['partials'][number]

type PartialMetric = MetricPlan & { readonly kind: UnitedKind }

export const hasPartials = (metric: MetricPlan): metric is PartialMetric => metric.kind !== 'cardinality'

/** Columns of a grouping statement: `b` below the first level, then k, n, m0... */
export interface GroupColumns {
  readonly depth: number
  /** Columns m0.. of a table: the partial results of the level. */
  readonly partials: (table: IndexTable) => readonly Partial[]
  readonly unites: readonly Unite[]
  /** Index of the cardinality metric the level is ordered by. The column `d` holds its value. */
  readonly distinct?: number
}

/**
 * Groups the rows of every source by all their keys and merges groups with equal keys. `parents`, the relation of the
 * enclosing nodes, is joined with the groups because these are far fewer than the rows.
 */
export function compileGroups(rows: BucketRows, columns: GroupColumns, parents: string | undefined): string {
  const groups = unitedGroups(rows, columns)
  if (parents === undefined) return groups
  const figures = ['n', ...columns.unites.map((_, i) => `m${i}`)]
  const equal = Array.from({ length: columns.depth }, (_, level) => `${keyName(level, columns)} = pk${level}`)
  return `SELECT ${['b', 'k', ...figures].join(', ')} FROM (${groups}) JOIN ${parents} ON ${equal.join(' AND ')}`
}

/** The keys of outer levels are named g0... */
const keyName = (level: number, { depth }: GroupColumns): string => (level < depth ? `g${level}` : 'k')

function unitedGroups({ sources }: BucketRows, columns: GroupColumns): string {
  const [only, ...others] = sources
  if (only && others.length === 0 && !only.folds.some(Boolean)) return groupSource(only, columns)
  const names = Array.from({ length: columns.depth + 1 }, (_, level) => keyName(level, columns))
  const figures = ['n', ...columns.unites.map((_, i) => `m${i}`)]
  const parts = sources.map((source) => {
    const keys = names.map((name, level) => `${source.folds[level]?.(name) ?? name} AS ${name}`)
    return `SELECT ${[...keys, ...figures].join(', ')} FROM (${groupSource(source, columns)})`
  })
  const united = columns.unites.map((unite, i) => `${unite}(m${i}) AS m${i}`)
  return `SELECT ${[...names, 'sum(n) AS n', ...united].join(', ')} FROM (${parts.join(' UNION ALL ')}) GROUP BY ALL`
}

function groupSource({ table, rows, where, keys }: RowSource, columns: GroupColumns): string {
  const named = keys.map((key, level) => `${key} AS ${keyName(level, columns)}`)
  const partials = columns.partials(table).map(({ sql }, i) => `${sql} AS m${i}`)
  return `SELECT ${[...named, 'count(*) AS n', ...partials].join(', ')} FROM ${rows} WHERE ${where} GROUP BY ALL`
}

/**
 * Keeps the first `size` groups of each parent in the order of the level. Adds the columns `total` and `keyed`: the
 * number of rows in all groups of the parent, and in those with a key.
 */
export function compileCut(groups: string, level: AggregationLevel, key: BucketKeySql, columns: GroupColumns): string {
  const partition = columns.depth > 0 ? 'PARTITION BY b' : ''
  const ascending = key.ascending?.('k') ?? 'k'
  const order = [...leading(level), `${ascending}${level.order.by === 'key' && level.order.descending ? ' DESC' : ''}`]
  const totals =
    `sum(n) OVER (${partition}) AS total, ` +
    `coalesce(sum(n) FILTER (WHERE k IS NOT NULL) OVER (${partition}), 0) AS keyed`
  const counted = `SELECT *, ${totals} FROM (${groups})`
  if (columns.depth === 0) {
    return `SELECT * FROM (${counted}) WHERE k IS NOT NULL ORDER BY ${order.join(', ')} LIMIT ${level.size}`
  }
  const place = `row_number() OVER (${partition} ORDER BY ${order.join(', ')})`
  return `SELECT * FROM (${counted}) WHERE k IS NOT NULL QUALIFY ${place} <= ${level.size}`
}

function leading({ order, metrics }: AggregationLevel): readonly string[] {
  if (order.by === 'key') return []
  const direction = order.descending ? 'DESC' : 'ASC'
  if (order.by === 'count') return [`n ${direction}`]
  const metric = metrics[order.metric]
  const result = metric && hasPartials(metric) ? resultSql(metric, metrics.slice(0, order.metric)) : 'd'
  return [`${result} ${direction} NULLS LAST`]
}

/** SQL of a metric's result from its partial columns, which follow those of the metrics before it. */
function resultSql(metric: PartialMetric, before: readonly MetricPlan[]): string {
  const widths: Readonly<Record<UnitedKind, number>> = { avg: 2, sum: 1, min: 1, max: 1, bounds: 4, centroid: 3 }
  const at = before.filter(hasPartials).reduce((sum, m) => sum + widths[m.kind], 0)
  if (metric.kind === 'avg') return `(CAST(m${at} AS DOUBLE) / nullif(m${at + 1}, 0))`
  return metric.kind === 'sum' ? `coalesce(m${at}, 0)` : `m${at}`
}
