import type { Cell } from '../../../geo/grid/cell.ts'
import { geohashPointBox, placeOfCell } from '../../../geo/grid/cell-grid.ts'
import type { HalfOpenBox } from '../../../geo/grid/half-open-box.ts'
import { tileKeyRange } from '../../../geo/grid/morton-key.ts'
import { meetsCell } from '../../../geo/grid/shape-cells.ts'
import type { CellPredicate } from '../../../query/plan/predicate.ts'
import { NUMBER } from '../database/sought-rows.ts'
import type { Seek, SqlBuilder } from '../database/sql-builder.ts'
import { listOf } from '../index/several-values.ts'
import type { FieldLayout } from '../index/table-layout.ts'
import type { IndexTable } from '../table/index-table.ts'
import { testShapes } from './geo-sql.ts'

/** SQL of a point: its columns, or the members of a list element. */
export interface PointSql {
  readonly lon: string
  readonly lat: string
  readonly key: string
}

export function compileCell(
  p: CellPredicate,
  field: FieldLayout,
  { table }: IndexTable,
  sql: SqlBuilder,
  seek: Seek,
): string {
  if (p.by === 'shape') return shapeInCell(p.cell, field.column, table, sql, seek)
  const inside = pointInCell(p.cell, sql)
  const single = inside(pointColumns(field))
  if (!field.several) return single
  return `(${single} OR len(list_filter(${listOf(field)}, lambda p: ${inside(pointOfList('p'))})) > 0)`
}

export const pointColumns = ({ column }: FieldLayout): PointSql => ({
  lon: `${column}_lon`,
  lat: `${column}_lat`,
  key: `${column}_key`,
})

export const pointOfList = (item: string): PointSql => ({
  lon: `${item}.lon`,
  lat: `${item}.lat`,
  key: `${item}.key`,
})

/** Returns the condition that a point lies in a half-open cell. Binds the cell's bounds once. */
export function pointInCell(cell: Cell, sql: SqlBuilder): (point: PointSql) => string {
  if (cell.kind === 'tile') {
    const { first, last } = tileKeyRange(cell.z, cell.x, cell.y)
    const from = sql.bind(first, 'UBIGINT')
    const to = sql.bind(last, 'UBIGINT')
    return ({ key }) => `${key} BETWEEN ${from} AND ${to}`
  }
  const { west, east, held, open } = bindBox(geohashPointBox(cell.hash), sql)
  return ({ lon, lat }) => `(${lon} >= ${west} AND ${lon} < ${east} AND ${lat} >= ${held} AND ${lat} < ${open})`
}

/**
 * The envelope decides if it lies inside or outside the cell. It is a separate condition so that row groups are
 * skipped.
 */
function shapeInCell(cell: Cell, column: string, table: string, sql: SqlBuilder, seek: Seek): string {
  const { meets, lies } = envelopeInCell(cell, column, sql)
  const tested = seek(
    (near, own) => {
      const envelope = envelopeInCell(cell, column, own)
      return [
        `SELECT ${NUMBER}, ${column}_wkb FROM ${table} WHERE ${near} AND ${envelope.meets} AND NOT (${envelope.lies})`,
      ]
    },
    testShapes(meetsCell(cell)),
  )
  return `(${meets} AND ((${lies}) OR ${tested}))`
}

function envelopeInCell(cell: Cell, c: string, sql: SqlBuilder): { readonly meets: string; readonly lies: string } {
  const { grid, range } = placeOfCell(cell)
  const { west, east, held, open } = bindBox(grid.boxOf(range), sql)
  const ownsSouth = cell.kind === 'geohash'
  const rows = ownsSouth
    ? {
        meets: `${c}_south < ${open} AND ${c}_north >= ${held}`,
        lies: `${c}_south >= ${held} AND ${c}_north < ${open}`,
      }
    : {
        meets: `${c}_south <= ${held} AND ${c}_north > ${open}`,
        lies: `${c}_south > ${open} AND ${c}_north <= ${held}`,
      }
  return {
    meets: `${c}_west < ${east} AND ${c}_east >= ${west} AND ${rows.meets}`,
    lies: `${c}_west >= ${west} AND ${c}_east < ${east} AND ${rows.lies}`,
  }
}

function bindBox({ west, east, held, open }: HalfOpenBox, sql: SqlBuilder): Record<keyof HalfOpenBox, string> {
  return {
    west: sql.bind(west, 'DOUBLE'),
    east: sql.bind(east, 'DOUBLE'),
    held: sql.bind(held, 'DOUBLE'),
    open: sql.bind(open, 'DOUBLE'),
  }
}
