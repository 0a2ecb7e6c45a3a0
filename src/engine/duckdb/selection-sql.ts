import type { DuckDBValue } from '@duckdb/node-api'
import type { Predicate } from '../../query/predicate.ts'
import type { IndexTable } from './index-table.ts'
import { coverPredicate } from './key-cover.ts'
import { hashOf, type LocatedRows } from './located-rows.ts'
import { rowsForCalls } from './matchers.ts'
import { compilePredicate } from './predicate-sql.ts'
import type { SqlBuilder } from './sql-builder.ts'

/**
 * The conditions of a predicate on one table, one for each part of the storage that can hold matches; no row is in two
 * of them. Located rows are parts by themselves, and so is the tail their lookup does not know; a bound on the place is
 * one part per range of keys.
 */
export function compileSelections(
  predicate: Predicate,
  table: IndexTable,
  located: LocatedRows,
  sql: SqlBuilder,
): readonly string[] {
  const rows = located.get(table)
  // Compiling binds values, and a bound value that the statement does not use is refused.
  if (predicate.kind === 'nothing' || (rows?.length === 0 && !table.hasTail)) return ['FALSE']
  if (rows) {
    const tail = table.hasTail ? [compileTail(predicate, table, sql)] : []
    if (rows.length === 0) return tail
    const condition = compilePredicate(predicate, table, sql)
    return [...rows.map((seq) => `${compileRow(seq, sql)} AND ${condition}`), ...tail]
  }
  const { plain, calling } = compileMembers(predicate, table, sql)
  const key = `${table.clusteringField?.column}_key`
  const ranges = (coverPredicate(predicate, table) ?? []).map(
    (r) => `${key} BETWEEN ${sql.bind(r.first, 'UBIGINT')} AND ${sql.bind(r.last, 'UBIGINT')}`,
  )
  if (calling.length > 0) {
    const near = ranges.length === 0 ? plain : [`(${ranges.join(' OR ')})`, ...plain]
    return [matchedRows(table, near, calling)]
  }
  const condition = plain.join(' AND ')
  return ranges.length === 0 ? [condition] : ranges.map((range) => `${range} AND ${condition}`)
}

/** The condition of a predicate on the rows that came after an index was put in order. */
export function compileTail(predicate: Predicate, table: IndexTable, sql: SqlBuilder): string {
  const { plain, calling } = compileMembers(predicate, table, sql)
  const near = [`_seq >= ${table.definition.arrangedSeq}`, ...plain]
  return calling.length === 0 ? near.join(' AND ') : matchedRows(table, near, calling)
}

interface Members {
  readonly plain: readonly string[]
  /** Conditions that call JavaScript. */
  readonly calling: readonly string[]
}

/** The conditions that all have to hold. */
function compileMembers(predicate: Predicate, table: IndexTable, sql: SqlBuilder): Members {
  const plain: string[] = []
  const calling: string[] = []
  for (const member of predicate.kind === 'and' ? predicate.members : [predicate]) {
    const before = sql.matches
    const condition = compilePredicate(member, table, sql)
    const group = sql.matches === before ? plain : calling
    group.push(condition)
  }
  return { plain, calling }
}

function matchedRows({ table }: IndexTable, near: readonly string[], calling: readonly string[]): string {
  const rows = rowsForCalls(table, near.length === 0 ? 'TRUE' : near.join(' AND '))
  return `_seq IN (SELECT _seq FROM ${rows} WHERE ${calling.join(' AND ')})`
}

/** One row, by a number the scan can pass over all others by. */
export const compileRow = (seq: DuckDBValue, sql: SqlBuilder): string => `_seq = ${sql.bind(seq, 'BIGINT')}`

/** Documents whose `_id` is in the list bound as $1. */
export function compileIdLookup(table: IndexTable): string {
  const listed = '_id IN (SELECT unnest(CAST($1 AS VARCHAR[])))'
  const number = table.lookupNumber('_id')
  if (number === undefined) return listed
  const hashes = `SELECT ${hashOf('v')} FROM (SELECT unnest(CAST($1 AS VARCHAR[])) AS v)`
  const known = `SELECT seq FROM ${table.lookupTable} WHERE field = ${number} AND h IN (${hashes})`
  const tail = `SELECT _seq FROM ${table.table} WHERE _seq >= ${table.definition.arrangedSeq} AND ${listed}`
  return `_seq IN (${known}${table.hasTail ? ` UNION ALL ${tail}` : ''}) AND ${listed}`
}
