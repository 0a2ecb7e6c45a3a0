import type { TopPlan } from '../../../query/plan/aggregation-plan.ts'
import type { FieldSortKey } from '../../../query/plan/plan.ts'
import type { IndexTable } from '../index/index-table.ts'
import { rankColumnOf, sqlTypeOf } from '../index/table-layout.ts'
import { compileFieldKey } from '../search/search-sql.ts'
import type { Partial } from './group-sql.ts'

/** Comparing ranks avoids reading texts. Every row must have a rank, and ranks of two tables are not comparable. */
function sortsByRank(key: FieldSortKey, tables: readonly IndexTable[], table: IndexTable): boolean {
  return tables.length === 1 && !table.hasTail && table.field(key.field)?.ranked !== undefined
}

/** SQL type of a sort key as written by `compileTopKey`. */
export function topKeyType(key: FieldSortKey, tables: readonly IndexTable[], table: IndexTable): string {
  const field = table.field(key.field)
  const ranked = field && sortsByRank(key, tables, table)
  return ranked ? rankColumnOf(field).sqlType : (sqlTypeOf[key.field.type] ?? 'VARCHAR')
}

export function compileTopKey(key: FieldSortKey, tables: readonly IndexTable[], table: IndexTable): string {
  return compileFieldKey(key, table, sortsByRank(key, tables, table))
}

/**
 * Compiles the smallest (or largest) value of a top's first sort key in a bucket, gathered while the buckets are
 * counted. The one document the bucket needs has exactly this value. Undefined for tops of several documents, which a
 * single value cannot bound.
 */
export function compileBound(top: TopPlan, tables: readonly IndexTable[], table: IndexTable): Partial | undefined {
  const [key] = top.sort
  if (!key || top.size !== 1) return undefined
  const unite = key.descending ? 'max' : 'min'
  const value = compileTopKey(key, tables, table)
  const having = top.having && table.field(top.having)
  if (!top.having) return { sql: `${unite}(${value})`, unite }
  // Only documents with a geometry can be in this top.
  return { sql: `${unite}(${value}) FILTER (WHERE ${having ? `${having.column}_key IS NOT NULL` : 'FALSE'})`, unite }
}
