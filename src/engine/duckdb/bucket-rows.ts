import { DuckDBListValue, type DuckDBValue } from '@duckdb/node-api'
import type { AggregationPlan } from '../../query/aggregation-plan.ts'
import type { BucketKeySql } from './bucket-key.ts'
import type { BucketNode } from './bucket-tree.ts'
import { compileKey } from './grouping-key.ts'
import type { IndexTable } from './index-table.ts'
import type { LocatedRows } from './located-rows.ts'
import { compileSelections } from './selection-sql.ts'
import type { SqlBuilder } from './sql-builder.ts'
import type { TermCoding } from './term-key.ts'

/** Rows whose keys have comparable SQL values: all rows, or the arranged or the later rows of one table. */
export interface Domain {
  /** Place in the codes of a node. */
  readonly number: number
  readonly tables: readonly IndexTable[]
  readonly coding: TermCoding
  /** `arranged`: rows in key order, with ranks; `tail`: those that came later. */
  readonly rows: 'all' | 'arranged' | 'tail'
}

/** Rows of one part of a table, each as often as it has combinations of keys. */
export interface RowSource {
  readonly table: IndexTable
  readonly rows: string
  readonly where: string
  /** SQL of the number of a row. */
  readonly rowId: string
  /** SQL of the key of each level asked for. */
  readonly keys: readonly string[]
}

export interface BucketRows {
  readonly sources: readonly RowSource[]
  /** How the keys are read and typed; the same for every source. */
  readonly keys: readonly BucketKeySql[]
  /** Every selected row is there exactly once. */
  readonly once: boolean
}

export interface RowOptions {
  /** Only rows in one of these nodes, whose place is then the column `b`. */
  readonly parents?: Parents
  /** From this level on keys are the fine ones, where there are such. */
  readonly fineFrom?: number
  /** A further condition on the rows of a table. */
  readonly also?: (table: IndexTable) => string
}

/** Nodes of one level. */
export interface Parents {
  readonly depth: number
  readonly nodes: readonly BucketNode[]
  /** A value of each node, which becomes the column `bound`. */
  readonly bounds?: { readonly of: (node: BucketNode) => DuckDBValue; readonly sqlType: string }
}

/** The selected rows of a domain with their keys for the groupings of the plan's levels 0 to `depth`. */
export function bucketRows(
  plan: AggregationPlan,
  domain: Domain,
  depth: number,
  located: LocatedRows,
  sql: SqlBuilder,
  { parents, fineFrom = depth + 1, also }: RowOptions = {},
): BucketRows {
  const levels = plan.levels.slice(0, depth + 1)
  const options = { coding: domain.coding, mostCells: plan.limits.buckets }
  let keys: readonly BucketKeySql[] = []
  let once = parents === undefined
  const sources = domain.tables.flatMap((table) => {
    const own = levels.map(({ grouping }) => compileKey(grouping, table, options, sql))
    // A table that lacks the field of a level cannot tell how its keys are read.
    keys = levels.flatMap(({ grouping }, i) => (table.field(grouping.field) ? own[i] : (keys[i] ?? own[i])) ?? [])
    if (own.some((key) => key.several)) once = false
    return conditions(plan, domain, table, located, sql).flatMap((condition) =>
      rowSources(table, also ? `${condition} AND ${also(table)}` : condition, own, fineFrom),
    )
  })
  return { sources: parents ? joinParents(sources, parents, keys, domain, sql) : sources, keys, once }
}

function conditions(
  plan: AggregationPlan,
  domain: Domain,
  table: IndexTable,
  located: LocatedRows,
  sql: SqlBuilder,
): readonly string[] {
  const selections = compileSelections(plan.predicate, table, located, sql)
  if (domain.rows === 'all') return selections
  const side = `_seq ${domain.rows === 'tail' ? '>=' : '<'} ${table.definition.arrangedSeq}`
  return selections.map((condition) => `${side} AND ${condition}`)
}

