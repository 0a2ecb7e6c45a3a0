import type { AggregationPlan } from '../../query/aggregation-plan.ts'
import type { BucketKeySql } from './bucket-key.ts'
import { compileKey } from './grouping-key.ts'
import type { IndexTable } from './index-table.ts'
import { countedRows } from './key-counts.ts'
import type { LocatedRows } from './located-rows.ts'
import { callsJavaScript, rowsForCalls } from './matchers.ts'
import { areInDomain, compileKeyTests, joinParents, type KeyTest, type Parents } from './parent-buckets.ts'
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
  /** SQL of the key of each level asked for. */
  readonly keys: readonly string[]
  /** Each row stands for `n` documents, of which nothing else is known. */
  readonly counted?: true
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
  readonly inside?: Parents
  /** The same, but only what is quickly told of a row is; rows of other nodes may be left. */
  readonly near?: Parents
  /** Keys are the fine ones, where there are such. */
  readonly fine?: boolean
  /** Nothing but their number is asked of the documents: where they are counted already, counts will do. */
  readonly countsOnly?: boolean
  /** A further condition on the rows of a table. */
  readonly also?: (table: IndexTable) => string
}

/** The selected rows of a domain with their keys for the groupings of the plan's levels 0 to `depth`. */
export function bucketRows(
  plan: AggregationPlan,
  domain: Domain,
  depth: number,
  located: LocatedRows,
  sql: SqlBuilder,
  { inside, near, fine = false, countsOnly = false, also }: RowOptions = {},
): BucketRows {
  const parents = inside ?? near
  // Before anything is bound: DuckDB refuses values that its statement has no place for.
  if (parents && !areInDomain(parents, domain)) return { sources: [], keys: [], once: false }
  const levels = plan.levels.slice(0, depth + 1)
  const options = { coding: domain.coding, mostCells: plan.limits.buckets }
  let keys: readonly BucketKeySql[] = []
  let once = inside === undefined && near === undefined
  const sources = domain.tables.flatMap((table) => {
    const own = levels.map(({ grouping }) => compileKey(grouping, table, options, sql))
    // A table that lacks the field of a level cannot tell how its keys are read.
    keys = levels.flatMap(({ grouping }, i) => (table.field(grouping.field) ? own[i] : (keys[i] ?? own[i])) ?? [])
    if (own.some((key) => key.several)) once = false
    const counted = countsOnly && depth === 0 ? countedSource(plan, domain, table, own[0]) : undefined
    if (counted) return [counted]
    const tests = near ? compileKeyTests(near, own, domain, fine, sql) : []
    return conditions(plan, domain, table, located, sql).flatMap((condition) =>
      rowSources(table, also ? `${condition} AND ${also(table)}` : condition, own, tests, fine),
    )
  })
  return { sources: inside ? joinParents(sources, inside, keys, domain, sql) : sources, keys, once }
}

/** The counts in place of the documents, when nothing selects among them. */
function countedSource(
  { predicate, levels }: AggregationPlan,
  { coding, rows }: Domain,
  table: IndexTable,
  key: BucketKeySql | undefined,
): RowSource | undefined {
  const grouping = levels[0]?.grouping
  const isArranged = rows === 'arranged' || (rows === 'all' && !table.hasTail)
  // Terms and days are told by the columns of arranged rows only when keys are coded so.
  if (!grouping || !key || predicate.kind !== 'everything' || !isArranged) return undefined
  if (grouping.kind !== 'geotile' && coding !== 'rank') return undefined
  const counted = countedRows(grouping, table)
  if (counted === undefined) return undefined
  return { table, rows: counted, where: 'TRUE', keys: [key.fine?.single ?? key.single], counted: true }
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
 * plain scan; any further such field is always unnested. Keys are tested before those of the next level are made: cells
 * of a shape take their time, and there may be more of them than a request may make.
 */
function rowSources(
  table: IndexTable,
  condition: string,
  keys: readonly BucketKeySql[],
  tests: readonly KeyTest[],
  fine: boolean,
): readonly RowSource[] {
  const plain = (key: BucketKeySql): string => (fine && key.fine ? key.fine.single : key.single)
  const split = keys.findIndex((key) => key.several)
  const several = keys[split]?.several
  const source = (where: string, own: string | undefined): RowSource => {
    const lists = keys.map((key, i) => (i === split ? own : anyKeys(key)))
    const named = keys.map((key, i) => (lists[i] === undefined ? plain(key) : `u${i}`))
    const testOf = (level: number): readonly string[] => tests[level]?.(named[level] ?? '') ?? []
    const tested = [where, ...lists.flatMap((list, i) => (list === undefined ? testOf(i) : []))].join(' AND ')
    const calls = [...lists, ...named].some((key) => key !== undefined && callsJavaScript(key))
    const read = calls ? rowsForCalls(table.table, tested) : `(SELECT * FROM ${table.table} WHERE ${tested})`
    if (lists.every((list) => list === undefined)) {
      return calls
        ? { table, rows: read, where: 'TRUE', keys: named }
        : { table, rows: table.table, where: tested, keys: named }
    }
    // Lists unnested side by side would be paired, not combined.
    let rows = read
    for (const [i, list] of lists.entries()) {
      if (list === undefined) continue
      rows = `(SELECT *, unnest(${list}) AS u${i} FROM ${rows})`
      for (const test of testOf(i)) rows = `(SELECT * FROM ${rows} WHERE ${test})`
    }
    return { table, rows, where: 'TRUE', keys: named }
  }
  if (!several) return [source(condition, undefined)]
  return [
    source(`${condition} AND (${several.condition}) IS NOT TRUE`, undefined),
    source(`${condition} AND (${several.condition})`, several.list),
  ]
}

const anyKeys = ({ single, several }: BucketKeySql): string | undefined =>
  several && `CASE WHEN ${several.condition} THEN ${several.list} ELSE [${single}] END`
