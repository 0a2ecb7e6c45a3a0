import type { DuckDBValue } from '@duckdb/node-api'
import { cellGrid, cellsAround, geohashSize } from '../../geo/cell-grid.ts'
import { geohashOf } from '../../geo/geohash.ts'
import { keyTile, tileShift } from '../../geo/morton-key.ts'
import { shapeCells } from '../../geo/shape-cells.ts'
import type { GridGrouping } from '../../query/aggregation-plan.ts'
import type { BucketKey } from '../../query/bucket.ts'
import { type BucketLimits, checkBucketCount } from '../../query/bucket-limits.ts'
import type { BucketKeySql } from './bucket-key.ts'
import { type PointSql, pointColumns, pointInCell, pointOfList } from './cell-sql.ts'
import { envelopeCell, geohashCell, movedBits, ROW_BITS, unsigned } from './grid-sql.ts'
import { hasSeveral, listOf } from './several-values.ts'
import type { SqlBuilder } from './sql-builder.ts'
import type { FieldLayout } from './table-layout.ts'

/** What a statement fails with when a shape lies in more cells than is allowed. */
export const TOO_MANY_CELLS = 'shapes lie in more cells than a request may have buckets'

/** Fails for rows that are selected: DuckDB calls a function with the values of others too, which one does not see. */
const FAILURE = `CAST(error('${TOO_MANY_CELLS}') AS UBIGINT[])`

/**
 * The cells of a grid a row lies in. A statement that meets a shape in more than `mostCells` of them fails; whoever runs
 * it turns that into an answer by `throwGridFault`.
 */
export function compileGridKey(
  grouping: GridGrouping,
  field: FieldLayout,
  mostCells: number,
  sql: SqlBuilder,
): BucketKeySql {
  const { kind, level } = grouping
  switch (kind) {
    case 'geohex':
      return {
        ...keysOfPoints(
          grouping,
          field,
          sql,
          ({ lon, lat }) => `CASE WHEN ${lon} IS NOT NULL THEN h3_cell(${level}, ${lon}, ${lat}) END`,
        ),
        decode: (value) => BigInt(String(value)).toString(16),
      }
    case 'geohash':
      return {
        ...(field.type === 'GEO_SHAPE'
          ? keysOfShapes(kind, grouping, field, mostCells, sql)
          : keysOfPoints(grouping, field, sql, ({ lon, lat }) => geohashCell(lon, lat, level))),
        ascending: (key) => movedBits(key, geohashBits(level)),
        decode: (value) => decodeGeohash(value, level),
      }
    case 'geotile':
      return field.type === 'GEO_SHAPE'
        ? { ...keysOfShapes(kind, grouping, field, mostCells, sql), decode: decodePlace }
        : {
            ...keysOfPoints(grouping, field, sql, ({ key }) => `(${key} >> ${unsigned(tileShift(level))})`),
            ascending: (key) => movedBits(key, tileBits(level)),
            decode: (value) => keyTile(BigInt(String(value)) << BigInt(tileShift(level)), level),
          }
  }
}

/** Throws LIMIT_EXCEEDED in place of the error of a statement that met a shape in too many cells, else the error. */
export function throwGridFault(error: unknown, limits: BucketLimits): never {
  if (error instanceof Error && error.message.includes(TOO_MANY_CELLS)) checkBucketCount(limits.buckets + 1, limits)
  throw error
}

type Keys = Pick<BucketKeySql, 'sqlType' | 'single' | 'several'>

/** The points of a GEO_POINT, or the centroid of a GEO_SHAPE. */
function keysOfPoints(
  { scope }: GridGrouping,
  field: FieldLayout,
  sql: SqlBuilder,
  keyOf: (point: PointSql) => string,
): Keys {
  const keys = { sqlType: 'UBIGINT', single: keyOf(pointColumns(field)) }
  if (!field.several) return keys
  const all = listOf(field)
  const counted = scope ? `list_filter(${all}, lambda p: ${pointInCell(scope, sql)(pointOfList('p'))})` : all
  const list = `list_distinct(list_transform(${counted}, lambda p: ${keyOf(pointOfList('p'))}))`
  return { ...keys, several: { condition: hasSeveral(field), list } }
}

/** A shape whose envelope lies in one cell needs no look at the shape. */
function keysOfShapes(
  kind: 'geohash' | 'geotile',
  { level, scope }: GridGrouping,
  { column }: FieldLayout,
  mostCells: number,
  sql: SqlBuilder,
): Keys {
  const grid = cellGrid(kind, level)
  const range = scope && cellsAround(grid, scope)
  const matcher = sql.match({
    cells: (shape) =>
      shapeCells(shape, grid, mostCells, range)?.map(
        (cell) => (BigInt(cell.column) << BigInt(ROW_BITS)) | BigInt(cell.row),
      ),
  })
  const { key, isApart } = envelopeCell(kind, level, column)
  return {
    sqlType: 'UBIGINT',
    single: key,
    several: { condition: isApart, list: `coalesce(shape_cells(${matcher}, ${column}_wkb), ${FAILURE})` },
  }
}

function decodePlace(value: DuckDBValue): { x: number; y: number } {
  const key = BigInt(String(value))
  return { x: Number(key >> BigInt(ROW_BITS)), y: Number(key & ((1n << BigInt(ROW_BITS)) - 1n)) }
}

/** The hash of the middle of the cell; both ordinates are exact. */
function decodeGeohash(value: DuckDBValue, length: number): BucketKey {
  const { x, y } = decodePlace(value)
  const { columns, rows } = geohashSize(length)
  return geohashOf(((x + 0.5) / columns) * 360 - 180, ((y + 0.5) / rows) * 180 - 90, length)
}

/** From column above row to their bits by turns, the column's first, as the characters of a geohash have them. */
function geohashBits(length: number): [from: number, to: number][] {
  return Array.from({ length: 5 * length }, (_, to) => {
    const fromTop = 5 * length - 1 - to
    const ofColumn = fromTop % 2 === 0
    return [(to >> 1) + (ofColumn ? ROW_BITS : 0), to]
  })
}

/** From the bits of x and y by turns to x above y. */
function tileBits(zoom: number): [from: number, to: number][] {
  return Array.from({ length: 2 * zoom }, (_, from) => [from, (from >> 1) + (from % 2 === 0 ? zoom : 0)])
}
