import { DuckDBListValue } from '@duckdb/node-api'
import { printRe2 } from '../../../query/pattern/keyword-pattern-re2.ts'
import type {
  CompareOperator,
  EqualsPredicate,
  Predicate,
  PrefixPredicate,
  RangePredicate,
  Scalar,
} from '../../../query/plan/predicate.ts'
import type { Seek, SqlBuilder } from '../database/sql-builder.ts'
import { anyValue, listOf, mayHold } from '../index/several-values.ts'
import { type FieldLayout, sqlTypeOf } from '../index/table-layout.ts'
import type { IndexTable } from '../table/index-table.ts'
import { compileCell } from './cell-sql.ts'
import { compileGeo, compileRelation } from './geo-sql.ts'
import { compileFuzzy, compilePhrase } from './text-sql.ts'

/** The rows of a selection that tests in JavaScript must examine, as far as SQL can narrow them. */
export interface SelectionScope {
  readonly selection: Predicate
  /** Condition that every row of the selection matches. */
  readonly near: (sql: SqlBuilder) => string
}

/** Compiles the SQL condition of a predicate on one index table. It is TRUE, FALSE or NULL; NULL does not match. */
export function compilePredicate(
  p: Predicate,
  table: IndexTable,
  sql: SqlBuilder,
  scope: SelectionScope = { selection: p, near: () => 'TRUE' },
): string {
  switch (p.kind) {
    case 'everything':
      return 'TRUE'
    case 'nothing':
      return 'FALSE'
    case 'and':
      return join(p.members, ' AND ', table, sql, scope)
    case 'or':
      return join(p.members, ' OR ', table, sql, scope)
    case 'not':
      // IS NOT TRUE instead of NOT: a document without a value matches every negative operator.
      return `((${compilePredicate(p.member, table, sql, scope)}) IS NOT TRUE)`
    default: {
      // A field that this index lacks, or has with another type, has no value here.
      const field = table.field(p.field)
      return field ? compileLeaf(p, field, table, sql, scope) : 'FALSE'
    }
  }
}

type LeafPredicate = Extract<Predicate, { field: unknown }>

/** Column that is NULL if a document has no value. */
const presenceColumn = ({ type, column }: FieldLayout): string => (type.startsWith('GEO') ? `${column}_key` : column)

function compileLeaf(
  p: LeafPredicate,
  field: FieldLayout,
  table: IndexTable,
  sql: SqlBuilder,
  { selection, near }: SelectionScope,
): string {
  const seek: Seek = (rows, test) => {
    const candidates = (own: SqlBuilder): string => rows(near(own), own).join(' UNION ALL ')
    return sql.seek({ selection, predicate: p, table: table.table, candidates, test })
  }
  switch (p.kind) {
    case 'exists':
      return `${presenceColumn(field)} IS NOT NULL`
    case 'equals':
      return compileEquals(p, field, sql)
    case 'range':
      return compileRange(p, field, sql)
    case 'prefix':
      return compilePrefix(p, field, sql)
    case 'pattern': {
      const pattern = sql.bind(printRe2(p.pattern), 'VARCHAR')
      return anyValue(field, (value) => `regexp_matches(${value}, ${pattern}, 's')`)
    }
    case 'fuzzy':
      return compileFuzzy(p, field, table, sql, seek)
    case 'phrase':
      return compilePhrase(p, field, table, sql, seek)
    case 'geo':
      return compileGeo(p, field, table, sql, seek)
    case 'relates':
      return compileRelation(p, field, table, sql, seek)
    case 'cell':
      return compileCell(p, field, table, sql, seek)
    case 'compare': {
      const other = table.field(p.other)
      return other ? compileComparison(field, p.op, other) : 'FALSE'
    }
  }
}

/** Both are columns of one SQL type, or numbers, which DuckDB converts to the wider type. */
const compileComparison = (field: FieldLayout, op: CompareOperator, other: FieldLayout): string =>
  anyValue(field, (value) => anyValue(other, (own) => `${value} ${op} ${own}`, undefined, 'w'))

function join(
  members: readonly Predicate[],
  operator: string,
  table: IndexTable,
  sql: SqlBuilder,
  scope: SelectionScope,
): string {
  return `(${members.map((m) => compilePredicate(m, table, sql, scope)).join(operator)})`
}

export function bindScalar(value: Scalar, field: FieldLayout, sql: SqlBuilder): string {
  return sql.bind(columnScalar(value, field), sqlTypeOf[field.type] ?? 'VARCHAR')
}

/**
 * Dates are stored as BIGINT. Other numbers here are floating point and are bound as text: the driver would bind a
 * whole number as an integer (for a list, if it is the first element) and reject it beyond 64 bits.
 */
export function columnScalar(value: Scalar, field: FieldLayout): Scalar {
  if (typeof value !== 'number') return value
  return field.type === 'DATE' ? BigInt(value) : String(value)
}

/** Longer lists are bound as one value and joined, because DuckDB plans each parameter separately. */
const LONGEST_INLINE_LIST = 64

function compileEquals(p: EqualsPredicate, field: FieldLayout, sql: SqlBuilder): string {
  if (p.values.length > LONGEST_INLINE_LIST) return compileLongList(p, field, sql)
  const values = p.values.map((v) => bindScalar(v, field, sql))
  const equal = (value: string): string =>
    values.length === 1 ? `${value} = ${values[0]}` : `${value} IN (${values.join(', ')})`
  const [only] = p.values
  const bind = (text: string): string => sql.bind(text, 'VARCHAR')
  const quick = field.several && p.values.length === 1 ? mayHold(field, String(only), bind) : undefined
  return anyValue(field, equal, quick)
}

function compileLongList(p: EqualsPredicate, field: FieldLayout, sql: SqlBuilder): string {
  const values = p.values.map((v) => columnScalar(v, field))
  const list = sql.bind(new DuckDBListValue(values), `${sqlTypeOf[field.type] ?? 'VARCHAR'}[]`)
  const single = `${field.column} IN (SELECT unnest(${list}))`
  return field.several ? `(${single} OR list_has_any(${listOf(field)}, ${list}))` : single
}

function compileRange(p: RangePredicate, field: FieldLayout, sql: SqlBuilder): string {
  const lower = p.lower && { operator: p.lower.inclusive ? '>=' : '>', bound: bindScalar(p.lower.value, field, sql) }
  const upper = p.upper && { operator: p.upper.inclusive ? '<=' : '<', bound: bindScalar(p.upper.value, field, sql) }
  const bounds = [lower, upper].filter((b) => b !== undefined)
  return anyValue(field, (value) => `(${bounds.map((b) => `${value} ${b.operator} ${b.bound}`).join(' AND ')})`)
}

function compilePrefix(p: PrefixPredicate, field: FieldLayout, sql: SqlBuilder): string {
  const prefix = sql.bind(p.prefix, 'VARCHAR')
  return anyValue(field, (value) => `starts_with(${value}, ${prefix})`)
}
