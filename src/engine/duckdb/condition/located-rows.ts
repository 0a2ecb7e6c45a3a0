import type { DuckDBValue } from '@duckdb/node-api'
import type { EqualsPredicate, Predicate } from '../../../query/plan/predicate.ts'
import type { SqlBuilder } from '../database/sql-builder.ts'
import type { IndexTable } from '../index/index-table.ts'
import { bindScalar } from './predicate-sql.ts'

/** Numbers of the arranged rows a query can match, for tables whose lookup table could be used. */
export type LocatedRows = ReadonlyMap<IndexTable, readonly DuckDBValue[]>

/** Runs a statement and returns its first column. */
export type LookUp = (compile: (sql: SqlBuilder) => string) => Promise<readonly DuckDBValue[]>

/** Each row becomes a part of the query. More rows are found faster by a plain scan. */
const MOST_LOCATED = 16

/** Stable across releases of DuckDB, unlike its hash(). */
export const hashOf = (value: string): string => `md5_number_lower(${value})`

/**
 * If a predicate requires an identifying keyword to equal given values, finds the few matching rows in the lookup
 * table, which is sorted by hash. Runs as a separate statement first: row numbers bound as constants let the query skip
 * all other row groups.
 */
export async function locateRows(
  predicate: Predicate,
  tables: readonly IndexTable[],
  lookUp: LookUp,
): Promise<LocatedRows> {
  const located = new Map<IndexTable, readonly DuckDBValue[]>()
  for (const table of tables) {
    const demand = identifyingMember(predicate, table)
    if (!demand) continue
    const rows = await lookUp((sql) => compileLookup(demand, table, sql))
    if (rows.length <= MOST_LOCATED) located.set(table, rows)
  }
  return located
}

interface Demand {
  readonly member: EqualsPredicate
  /** Number of the field in the lookup table. */
  readonly number: number
}

/** Returns the part of a predicate that requires an identifying keyword to equal given values. */
export function identifyingMember(predicate: Predicate, table: IndexTable): Demand | undefined {
  for (const member of predicate.kind === 'and' ? predicate.members : [predicate]) {
    if (member.kind !== 'equals' || member.values.length > MOST_LOCATED || !table.field(member.field)) continue
    const number = table.lookupNumber(member.field.path)
    if (number !== undefined) return { member, number }
  }
  return undefined
}

/** Compiles the lookup of row numbers. The limit is one above the usable number, to detect that there are too many. */
function compileLookup(
  { member: { field: demanded, values }, number }: Demand,
  table: IndexTable,
  sql: SqlBuilder,
): string {
  const field = table.field(demanded)
  const hashes = field ? values.map((v) => hashOf(bindScalar(v, field, sql))) : []
  const hash = hashes.length === 1 ? `h = ${hashes[0]}` : `h IN (${hashes.join(', ')})`
  return `SELECT seq FROM ${table.lookupTable} WHERE field = ${number} AND ${hash} LIMIT ${MOST_LOCATED + 1}`
}
