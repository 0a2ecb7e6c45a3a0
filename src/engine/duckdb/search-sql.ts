import type { Cursor, SearchPlan, SortKey } from '../../query/plan.ts'
import type { Scalar } from '../../query/predicate.ts'
import type { IndexTable } from './index-table.ts'
import type { LocatedRows } from './located-rows.ts'
import { bindScalar } from './predicate-sql.ts'
import type { RankedKeys } from './ranked-keys.ts'
import { compileSelections } from './selection-sql.ts'
import type { SqlBuilder } from './sql-builder.ts'
import { type FieldLayout, rankColumnOf, sqlTypeOf } from './table-layout.ts'

/** Radius of the sphere of geodistance in metres (spec 2.3.5). */
const EARTH_RADIUS = 6371008.7714

type DistanceKey = Extract<SortKey, { kind: 'distance' }>

/** What was looked up before the page: it changes how fast the answer is found, never the answer. */
export interface PageAids {
  readonly ranked: RankedKeys
  readonly located: LocatedRows
}

/** SQL that answers the place (number of the table, row number) of each hit of a page, in order. */
export function compilePage(
  plan: SearchPlan,
  tables: readonly IndexTable[],
  { ranked, located }: PageAids,
  sql: SqlBuilder,
): string {
  const backwards = plan.cursor?.direction === 'before'
  const parts = tables.flatMap((table, number) => compileParts(plan, table, number, { ranked, located }, sql))
  const order = plan.sort.map(
    (key, i) => `s${i} ${key.descending !== backwards ? 'DESC' : 'ASC'} NULLS ${backwards ? 'FIRST' : 'LAST'}`,
  )
  // Nothing to sort by is left when the collection's id path names no field; pages must not overlap all the same.
  const total = order.length > 0 ? order : ['t', 'r']
  return `SELECT t, r FROM (${parts.join(' UNION ALL ')}) ORDER BY ${total.join(', ')} LIMIT ${plan.size} OFFSET ${plan.from}`
}

function compileParts(
  plan: SearchPlan,
  table: IndexTable,
  number: number,
  { ranked, located }: PageAids,
  sql: SqlBuilder,
): readonly string[] {
  const keys = plan.sort.map((key, i) => compileSortKey(key, table, ranked.has(i), sql))
  const columns = [`${number} AS t`, 'rowid AS r', ...keys.map((key, i) => `${key} AS s${i}`)]
  const beyond = plan.cursor ? ` AND ${compileCursor(plan.cursor, plan.sort, keys, table, ranked, sql)}` : ''
  return compileSelections(plan.predicate, table, located, sql).map(
    (condition) => `SELECT ${columns.join(', ')} FROM ${table.table} WHERE ${condition}${beyond}`,
  )
}

function compileSortKey(key: SortKey, table: IndexTable, byRank: boolean, sql: SqlBuilder): string {
  const field = table.field(key.field)
  if (key.kind === 'distance') return field ? compileDistance(field, key, sql) : 'CAST(NULL AS DOUBLE)'
  if (!field) return `CAST(NULL AS ${sqlTypeOf[key.field.type] ?? 'VARCHAR'})`
  if (byRank) return rankColumnOf(field).name
  if (!field.several) return field.column
  return `coalesce(list_${key.descending ? 'max' : 'min'}(${field.column}_all), ${field.column})`
}

/**
 * Haversine, in whole decimetres: places nearer to each other than that count as equally far, whatever rounding makes of
 * them, and the next sort key decides (spec 2.5). Of several points the nearest counts ascending, the farthest descending.
 */
function compileDistance(field: FieldLayout, key: DistanceKey, sql: SqlBuilder): string {
  const lon = sql.bind(key.lon, 'DOUBLE')
  const lat = sql.bind(key.lat, 'DOUBLE')
  const distance = (pointLon: string, pointLat: string): string => {
    const halfLat = `sin(radians(${pointLat} - ${lat}) / 2)`
    const halfLon = `sin(radians(${pointLon} - ${lon}) / 2)`
    const h = `${halfLat} * ${halfLat} + cos(radians(${lat})) * cos(radians(${pointLat})) * ${halfLon} * ${halfLon}`
    // least passes over a NULL and would put documents without a place at the antipode.
    return `if(${pointLon} IS NULL, NULL, floor(${20 * EARTH_RADIUS} * asin(least(1, sqrt(${h})))))`
  }
  const single = distance(`${field.column}_lon`, `${field.column}_lat`)
  if (!field.several) return single
  const all = `list_transform(${field.column}_all, lambda p: ${distance('p.lon', 'p.lat')})`
  return `coalesce(list_${key.descending ? 'max' : 'min'}(${all}), ${single})`
}

/** Strictly after, or before, the place of the cursor in the order of the sort keys. */
function compileCursor(
  cursor: Cursor,
  sort: readonly SortKey[],
  keys: readonly string[],
  table: IndexTable,
  ranked: RankedKeys,
  sql: SqlBuilder,
): string {
  const after = cursor.direction === 'after'
  const bound = cursor.values.map((value, i) => {
    if (value === null) return null
    const rank = ranked.get(i)
    return rank === undefined ? bindCursorValue(value, sort[i], table, sql) : sql.bind(rank, 'UINTEGER')
  })
  const alternatives = keys.map((key, i) => {
    const tied = keys.slice(0, i).map((k, j) => (bound[j] === null ? `${k} IS NULL` : `${k} = ${bound[j]}`))
    const descending = sort[i]?.descending === true
    return `(${[...tied, comesLater(key, bound[i] ?? null, after, descending)].join(' AND ')})`
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
  if (!key) throw new Error('a cursor has one value per sort key')
  const field = table.field(key.field) ?? { path: key.field.path, type: key.field.type, column: '', several: false }
  return bindScalar(value, field, sql)
}
