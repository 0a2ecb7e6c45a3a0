import type { DuckDBValue } from '@duckdb/node-api'
import { geohashOf } from '../../../geo/geohash.ts'
import { cellGrid, cellsAround, geohashSize } from '../../../geo/grid/cell-grid.ts'
import { h3LocatorOf } from '../../../geo/grid/h3-locators.ts'
import { keyTile, tileShift } from '../../../geo/grid/morton-key.ts'
import { shapeCells } from '../../../geo/grid/shape-cells.ts'
import type { BucketKey } from '../../../query/aggregation/bucket.ts'
import { checkBucketCount } from '../../../query/aggregation/bucket-limits.ts'
import type { GridGrouping } from '../../../query/plan/aggregation-plan.ts'
import { type PointSql, pointColumns, pointInCell, pointOfList } from '../condition/cell-sql.ts'
import { shapeIn } from '../condition/geo-sql.ts'
import { envelopeCell, geohashCell, movedBits, ROW_BITS, unsigned } from '../condition/grid-sql.ts'
import { NUMBER } from '../database/sought-rows.ts'
import type { SqlBuilder } from '../database/sql-builder.ts'
import { doublesOf } from '../database/vector-items.ts'
import { hasSeveral, listOf } from '../index/several-values.ts'
import type { FieldLayout } from '../index/table-layout.ts'
import type { BucketKeySql } from './bucket-key.ts'

/** Compiles the grid cells a row lies in. Throws LIMIT_EXCEEDED if a shape lies in more than `mostCells`. */
export function compileGridKey(
  grouping: GridGrouping,
  field: FieldLayout,
  mostCells: number,
  sql: SqlBuilder,
): BucketKeySql {
  const { kind, level } = grouping
  switch (kind) {
    case 'geohex':
      return { ...hexagonsOf(grouping, field, mostCells), decode: (value) => BigInt(String(value)).toString(16) }
    case 'geohash':
      return {
        ...(field.type === 'GEO_SHAPE'
          ? keysOfShapes(kind, grouping, field, mostCells)
          : keysOfPoints(grouping, field, sql, ({ lon, lat }) => geohashCell(lon, lat, level))),
        ascending: (key) => movedBits(key, geohashBits(level)),
        decode: (value) => decodeGeohash(value, level),
      }
    case 'geotile':
      return field.type === 'GEO_SHAPE'
        ? { ...keysOfShapes(kind, grouping, field, mostCells), decode: decodePlace }
        : {
            ...keysOfPoints(grouping, field, sql, ({ key }) => `(${key} >> ${unsigned(tileShift(level))})`),
            ascending: (key) => movedBits(key, tileBits(level)),
            decode: (value) => keyTile(BigInt(String(value)) << BigInt(tileShift(level)), level),
          }
  }
}

type Keys = Pick<BucketKeySql, 'sqlType' | 'single' | 'several' | 'sought'>

/** Keys of the points of a GEO_POINT, or of the centroid of a GEO_SHAPE. */
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

/** H3 cells of the same points, computed by a library. */
function hexagonsOf({ level, scope }: GridGrouping, field: FieldLayout, mostCells: number): Keys {
  const { lon, lat } = pointColumns(field)
  return {
    sqlType: 'UBIGINT',
    single: 'CAST(NULL AS UBIGINT)',
    sought: {
      condition: 'TRUE',
      several: field.several,
      rows: (relation, condition, sql) => {
        const isSingle = field.several ? ` AND NOT (${hasSeveral(field)})` : ''
        const single = `SELECT ${NUMBER}, ${lon}, ${lat} FROM ${relation} WHERE ${condition} AND ${lon} IS NOT NULL${isSingle}`
        if (!field.several) return [single]
        const all = `SELECT _seq, unnest(${listOf(field)}) AS p FROM ${relation} WHERE ${condition} AND ${hasSeveral(field)}`
        const counted = scope ? pointInCell(scope, sql)(pointOfList('p')) : 'TRUE'
        return [single, `SELECT ${NUMBER}, p.lon, p.lat FROM (${all}) WHERE ${counted}`]
      },
      keys: (chunk) => {
        const [lons, lats] = [doublesOf(chunk.getColumnVector(1)), doublesOf(chunk.getColumnVector(2))]
        const locator = h3LocatorOf(level)
        return (row, take) => take(locator.locate(lons[row] ?? 0, lats[row] ?? 0))
      },
      refuse: () => checkBucketCount(mostCells + 1, { buckets: mostCells }),
    },
  }
}

/** Only shapes whose envelope spans several cells are decoded. The others have the cell of their envelope as key. */
function keysOfShapes(
  kind: 'geohash' | 'geotile',
  { level, scope }: GridGrouping,
  { column }: FieldLayout,
  mostCells: number,
): Keys {
  const grid = cellGrid(kind, level)
  const range = scope && cellsAround(grid, scope)
  const { key, isApart } = envelopeCell(kind, level, column)
  const refuse = (): void => checkBucketCount(mostCells + 1, { buckets: mostCells })
  return {
    sqlType: 'UBIGINT',
    single: key,
    sought: {
      condition: isApart,
      several: true,
      rows: (relation, condition) => [
        `SELECT ${NUMBER}, ${column}_wkb FROM ${relation} WHERE ${condition} AND ${isApart}`,
      ],
      keys: (chunk) => {
        const shapes = chunk.getColumnVector(1)
        return (row, take) => {
          const shape = shapeIn(shapes, row)
          const cells = shape ? shapeCells(shape, grid, mostCells, range) : []
          if (!cells) refuse()
          for (const cell of cells ?? []) take((BigInt(cell.column) << BigInt(ROW_BITS)) | BigInt(cell.row))
        }
      },
      refuse,
    },
  }
}

function decodePlace(value: DuckDBValue): { x: number; y: number } {
  const key = BigInt(String(value))
  return { x: Number(key >> BigInt(ROW_BITS)), y: Number(key & ((1n << BigInt(ROW_BITS)) - 1n)) }
}

/** Returns the geohash of the cell's centre. Both coordinates are exact in a double. */
function decodeGeohash(value: DuckDBValue, length: number): BucketKey {
  const { x, y } = decodePlace(value)
  const { columns, rows } = geohashSize(length)
  return geohashOf(((x + 0.5) / columns) * 360 - 180, ((y + 0.5) / rows) * 180 - 90, length)
}

/** Bit moves from column-above-row to interleaved bits, column first, as in the characters of a geohash. */
function geohashBits(length: number): [from: number, to: number][] {
  return Array.from({ length: 5 * length }, (_, to) => {
    const fromTop = 5 * length - 1 - to
    const ofColumn = fromTop % 2 === 0
    return [(to >> 1) + (ofColumn ? ROW_BITS : 0), to]
  })
}

/** Bit moves from the interleaved bits of x and y to x above y. */
function tileBits(zoom: number): [from: number, to: number][] {
  return Array.from({ length: 2 * zoom }, (_, from) => [from, (from >> 1) + (from % 2 === 0 ? zoom : 0)])
}
