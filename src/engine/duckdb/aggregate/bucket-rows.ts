import type { AggregationPlan } from '../../../query/plan/aggregation-plan.ts'
import type { LocatedRows } from '../condition/located-rows.ts'
import { compileSelections } from '../condition/selection-sql.ts'
import { soughtKeys } from '../database/sought-keys.ts'
import type { SqlBuilder } from '../database/sql-builder.ts'
import type { IndexTable } from '../index/index-table.ts'
import { countedRows } from '../index/key-counts.ts'
import type { BucketKeySql } from './bucket-key.ts'
import { compileKey } from './grouping-key.ts'
import { areInDomain, compileKeyTests, joinParents, type KeyTest, type Parents } from './parent-buckets.ts'
import type { Domain, RowSource } from './row-source.ts'

export interface BucketRows {
  readonly sources: readonly RowSource[]
  /** How the keys are decoded and typed. The same for all sources. */
  readonly keys: readonly BucketKeySql[]
  /** True if every selected row occurs exactly once. */
  readonly once: boolean
}

interface RowOptions {
  /** Only rows of these nodes. Their index in the list becomes the column `b`. */
  readonly inside?: Parents
  /** Like `inside`, but tests each key separately, which is fast. Rows of other nodes may remain. */
  readonly near?: Parents
  /** Use the fine keys where they exist. */
  readonly fine?: boolean
  /** Only the number of documents is needed, so precomputed counts may replace the rows. */
  readonly countsOnly?: boolean
  /** Further condition on the rows of a table. */
  readonly also?: (table: IndexTable) => string
}

/** Returns the selected rows of a domain with their keys for levels 0 to `depth` of the plan. */
export function bucketRows(
  plan: AggregationPlan,
  domain: Domain,
  depth: number,
  located: LocatedRows,
  sql: SqlBuilder,
  { inside, near, fine = false, countsOnly = false, also }: RowOptions = {},
): BucketRows {
  const parents = inside ?? near
  // Return before binding anything: DuckDB rejects bound values that the statement does not use.
  if (parents && !areInDomain(parents, domain)) return { sources: [], keys: [], once: false }
  const levels = plan.levels.slice(0, depth + 1)
  const options = { coding: domain.coding, mostCells: plan.limits.buckets }
  let keys: readonly BucketKeySql[] = []
  let once = parents === undefined
  const sources = domain.tables.flatMap((table) => {
    const compileKeys = (most: number, own: SqlBuilder): readonly BucketKeySql[] =>
      levels.slice(0, most).map(({ grouping }) => compileKey(grouping, table, options, own))
    const compileConditions = (own: SqlBuilder): readonly string[] =>
      conditions(plan, domain, table, located, own).map((c) => (also ? `${c} AND ${also(table)}` : c))
    const own = compileKeys(levels.length, sql)
    // A table without the field of a level does not know how to decode its keys.
    keys = levels.flatMap(({ grouping }, i) => (table.field(grouping.field) ? own[i] : (keys[i] ?? own[i])) ?? [])
    if (own.some((key) => key.several ?? key.sought?.several)) once = false
    const counted = countsOnly && depth === 0 ? countedSource(plan, domain, table, own[0]) : undefined
    if (counted) return [counted]
    const compileSources = (among: SourceRows): readonly RowSource[] =>
      among.conditions.flatMap((condition) => rowSources(table, condition, among, fine))
    /** Rows of the nodes that the levels above `level` were cut to. */
    const rowsAbove = (level: number, window: string, other: SqlBuilder): readonly RowSource[] => {
      const above = parents && level > 0 ? { ...parents, depth: Math.min(parents.depth, level - 1) } : undefined
      const some = above ? compileKeys(above.depth + 1, other) : []
      return compileSources({
        conditions: compileConditions(other).map((c) => `${window} AND ${c}`),
        keys: some,
        tests: above ? compileKeyTests(above, some, domain, fine, other) : [],
        joins: soughtJoins(some, table, rowsAbove, other),
      })
    }
    return compileSources({
      conditions: compileConditions(sql),
      keys: own,
      tests: near ? compileKeyTests(near, own, domain, fine, sql) : [],
      joins: soughtJoins(own, table, rowsAbove, sql),
    })
  })
  return { sources: inside ? joinParents(sources, inside, keys, domain, sql) : sources, keys, once }
}

