import type { EqualsPredicate, Predicate } from '../../query/predicate.ts'
import type { IndexTable } from './index-table.ts'
import { coverPredicate } from './key-cover.ts'
import { bindScalar, compilePredicate } from './predicate-sql.ts'
import type { SqlBuilder } from './sql-builder.ts'

/** Equality lists longer than this are faster by a plain scan. */
const LONGEST_LOOKUP = 1000

/** Stable over releases of DuckDB, unlike its own hash(). */
export const hashOf = (value: string): string => `md5_number_lower(${value})`

/** Documents whose `_id` is in the list bound as $1. */
export function compileIdLookup(table: IndexTable): string {
  const listed = '_id IN (SELECT unnest(CAST($1 AS VARCHAR[])))'
  const number = table.lookupNumber('_id')
  if (number === undefined) return listed
  const hashes = `SELECT ${hashOf('v')} FROM (SELECT unnest(CAST($1 AS VARCHAR[])) AS v)`
  return `${bySeq(table, `field = ${number} AND h IN (${hashes})`, () => listed)} AND ${listed}`
}

/**
 * The conditions of a predicate on one table, one for each part of the storage that can hold matches; no row is in two
 * of them. A demand that an identifying keyword equals something is answered through the lookup table, which is sorted
 * by hash and names the few rows to look at; a bound on the place by ranges of keys.
 */
export function compileSelections(predicate: Predicate, table: IndexTable, sql: SqlBuilder): readonly string[] {
  if (predicate.kind === 'nothing') return ['FALSE']
  const condition = compilePredicate(predicate, table, sql)
  const lookup = identifyingMember(predicate, table)
  if (lookup) return [`${compileLookup(lookup.member, lookup.number, table, sql)} AND ${condition}`]
  const cover = coverPredicate(predicate, table)
  if (!cover || cover.length === 0) return [condition]
  const key = `${table.clusteringField?.column}_key`
  return cover.map(
    (r) => `${key} BETWEEN ${sql.bind(r.first, 'UBIGINT')} AND ${sql.bind(r.last, 'UBIGINT')} AND ${condition}`,
  )
}

function identifyingMember(
  predicate: Predicate,
  table: IndexTable,
): { member: EqualsPredicate; number: number } | undefined {
  for (const member of predicate.kind === 'and' ? predicate.members : [predicate]) {
    if (member.kind !== 'equals' || member.values.length > LONGEST_LOOKUP) continue
    const number = table.lookupNumber(member.field.path)
    if (number !== undefined) return { member, number }
  }
  return undefined
}

function compileLookup(p: EqualsPredicate, number: number, table: IndexTable, sql: SqlBuilder): string {
  const field = table.field(p.field)
  if (!field) return 'FALSE'
  const hashes = p.values.map((v) => hashOf(bindScalar(v, field, sql)))
  return bySeq(table, `field = ${number} AND h IN (${hashes.join(', ')})`, () => compilePredicate(p, table, sql))
}

/** Rows the lookup table names, and those of the tail it does not know yet. */
function bySeq(table: IndexTable, known: string, inTail: () => string): string {
  const { arrangedSeq } = table.definition
  const tail = (): string => ` UNION ALL SELECT _seq FROM ${table.table} WHERE _seq >= ${arrangedSeq} AND ${inTail()}`
  return `_seq IN (SELECT seq FROM ${table.lookupTable} WHERE ${known}${table.hasTail ? tail() : ''})`
}
