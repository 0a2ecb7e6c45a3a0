import type { AggregationPlan } from '../../../query/plan/aggregation-plan.ts'
import { compileSelection } from '../condition/selection-sql.ts'
import { soughtKeys } from '../database/sought-keys.ts'
import type { SqlBuilder } from '../database/sql-builder.ts'
import type { IndexTable } from '../table/index-table.ts'
import type { BucketKeySql } from './bucket-key.ts'
import { compileKey } from './grouping-key.ts'
import { compileKeyTests, joinParents, type KeyTest, type Parents } from './parent-buckets.ts'
import type { RowSource } from './row-source.ts'

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
  /** Further condition on the rows of a table. */
  readonly also?: (table: IndexTable) => string
}

/** Returns the selected rows with their keys for levels 0 to `depth` of the plan. */
export function bucketRows(
  plan: AggregationPlan,
  tables: readonly IndexTable[],
  depth: number,
  sql: SqlBuilder,
  { inside, near, fine = false, also }: RowOptions = {},
): BucketRows {
  const parents = inside ?? near
  const levels = plan.levels.slice(0, depth + 1)
  let keys: readonly BucketKeySql[] = []
  let once = parents === undefined
  const sources = tables.flatMap((table) => {
    const compileKeys = (most: number, own: SqlBuilder): readonly BucketKeySql[] =>
      levels.slice(0, most).map(({ grouping }) => compileKey(grouping, table, plan.limits.buckets, own))
    const compileCondition = (own: SqlBuilder): string => {
      const selected = compileSelection(plan.predicate, table, own)
      return also ? `${selected} AND ${also(table)}` : selected
    }
    const own = compileKeys(levels.length, sql)
    // A table without the field of a level does not know how to decode its keys.
    keys = levels.flatMap(({ grouping }, i) => (table.field(grouping.field) ? own[i] : (keys[i] ?? own[i])) ?? [])
    if (own.some((key) => key.several ?? key.sought?.several)) once = false
    /** Rows of the nodes that the levels above `level` were cut to. */
    const rowsAbove = (level: number, window: string, other: SqlBuilder): readonly RowSource[] => {
      const above = parents && level > 0 ? { ...parents, depth: Math.min(parents.depth, level - 1) } : undefined
      const some = above ? compileKeys(above.depth + 1, other) : []
      const condition = `${window} AND ${compileCondition(other)}`
      const tests = above ? compileKeyTests(above, some, fine, other) : []
      return rowSources(
        table,
        condition,
        { keys: some, tests, joins: soughtJoins(some, table, rowsAbove, other) },
        fine,
      )
    }
    const condition = compileCondition(sql)
    const tests = near ? compileKeyTests(near, own, fine, sql) : []
    return rowSources(table, condition, { keys: own, tests, joins: soughtJoins(own, table, rowsAbove, sql) }, fine)
  })
  return { sources: inside ? joinParents(sources, inside, keys, sql) : sources, keys, once }
}

/** Parts of the sources of a table. */
interface SourceRows {
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
    const folds = keys.map((key) => (fine ? key.fine?.fold : undefined))
    if (added.every((add) => add === undefined)) return { table, rows: table.table, where: tested, keys: named, folds }
    // Unnesting two lists in one SELECT would pair them instead of combining them.
    let rows = `(SELECT * FROM ${table.table} WHERE ${tested})`
    for (const [i, add] of added.entries()) {
      if (!add) continue
      rows = add(rows)
      for (const test of testOf(i)) rows = `(SELECT * FROM ${rows} WHERE ${test})`
    }
    return { table, rows, where: 'TRUE', keys: named, folds }
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
