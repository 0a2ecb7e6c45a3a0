import type { DuckDBValue } from '@duckdb/node-api'
import type { Predicate } from '../../../query/plan/predicate.ts'
import type { SqlBuilder } from '../database/sql-builder.ts'
import type { IndexTable } from '../index/index-table.ts'
import { coverPredicate } from './key-cover.ts'
import { hashOf, type LocatedRows } from './located-rows.ts'
import { compilePredicate, type SelectionScope } from './predicate-sql.ts'

/**
 * Compiles the conditions of a predicate on one table, one for each part of the storage that can contain matches. The
 * parts are disjoint. Each located row is a part, and so is the tail, which the lookup table does not cover. A
 * restriction of the place yields one part per key range.
 */
export function compileSelections(
  predicate: Predicate,
  table: IndexTable,
  located: LocatedRows,
  sql: SqlBuilder,
): readonly string[] {
  const rows = located.get(table)
  // Compiling binds values, and DuckDB rejects bound values that the statement does not use.
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

/** Compiles the condition of a predicate on the tail. */
export function compileTail(predicate: Predicate, table: IndexTable, sql: SqlBuilder): string {
  return compileIn(predicate, table, sql, 'late', () => [isLate(table)]).join(' AND ')
}

const isLate = ({ definition }: IndexTable): string => `_seq >= ${definition.arrangedSeq}`

/**
 * Compiles the conditions of a predicate on parts of a table; no parts mean the whole table. Tests that SQL cannot
 * express only examine rows of the parts that match the predicate members without such tests.
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

/** Selects one row by number, so that the scan can skip all others. */
export const compileRow = (seq: DuckDBValue, sql: SqlBuilder): string => `_seq = ${sql.bind(seq, 'BIGINT')}`

/** Selects documents whose `_id` is in the list bound as $1. */
export function compileIdLookup(table: IndexTable): string {
  const listed = '_id IN (SELECT unnest(CAST($1 AS VARCHAR[])))'
  const number = table.lookupNumber('_id')
  if (number === undefined) return listed
  const hashes = `SELECT ${hashOf('v')} FROM (SELECT unnest(CAST($1 AS VARCHAR[])) AS v)`
  const known = `SELECT seq FROM ${table.lookupTable} WHERE field = ${number} AND h IN (${hashes})`
  const tail = `SELECT _seq FROM ${table.table} WHERE _seq >= ${table.definition.arrangedSeq} AND ${listed}`
  return `_seq IN (${known}${table.hasTail ? ` UNION ALL ${tail}` : ''}) AND ${listed}`
}
