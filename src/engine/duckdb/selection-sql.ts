import type { DuckDBValue } from '@duckdb/node-api'
import type { Predicate } from '../../query/predicate.ts'
import type { IndexTable } from './index-table.ts'
import { coverPredicate } from './key-cover.ts'
import { hashOf, type LocatedRows } from './located-rows.ts'
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
  const condition = compilePredicate(predicate, table, sql)
  if (rows) {
    const places = rows.map((seq) => compileRow(seq, sql))
    if (table.hasTail) places.push(`_seq >= ${table.definition.arrangedSeq}`)
    return places.map((place) => `${place} AND ${condition}`)
  }
  const cover = coverPredicate(predicate, table)
  if (!cover || cover.length === 0) return [condition]
  const key = `${table.clusteringField?.column}_key`
  return cover.map(
    (r) => `${key} BETWEEN ${sql.bind(r.first, 'UBIGINT')} AND ${sql.bind(r.last, 'UBIGINT')} AND ${condition}`,
  )
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
