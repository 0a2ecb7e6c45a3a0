import type { EqualsPredicate, Predicate } from '../../query/predicate.ts'
import type { IndexTable } from './index-table.ts'
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
  return `${bySeq(table, `field = ${number} AND h IN (${hashes})`, listed)} AND ${listed}`
}

/**
 * The condition of a predicate on one table. When it demands that a keyword with almost a value per document equals
 * something, the lookup table, which is sorted by hash, names the few rows to look at.
 */
export function compileSelection(predicate: Predicate, table: IndexTable, sql: SqlBuilder): string {
  const condition = compilePredicate(predicate, table, sql)
  const members = predicate.kind === 'and' ? predicate.members : [predicate]
  for (const member of members) {
    const number = member.kind === 'equals' ? table.lookupNumber(member.field.path) : undefined
    if (member.kind !== 'equals' || number === undefined || member.values.length > LONGEST_LOOKUP) continue
    return `${compileLookup(member, number, table, sql)} AND ${condition}`
  }
  return condition
}

function compileLookup(p: EqualsPredicate, number: number, table: IndexTable, sql: SqlBuilder): string {
  const field = table.field(p.field)
  if (!field) return 'FALSE'
  const hashes = p.values.map((v) => hashOf(bindScalar(v, field, sql)))
  return bySeq(table, `field = ${number} AND h IN (${hashes.join(', ')})`, compilePredicate(p, table, sql))
}

/** Rows the lookup table names, and those of the tail it does not know yet. */
function bySeq(table: IndexTable, known: string, inTail: string): string {
  const { arrangedSeq, nextSeq } = table.definition
  const tail =
    arrangedSeq === nextSeq
      ? ''
      : ` UNION ALL SELECT _seq FROM ${table.table} WHERE _seq >= ${arrangedSeq} AND ${inTail}`
  return `_seq IN (SELECT seq FROM ${table.lookupTable} WHERE ${known}${tail})`
}
