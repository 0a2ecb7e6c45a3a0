import { DuckDBListValue, type DuckDBValue } from '@duckdb/node-api'
import { printRe2 } from '../../../query/pattern/keyword-pattern-re2.ts'
import type { TermGrouping, TermInclude } from '../../../query/plan/aggregation-plan.ts'
import type { Scalar } from '../../../query/plan/predicate.ts'
import { isInteger } from '../../../query/schema/field.ts'
import { columnScalar } from '../condition/predicate-sql.ts'
import type { SqlBuilder } from '../database/sql-builder.ts'
import type { IndexTable } from '../index/index-table.ts'
import { hasSeveral, listOf } from '../index/several-values.ts'
import { type FieldLayout, rankColumnOf, sqlTypeOf } from '../index/table-layout.ts'
import { termsInOrder, termsTable } from '../index/term-ranks.ts'
import type { BucketKeySql } from './bucket-key.ts'

/**
 * `rank`: terms are coded by rank where they have one; valid for the arranged rows of one table only. `value`: terms
 * are coded by value, which compares across all rows and tables.
 */
export type TermCoding = 'rank' | 'value'

/** Compiles the terms of a field as keys. Terms outside `include` are skipped. */
export function compileTermKey(
  grouping: TermGrouping,
  table: IndexTable,
  coding: TermCoding,
  sql: SqlBuilder,
): BucketKeySql {
  const field = table.field(grouping.field)
  const terms = field && coding === 'rank' ? rankedTerms(field, table) : undefined
  if (field && terms) return rankKey(field, terms, grouping.include, table, sql)
  const { type } = grouping.field
  const sqlType = sqlTypeOf[type] ?? 'VARCHAR'
  const decode = (value: DuckDBValue): Scalar => decodeTerm(value, grouping)
  if (!field) return { sqlType, single: `CAST(NULL AS ${sqlType})`, decode }
  const included = grouping.include && compileInclude(grouping.include, field, sql)
  const single = included ? `CASE WHEN ${included(field.column)} THEN ${field.column} END` : field.column
  if (!field.several) return { sqlType, single, decode }
  const all = listOf(field)
  const chosen = included ? `list_filter(${all}, lambda v: ${included('v')})` : all
  return { sqlType, single, decode, several: { condition: hasSeveral(field), list: `list_distinct(${chosen})` } }
}

/** Returns the terms in order of rank if every arranged row has the rank of its term. */
export function rankedTerms(field: FieldLayout, table: IndexTable): readonly string[] | undefined {
  if (field.ranked !== 'terms' || field.several) return undefined
  const terms = table.terms.get(field.path)
  return terms && termsInOrder(terms)
}

function rankKey(
  field: FieldLayout,
  terms: readonly string[],
  include: TermInclude | undefined,
  table: IndexTable,
  sql: SqlBuilder,
): BucketKeySql {
  const { name, sqlType } = rankColumnOf(field)
  const decode = (rank: DuckDBValue): string => terms[Number(rank) - 1] ?? ''
  const included = include && compileRankInclude(include, field, table, sql)
  return { sqlType, single: included ? `CASE WHEN ${name} IN (${included}) THEN ${name} END` : name, decode }
}

/** Returns the ranks of the included terms. A pattern is matched against the terms, not against the rows. */
function compileRankInclude(include: TermInclude, field: FieldLayout, table: IndexTable, sql: SqlBuilder): string {
  if (include.kind === 'values') {
    const terms = table.terms.get(field.path)
    // No term has rank 0.
    return [0, ...include.values.flatMap((v) => terms?.get(String(v))?.rank ?? [])].join(', ')
  }
  const path = sql.bind(field.path, 'VARCHAR')
  const pattern = sql.bind(printRe2(include.pattern), 'VARCHAR')
  return `SELECT rank FROM ${termsTable(table.definition.table)} WHERE path = ${path} AND regexp_matches(value, ${pattern}, 's')`
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
