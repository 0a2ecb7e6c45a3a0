import type { DuckDBConnection } from '@duckdb/node-api'
import { tileShift } from '../../../geo/grid/morton-key.ts'
import { DAY_MS } from '../../../query/date/calendar.ts'
import type { Grouping } from '../../../query/plan/aggregation-plan.ts'
import type { Predicate } from '../../../query/plan/predicate.ts'
import type { IndexDefinition } from './index-definition.ts'
import type { IndexTable } from './index-table.ts'
import { clusteringPoint, dayColumnOf, type FieldLayout, rankColumnOf, type TableLayout } from './table-layout.ts'

/**
 * Name of the table of key counts: how many arranged documents have each term, day and tile. Counted by the
 * arrangement, so that the first view of a collection, without a filter, reads a few thousand rows instead of all.
 */
export const countsTable = (table: string): string => `${table}_counts`

/** Zoom of the counted tiles. Lower zooms are computed from it. */
const TILE_ZOOM = 8
const TILE_SHIFT = tileShift(TILE_ZOOM)

/** A column whose values are counted. */
interface CountedColumn {
  readonly path: string
  readonly name: string
  readonly sqlType: string
  /** SQL of the counted value, a BIGINT, from the column, and back. */
  readonly toKey: (column: string) => string
  readonly fromKey: (key: string) => string
}

/** Maximum number of counted fields, which the type of the field number allows. */
const MOST_COUNTED = 255

/** Counted paths of a table with this layout. The index of a path is its field number. */
export const countedPaths = (layout: TableLayout): readonly string[] =>
  countedColumns(layout)
    .slice(0, MOST_COUNTED)
    .map(({ path }) => path)

function countedColumns(layout: TableLayout): readonly CountedColumn[] {
  const same = (column: string): string => `CAST(${column} AS BIGINT)`
  const columns = layout.fields.flatMap((field): CountedColumn[] => {
    if (field.several) return []
    const found = field.ranked === 'terms' ? rankColumnOf(field) : field.hasDay ? dayColumnOf(field) : undefined
    if (!found) return []
    return [{ path: field.path, ...found, toKey: same, fromKey: (key) => `CAST(${key} AS ${found.sqlType})` }]
  })
  const place = clusteringPoint(layout)
  if (!place) return columns
  return [
    ...columns,
    {
      path: place.path,
      name: `${place.column}_key`,
      sqlType: 'UBIGINT',
      toKey: (column) => `CAST(${column} >> ${TILE_SHIFT} AS BIGINT)`,
      fromKey: (key) => `(CAST(${key} AS UBIGINT) << ${TILE_SHIFT})`,
    },
  ]
}

/** Counts the keys of an arranged table, inside the transaction that arranges it. */
export async function makeKeyCounts(connection: DuckDBConnection, target: IndexDefinition): Promise<void> {
  await connection.run(`CREATE TABLE ${countsTable(target.table)} (field UTINYINT, key BIGINT, n BIGINT)`)
  for (const [number, { name, toKey }] of countedColumns(target.layout).slice(0, MOST_COUNTED).entries()) {
    const counts = `SELECT ${number}, ${toKey(name)} AS key, count(*) FROM ${target.table} GROUP BY key`
    await connection.run(`INSERT INTO ${countsTable(target.table)} ${counts}`)
  }
}

/**
 * Returns the counted keys of a grouping as a relation with the column the grouping reads and `n`, the number of
 * documents. Undefined if the counts are missing, or invalid because documents were removed since.
 */
export function countedRows(grouping: Grouping, table: IndexTable): string | undefined {
  const { definition } = table
  const field = table.field(grouping.field)
  const number = definition.counted?.indexOf(grouping.field.path) ?? -1
  if (!field || number < 0 || definition.documents !== definition.nextSeq) return undefined
  if (!isCountedGrouping(grouping, field)) return undefined
  const column = countedColumns(definition.layout).find(({ path }) => path === field.path)
  if (!column) return undefined
  const rows = `SELECT ${column.fromKey('key')} AS ${column.name}, n FROM ${countsTable(definition.table)}`
  return `(${rows} WHERE field = ${number})`
}

/** True if the keys of the grouping can be computed from the counted column. */
function isCountedGrouping(grouping: Grouping, field: FieldLayout): boolean {
  switch (grouping.kind) {
    case 'term':
      return field.ranked === 'terms'
    case 'datehistogram':
      return field.hasDay === true && (grouping.interval.kind === 'calendar' || grouping.interval.length % DAY_MS === 0)
    case 'geotile':
      return field.type === 'GEO_POINT' && grouping.level <= TILE_ZOOM
    default:
      return false
  }
}

/**
 * Returns how many arranged documents of a table have one of some terms, from the counts of the arrangement. Undefined
 * if they are missing or outdated.
 */
export function countArranged(predicate: Predicate, table: IndexTable): number | undefined {
  if (predicate.kind !== 'equals') return undefined
  const { field, values } = predicate
  const { counted, documents, nextSeq } = table.definition
  const layout = table.field(field)
  const terms = layout?.ranked === 'terms' && !layout.several ? table.terms.get(field.path) : undefined
  // The counts still include documents removed since.
  if (terms === undefined || counted?.includes(field.path) !== true || documents !== nextSeq) return undefined
  return new Set(values.map(String)).values().reduce((sum, value) => sum + (terms.get(value)?.documents ?? 0), 0)
}

/** Returns the number of matching documents if it is known without a scan. */
export function knownCount(predicate: Predicate, tables: readonly IndexTable[]): number | undefined {
  if (predicate.kind === 'everything') return tables.reduce((n, { definition }) => n + definition.documents, 0)
  let sum = 0
  for (const table of tables) {
    const known = table.hasTail ? undefined : countArranged(predicate, table)
    if (known === undefined) return undefined
    sum += known
  }
  return sum
}
