import { DuckDBListValue, type DuckDBValue } from '@duckdb/node-api'
import { printRe2 } from '../../../query/pattern/keyword-pattern-re2.ts'
import type { TermGrouping, TermInclude } from '../../../query/plan/aggregation-plan.ts'
import type { Scalar } from '../../../query/plan/predicate.ts'
import { isInteger } from '../../../query/schema/field.ts'
import { columnScalar } from '../condition/predicate-sql.ts'
import type { SqlBuilder } from '../database/sql-builder.ts'
import { hasSeveral, listOf } from '../index/several-values.ts'
import { type FieldLayout, sqlTypeOf } from '../index/table-layout.ts'
import type { IndexTable } from '../table/index-table.ts'
import type { BucketKeySql } from './bucket-key.ts'

/** Compiles the terms of a field as keys. Terms outside `include` are skipped. */
export function compileTermKey(grouping: TermGrouping, table: IndexTable, sql: SqlBuilder): BucketKeySql {
  const field = table.field(grouping.field)
  const sqlType = sqlTypeOf[grouping.field.type] ?? 'VARCHAR'
  const decode = (value: DuckDBValue): Scalar => decodeTerm(value, grouping)
  if (!field) return { sqlType, single: `CAST(NULL AS ${sqlType})`, decode }
  const included = grouping.include && compileInclude(grouping.include, field, sql)
  const single = included ? `CASE WHEN ${included(field.column)} THEN ${field.column} END` : field.column
  if (!field.several) return { sqlType, single, decode }
  const all = listOf(field)
  const chosen = included ? `list_filter(${all}, lambda v: ${included('v')})` : all
  return { sqlType, single, decode, several: { condition: hasSeveral(field), list: `list_distinct(${chosen})` } }
}

function compileInclude(include: TermInclude, field: FieldLayout, sql: SqlBuilder): (value: string) => string {
  if (include.kind === 'pattern') {
    const pattern = sql.bind(printRe2(include.pattern), 'VARCHAR')
    return (value) => `regexp_matches(${value}, ${pattern}, 's')`
  }
  if (include.values.length === 0) return () => 'FALSE'
  const values = include.values.map((v) => columnScalar(v, field))
  const list = sql.bind(new DuckDBListValue(values), `${sqlTypeOf[field.type] ?? 'VARCHAR'}[]`)
  return (value) => `list_contains(${list}, ${value})`
}

function decodeTerm(value: DuckDBValue, { field: { type } }: TermGrouping): Scalar {
  if (isInteger(type)) return BigInt(value as number | bigint)
  if (type === 'BOOLEAN') return value === true
  // Adding zero turns -0 into 0.
  return typeof value === 'string' ? value : Number(value) + 0
}
