import type { AggregationLevel, MetricPlan } from '../../../query/plan/aggregation-plan.ts'
import type { IndexTable } from '../index/index-table.ts'
import type { BucketKeySql } from './bucket-key.ts'
import type { BucketRows } from './bucket-rows.ts'
import type { Unite } from './bucket-tree.ts'
import type { UnitedKind, UnitedMetric } from './metric-sql.ts'
import type { RowSource } from './row-source.ts'

export type Partial = UnitedMetric['partials'][number]

type PartialMetric = MetricPlan & { readonly kind: UnitedKind }

export const hasPartials = (metric: MetricPlan): metric is PartialMetric => metric.kind !== 'cardinality'

/** Columns of a grouping statement: `b` if there are parents, then k0.., n, m0... */
export interface GroupColumns {
  readonly parents: boolean
  /** First and last level grouped by. The keys of the levels before `from` belong to the parents. */
  readonly from: number
  readonly to: number
  /** Columns m0.. of a table: the partial results of all levels, side by side. */
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
  const own = rows.keys.flatMap((_, level) => (level < columns.from ? [] : [keyName(level, columns)]))
  const figures = ['n', ...columns.unites.map((_, i) => `m${i}`)]
  const equal = Array.from({ length: columns.from }, (_, level) => `${keyName(level, columns)} = pk${level}`)
  const all = ['b', ...own, ...figures].join(', ')
  return `SELECT ${all} FROM (${groups}) JOIN ${parents} ON ${equal.join(' AND ')}`
}

const keyName = (level: number, { from }: GroupColumns): string => (level < from ? `g${level}` : `k${level - from}`)

function unitedGroups(rows: BucketRows, columns: GroupColumns): string {
  const [only, ...others] = rows.sources
  if (only && others.length === 0 && !rows.keys.some((key) => key.fine)) return groupSource(only, columns)
  // Precomputed counts are grouped only once, below.
  const parts = rows.sources.map((source) =>
    source.counted ? selectCounts(source, columns) : groupSource(source, columns),
  )
  const keys = rows.keys.map(({ fine }, level) => {
    const name = keyName(level, columns)
    return fine ? `${fine.fold(name)} AS ${name}` : name
  })
  const united = columns.unites.map((unite, i) => `${unite}(m${i}) AS m${i}`)
  const all = [...keys, 'sum(n) AS n', ...united].join(', ')
  return `SELECT ${all} FROM (${parts.join(' UNION ALL ')}) GROUP BY ALL`
}

function groupSource(source: RowSource, columns: GroupColumns): string {
  const { table, rows, where, counted } = source
  const partials = columns.partials(table).map(({ sql }, i) => `${sql} AS m${i}`)
  const all = [...namedKeys(source, columns), `${counted ? 'sum(n)' : 'count(*)'} AS n`, ...partials]
  return `SELECT ${all.join(', ')} FROM ${rows} WHERE ${where} GROUP BY ALL`
}

const selectCounts = (source: RowSource, columns: GroupColumns): string =>
  `SELECT ${[...namedKeys(source, columns), 'n'].join(', ')} FROM ${source.rows}`

const namedKeys = ({ keys }: RowSource, columns: GroupColumns): readonly string[] =>
  keys.map((key, level) => `${key} AS ${keyName(level, columns)}`)

/**
 * Keeps the first `size` groups of each parent in the order of the level. Adds the columns `total` and `keyed`: the
 * number of rows in all groups of the parent, and in those with a key. For statements of one level only.
 */
export function compileCut(groups: string, level: AggregationLevel, key: BucketKeySql, columns: GroupColumns): string {
  const partition = columns.parents ? 'PARTITION BY b' : ''
  const ascending = key.ascending?.('k0') ?? 'k0'
  const order = [...leading(level), `${ascending}${level.order.by === 'key' && level.order.descending ? ' DESC' : ''}`]
  const totals =
    `sum(n) OVER (${partition}) AS total, ` +
    `coalesce(sum(n) FILTER (WHERE k0 IS NOT NULL) OVER (${partition}), 0) AS keyed`
  const counted = `SELECT *, ${totals} FROM (${groups})`
  if (!columns.parents) {
    return `SELECT * FROM (${counted}) WHERE k0 IS NOT NULL ORDER BY ${order.join(', ')} LIMIT ${level.size}`
  }
  const place = `row_number() OVER (${partition} ORDER BY ${order.join(', ')})`
  return `SELECT * FROM (${counted}) WHERE k0 IS NOT NULL QUALIFY ${place} <= ${level.size}`
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
