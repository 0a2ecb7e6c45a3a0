import type { Cursor, FieldSortKey, SearchPlan, SortKey } from '../../../query/plan/plan.ts'
import type { Scalar } from '../../../query/plan/predicate.ts'
import { bindScalar } from '../condition/predicate-sql.ts'
import { compileSelection } from '../condition/selection-sql.ts'
import type { SqlBuilder } from '../database/sql-builder.ts'
import { listOf } from '../index/several-values.ts'
import { type FieldLayout, sqlTypeOf } from '../index/table-layout.ts'
import type { IndexTable } from '../table/index-table.ts'

/** Radius of the geodistance sphere in metres (spec 2.3.5). */
const EARTH_RADIUS = 6371008.7714

type DistanceKey = Extract<SortKey, { kind: 'distance' }>

/** Columns of the result: table number and extent (`_at`, `_size`), and the identifier if the plan wants it. */
const columnsOf = ({ wantsIds }: SearchPlan): string => (wantsIds ? 't, a, z, i' : 't, a, z')

/** Selects the place of each hit of a page, in order. */
export function compilePage(plan: SearchPlan, tables: readonly IndexTable[], sql: SqlBuilder): string {
  const parts = tables.map((table, number) => {
    const { columns, beyond } = compileColumns(plan, table, number, sql)
    const condition = `${compileSelection(plan.predicate, table, sql)}${beyond ? ` AND ${beyond}` : ''}`
    return `SELECT ${columns.join(', ')} FROM ${table.table} WHERE ${condition}`
  })
  return `SELECT ${columnsOf(plan)} FROM (${parts.join(' UNION ALL ')}) ${compileOrder(plan)}`
}

/**
 * Like compilePage, with the total number of matches, ignoring the cursor, as first column. One scan, for selections
 * of at most `most` documents. If the number is higher, neither it nor the page is valid.
 */
export function compileCountedPage(
  plan: SearchPlan,
  tables: readonly IndexTable[],
  most: number,
  sql: SqlBuilder,
): string {
  const parts = tables.map((table, number) => {
    const { columns, beyond } = compileColumns(plan, table, number, sql)
    const all = [...columns, `(${beyond ?? 'TRUE'}) AS b`]
    return `SELECT ${all.join(', ')} FROM ${table.table} WHERE ${compileSelection(plan.predicate, table, sql)}`
  })
  const matches = `SELECT * FROM (${parts.join(' UNION ALL ')}) LIMIT ${most + 1}`
  return `WITH m AS MATERIALIZED (${matches}) SELECT (SELECT count(*) FROM m) AS n, ${columnsOf(plan)} FROM m WHERE b ${compileOrder(plan)}`
}

function compileOrder(plan: SearchPlan): string {
  const backwards = plan.cursor?.direction === 'before'
  const order = plan.sort.map(
    (key, i) => `s${i} ${key.descending !== backwards ? 'DESC' : 'ASC'} NULLS ${backwards ? 'FIRST' : 'LAST'}`,
  )
  // There is no sort key if the collection's id path names no field. Pages must not overlap even then.
  const place = backwards ? ['t DESC', 'a DESC'] : ['t', 'a']
  const total = order.length === 0 || plan.wantsIds ? [...order, ...place] : order
  return `ORDER BY ${total.join(', ')} LIMIT ${plan.size} OFFSET ${plan.from}`
}

/** Compiles extent and sort keys of a row, and the condition that it lies beyond the cursor. */
function compileColumns(
  plan: SearchPlan,
  table: IndexTable,
  number: number,
  sql: SqlBuilder,
): { columns: readonly string[]; beyond: string | undefined } {
  const keys = plan.sort.map((key) => compileSortKey(key, table, sql))
  const columns = [
    `${number} AS t`,
    '_at AS a',
    '_size AS z',
    ...(plan.wantsIds ? ['_id AS i'] : []),
    ...keys.map((key, i) => `${key} AS s${i}`),
  ]
  return { columns, beyond: plan.cursor && compileCursor(plan.cursor, plan.sort, keys, table, sql) }
}

function compileSortKey(key: SortKey, table: IndexTable, sql: SqlBuilder): string {
  if (key.kind === 'field') return compileFieldKey(key, table)
  const field = table.field(key.field)
  return field ? compileDistance(field, key, sql) : 'CAST(NULL AS DOUBLE)'
}

export function compileFieldKey(key: FieldSortKey, table: IndexTable): string {
  const field = table.field(key.field)
  if (!field) return `CAST(NULL AS ${sqlTypeOf[key.field.type] ?? 'VARCHAR'})`
  if (!field.several) return field.column
  return `coalesce(list_${key.descending ? 'max' : 'min'}(${listOf(field)}), ${field.column})`
}

/**
 * Haversine distance in whole decimetres. Smaller differences count as equal, whatever the rounding, and the next sort
 * key decides (spec 2.5). With several points, the nearest counts if ascending, the farthest if descending.
 */
function compileDistance(field: FieldLayout, key: DistanceKey, sql: SqlBuilder): string {
  const lon = sql.bind(key.lon, 'DOUBLE')
  const lat = sql.bind(key.lat, 'DOUBLE')
  const distance = (pointLon: string, pointLat: string): string => {
    const halfLat = `sin(radians(${pointLat} - ${lat}) / 2)`
    const halfLon = `sin(radians(${pointLon} - ${lon}) / 2)`
    const h = `${halfLat} * ${halfLat} + cos(radians(${lat})) * cos(radians(${pointLat})) * ${halfLon} * ${halfLon}`
    // least ignores NULL and would put documents without a place at the antipode.
    return `if(${pointLon} IS NULL, NULL, floor(${20 * EARTH_RADIUS} * asin(least(1, sqrt(${h})))))`
  }
  const single = distance(`${field.column}_lon`, `${field.column}_lat`)
  if (!field.several) return single
  const all = `list_transform(${listOf(field)}, lambda p: ${distance('p.lon', 'p.lat')})`
  return `coalesce(list_${key.descending ? 'max' : 'min'}(${all}), ${single})`
}

/** Compiles that a row is strictly after, or before, the cursor in sort order. */
function compileCursor(
  cursor: Cursor,
  sort: readonly SortKey[],
  keys: readonly string[],
  table: IndexTable,
  sql: SqlBuilder,
): string {
  const after = cursor.direction === 'after'
  const bound = cursor.values.map((value, i) => (value === null ? null : bindCursorValue(value, sort[i], table, sql)))
  const alternatives = keys.map((key, i) => {
    const tied = keys.slice(0, i).map((k, j) => (bound[j] === null ? `${k} IS NULL` : `${k} = ${bound[j]}`))
    const descending = sort[i]?.descending === true
    const later = comesLater(key, bound[i] ?? null, after, descending)
    return `(${[...tied, later].join(' AND ')})`
  })
  return `(${alternatives.join(' OR ')})`
}

/** Missing values are last in both directions: nothing comes after them, every value before them. */
function comesLater(key: string, value: string | null, after: boolean, descending: boolean): string {
  if (value === null) return after ? 'FALSE' : `${key} IS NOT NULL`
  const beyond = `${key} ${after === descending ? '<' : '>'} ${value}`
  return after ? `(${beyond} OR ${key} IS NULL)` : beyond
}

function bindCursorValue(value: Scalar, key: SortKey | undefined, table: IndexTable, sql: SqlBuilder): string {
  if (!key) throw new Error('a cursor must have one value per sort key')
  const field = table.field(key.field) ?? { path: key.field.path, type: key.field.type, column: '', several: false }
  return bindScalar(value, field, sql)
}
