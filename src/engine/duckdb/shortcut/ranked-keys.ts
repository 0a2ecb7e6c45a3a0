import type { DuckDBValue } from '@duckdb/node-api'
import type { SearchPlan, SortKey } from '../../../query/plan/plan.ts'
import type { Scalar } from '../../../query/plan/predicate.ts'
import { type LookUp, locateRows } from '../condition/located-rows.ts'
import { bindScalar } from '../condition/predicate-sql.ts'
import { compileRow } from '../condition/selection-sql.ts'
import type { IndexTable } from '../index/index-table.ts'
import { type FieldLayout, rankColumnOf } from '../index/table-layout.ts'
import type { Identify } from './identified-document.ts'

/** Indices of the sort keys that are compared by rank instead of value, with the rank of the cursor's value. */
export type RankedKeys = ReadonlyMap<number, DuckDBValue>

/**
 * Finds the sort keys of a plan that can be compared by rank: comparing integers avoids reading the texts of every
 * candidate. All rows must have a rank, so there must be no tail, and ranks of different tables are not comparable. If
 * no document has the cursor's value, it is compared as text.
 */
export async function findRankedKeys(
  plan: SearchPlan,
  tables: readonly IndexTable[],
  lookUp: LookUp,
  identify: Identify,
): Promise<RankedKeys> {
  const ranked = new Map<number, DuckDBValue>()
  const [table] = tables
  if (!table || tables.length > 1 || table.hasTail) return ranked
  for (const [i, key] of plan.sort.entries()) {
    const field = key.kind === 'field' ? table.field(key.field) : undefined
    if (!field?.ranked) continue
    const value = plan.cursor?.values[i] ?? null
    const rank = value === null ? null : await rankOf(value, key, field, table, lookUp, identify)
    if (rank !== undefined) ranked.set(i, rank)
  }
  return ranked
}

async function rankOf(
  value: Scalar,
  key: SortKey,
  field: FieldLayout,
  table: IndexTable,
  lookUp: LookUp,
  identify: Identify,
): Promise<DuckDBValue | undefined> {
  if (field.ranked === 'terms') return table.terms.get(field.path)?.get(String(value))?.rank
  const predicate = { kind: 'equals', field: key.field, values: [value] } as const
  const identified = await identify(predicate)
  if (identified) return identified.rank
  const located = await locateRows(predicate, [table], lookUp)
  for (const seq of located.get(table) ?? []) {
    const [rank] = await lookUp((sql) => {
      const equal = `${field.column} = ${bindScalar(value, field, sql)}`
      return `SELECT ${rankColumnOf(field).name} FROM ${table.table} WHERE ${compileRow(seq, sql)} AND ${equal}`
    })
    if (rank !== undefined) return rank
  }
  return undefined
}