/**
 * Rows with one key of the first field that can have several are a source of their own, so that the common case is a
 * plain scan; any further such field is always unnested.
 */
function rowSources(
  table: IndexTable,
  condition: string,
  keys: readonly BucketKeySql[],
  fineFrom: number,
): readonly RowSource[] {
  const plain = (key: BucketKeySql, level: number): string =>
    level >= fineFrom && key.fine ? key.fine.single : key.single
  const split = keys.findIndex((key) => key.several)
  const several = keys[split]?.several
  if (!several) return [{ table, rows: table.table, where: condition, rowId: 'rowid', keys: keys.map(plain) }]
  const source = (where: string, own: string | undefined): RowSource => {
    const lists = keys.map((key, i) => (i === split ? own : anyKeys(key)))
    const unnested = lists.flatMap((list, i) => (list === undefined ? [] : `unnest(${list}) AS u${i}`))
    const named = keys.map((key, i) => (lists[i] === undefined ? plain(key, i) : `u${i}`))
    if (unnested.length === 0) return { table, rows: table.table, where, rowId: 'rowid', keys: named }
    const found = `(SELECT *, rowid AS _row FROM ${table.table} WHERE ${where})`
    // Lists unnested side by side would be paired, not combined.
    const rows = unnested.reduce((inner, list) => `(SELECT *, ${list} FROM ${inner})`, found)
    return { table, rows, where: 'TRUE', rowId: '_row', keys: named }
  }
  return [
    source(`${condition} AND (${several.condition}) IS NOT TRUE`, undefined),
    source(`${condition} AND (${several.condition})`, several.list),
  ]
}

const anyKeys = ({ single, several }: BucketKeySql): string | undefined =>
  several && `CASE WHEN ${several.condition} THEN ${several.list} ELSE [${single}] END`

function joinParents(
  sources: readonly RowSource[],
  parents: Parents,
  keys: readonly BucketKeySql[],
  domain: Domain,
  sql: SqlBuilder,
): readonly RowSource[] {
  const { places, columns } = codesOf(parents, domain)
  if (places.length === 0) return []
  const lists = columns.map(
    (codes, level) => `unnest(${bindList(codes, keys[level]?.sqlType ?? '', sql)}) AS pk${level}`,
  )
  const { bounds } = parents
  if (bounds) {
    const values = places.flatMap((place) => parents.nodes[place] ?? []).map(bounds.of)
    lists.push(`unnest(${bindList(values, bounds.sqlType, sql)}) AS bound`)
  }
  const relation = `(SELECT unnest([${places.join(', ')}]) AS b, ${lists.join(', ')})`
  return sources.map((source) => {
    const equal = columns.map((_, level) => `${source.keys[level]} = pk${level}`).join(' AND ')
    return { ...source, rows: `${source.rows} JOIN ${relation} ON ${equal}` }
  })
}

/** Nodes that have rows in the domain, with the codes on the way to them. */
function codesOf({ depth, nodes }: Parents, domain: Domain): { places: number[]; columns: DuckDBValue[][] } {
  const places: number[] = []
  const columns: DuckDBValue[][] = Array.from({ length: depth + 1 }, () => [])
  for (const [place, node] of nodes.entries()) {
    const path: DuckDBValue[] = []
    for (let at: BucketNode | undefined = node; at?.parent; at = at.parent) {
      const code = at.codes[domain.number]
      if (code !== undefined) path.unshift(code)
    }
    if (path.length <= depth) continue
    places.push(place)
    for (const [level, code] of path.entries()) columns[level]?.push(code)
  }
  return { places, columns }
}

/** The driver takes a whole number for an integer, for all of a list when it comes first: doubles go as text. */
function bindList(values: readonly DuckDBValue[], sqlType: string, sql: SqlBuilder): string {
  const floating = sqlType === 'DOUBLE' || sqlType === 'FLOAT'
  return sql.bind(new DuckDBListValue(floating ? values.map(String) : [...values]), `${sqlType}[]`)
}
