import type { DuckDBValue } from '@duckdb/node-api'
import type { Predicate } from '../../../query/plan/predicate.ts'
import type { SqlBuilder } from '../database/sql-builder.ts'
import type { IndexTable } from '../index/index-table.ts'
import { coverPredicate } from './key-cover.ts'
import { hashOf, type LocatedRows } from './located-rows.ts'
import { compilePredicate, type SelectionScope } from './predicate-sql.ts'

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
    const places = (own: SqlBuilder): readonly string[] => [
      ...rows.map((seq) => compileRow(seq, own)),
      ...(table.hasTail ? [isLate(table)] : []),
    ]
    return compileIn(predicate, table, sql, 'located', places)
  }
  const key = `${table.clusteringField?.column}_key`
  const ranges = (own: SqlBuilder): readonly string[] =>
    (coverPredicate(predicate, table) ?? []).map(
      (r) => `${key} BETWEEN ${own.bind(r.first, 'UBIGINT')} AND ${own.bind(r.last, 'UBIGINT')}`,
    )
  return compileIn(predicate, table, sql, 'covered', ranges)
}

/** The condition of a predicate on the rows that came after an index was put in order. */
export function compileTail(predicate: Predicate, table: IndexTable, sql: SqlBuilder): string {
  return compileIn(predicate, table, sql, 'late', () => [isLate(table)]).join(' AND ')
}

const isLate = ({ definition }: IndexTable): string => `_seq >= ${definition.arrangedSeq}`

/**
 * The conditions of a predicate on parts of a table, none for all of it. Tests that SQL cannot express look at the rows
 * of the parts that fulfil those members of the predicate that need no such test.
 */
function compileIn(
  selection: Predicate,
  table: IndexTable,
  sql: SqlBuilder,
  among: SelectionScope['among'],
  parts: (sql: SqlBuilder) => readonly string[],
): readonly string[] {
  const plain: Predicate[] = []
  const near = (own: SqlBuilder): readonly string[] => {
    const conditions = plain.map((member) => compilePredicate(member, table, own))
    const all = conditions.length === 0 ? 'TRUE' : conditions.join(' AND ')
    return withParts(all, parts(own))
  }
  const members = selection.kind === 'and' ? selection.members : [selection]
  const conditions = members.map((member) => {
    const before = sql.sought
    const condition = compilePredicate(member, table, sql, { selection, among, near })
    if (sql.sought === before) plain.push(member)
    return condition
  })
  return withParts(conditions.join(' AND '), parts(sql))
}

const withParts = (condition: string, parts: readonly string[]): readonly string[] =>
  parts.length === 0 ? [condition] : parts.map((part) => `${part} AND ${condition}`)

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
