import type { DuckDBValue } from '@duckdb/node-api'
import type { SearchPlan } from '../../query/plan.ts'
import type { IndexTable } from './index-table.ts'
import { compileSelections } from './lookup-sql.ts'
import type { SqlBuilder } from './sql-builder.ts'
import { rankColumnOf } from './table-layout.ts'

/** Sort keys, by their place, that are compared by rank instead of by value; with the rank of the cursor's value. */
export type RankedKeys = ReadonlyMap<number, DuckDBValue>

/**
 * The sort keys of a plan that ranks can stand for: comparing integers spares reading the texts of every candidate. All
 * rows must have one, so there is no tail, and ranks of different tables cannot be compared. `lookUp` answers the first
 * value of a statement; a cursor that points at a value no document has is compared as text.
 */
export async function findRankedKeys(
  plan: SearchPlan,
  tables: readonly IndexTable[],
  lookUp: (compile: (sql: SqlBuilder) => string) => Promise<DuckDBValue | undefined>,
): Promise<RankedKeys> {
  const ranked = new Map<number, DuckDBValue>()
  const [table] = tables
  if (!table || tables.length > 1 || table.hasTail) return ranked
  for (const [i, key] of plan.sort.entries()) {
    const field = key.kind === 'field' ? table.field(key.field) : undefined
    if (!field?.ranked) continue
    const value = plan.cursor?.values[i] ?? null
    if (value === null) {
      ranked.set(i, null)
      continue
    }
    const rank = await lookUp((sql) => {
      const [condition] = compileSelections({ kind: 'equals', field: key.field, values: [value] }, table, sql)
      return `SELECT ${rankColumnOf(field).name} FROM ${table.table} WHERE ${condition} LIMIT 1`
    })
    if (rank !== undefined) ranked.set(i, rank)
  }
  return ranked
}