/** Parts of the sources of a table. */
interface SourceRows {
  readonly conditions: readonly string[]
  readonly keys: readonly BucketKeySql[]
  readonly tests: readonly KeyTest[]
  /** By level: a function that adds the key column (`u0`, `u1` ...) to a relation if JavaScript computes the keys. */
  readonly joins: readonly (((relation: string) => string) | undefined)[]
}

function soughtJoins(
  keys: readonly BucketKeySql[],
  { table }: IndexTable,
  rowsAbove: (level: number, window: string, sql: SqlBuilder) => readonly RowSource[],
  sql: SqlBuilder,
): SourceRows['joins'] {
  return keys.map(({ single, sought }, level) => {
    if (!sought) return undefined
    const { condition, several, keys: found, refuse } = sought
    const candidates = (window: string, own: SqlBuilder): string =>
      rowsAbove(level, window, own)
        .flatMap(({ rows, where }) => sought.rows(rows, where, own))
        .join(' UNION ALL ')
    const part = sql.seekKeys({ table, candidates, keys: found, refuse })
    // The rows of the levels above may contain duplicates.
    const relation = soughtKeys(part, several || level > 0)
    const key = condition === 'TRUE' ? '_sought_key' : `CASE WHEN ${condition} THEN _sought_key ELSE ${single} END`
    return (rows) => `(SELECT r.*, ${key} AS u${level} FROM ${rows} r LEFT JOIN ${relation} ON _sought_seq = r._seq)`
  })
}

/** Returns the precomputed counts instead of the documents if the plan selects all of them. */
function countedSource(
  { predicate, levels }: AggregationPlan,
  { coding, rows }: Domain,
  table: IndexTable,
  key: BucketKeySql | undefined,
): RowSource | undefined {
  const grouping = levels[0]?.grouping
  const isArranged = rows === 'arranged' || (rows === 'all' && !table.hasTail)
  // Term and day counts are keyed by rank and day columns, so they only fit keys coded by rank.
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
 * Splits off the rows with one key of the first multi-valued field, so that the common case is a plain scan. Further
 * multi-valued fields are always unnested. Keys of a level are tested before those of the next level are computed: the
 * untested rows could produce more keys than a request may have.
 */
function rowSources(
  table: IndexTable,
  condition: string,
  { keys, tests, joins }: SourceRows,
  fine: boolean,
): readonly RowSource[] {
  const plain = (key: BucketKeySql): string => (fine && key.fine ? key.fine.single : key.single)
  const split = keys.findIndex((key) => key.several)
  const several = keys[split]?.several
  const source = (where: string, own: string | undefined): RowSource => {
    const added = keys.map((key, i) => joins[i] ?? unnesting(i === split ? own : anyKeys(key), i))
    const named = keys.map((key, i) => (added[i] ? `u${i}` : plain(key)))
    const testOf = (level: number): readonly string[] => tests[level]?.(named[level] ?? '') ?? []
    const tested = [where, ...added.flatMap((add, i) => (add ? [] : testOf(i)))].join(' AND ')
    if (added.every((add) => add === undefined)) return { table, rows: table.table, where: tested, keys: named }
    // Unnesting two lists in one SELECT would pair them instead of combining them.
    let rows = `(SELECT * FROM ${table.table} WHERE ${tested})`
    for (const [i, add] of added.entries()) {
      if (!add) continue
      rows = add(rows)
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

const unnesting = (list: string | undefined, level: number): ((relation: string) => string) | undefined =>
  list === undefined ? undefined : (rows) => `(SELECT *, unnest(${list}) AS u${level} FROM ${rows})`

const anyKeys = ({ single, several }: BucketKeySql): string | undefined =>
  several && `CASE WHEN ${several.condition} THEN ${several.list} ELSE [${single}] END`
