import type { TopPlan } from '../../../query/plan/aggregation-plan.ts'
import { compileFieldKey } from '../search/search-sql.ts'
import type { IndexTable } from '../table/index-table.ts'
import type { Partial } from './group-sql.ts'

/**
 * Compiles the smallest (or largest) value of a top's first sort key in a bucket, gathered while the buckets are
 * counted. The one document the bucket needs has exactly this value. Undefined for tops of several documents, which a
 * single value cannot bound.
 */
export function compileBound(top: TopPlan, table: IndexTable): Partial | undefined {
  const [key] = top.sort
  if (!key || top.size !== 1) return undefined
  const unite = key.descending ? 'max' : 'min'
  const value = compileFieldKey(key, table)
  const having = top.having && table.field(top.having)
  if (!top.having) return { sql: `${unite}(${value})`, unite }
  // Only documents with a geometry can be in this top.
  return { sql: `${unite}(${value}) FILTER (WHERE ${having ? `${having.column}_key IS NOT NULL` : 'FALSE'})`, unite }
}
