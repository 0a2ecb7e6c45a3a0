import { type Cell, cellBounds } from '../../geo/cell.ts'
import { tileKeyRange } from '../../geo/morton-key.ts'
import type { CellPredicate } from '../../query/predicate.ts'
import type { SqlBuilder } from './sql-builder.ts'
import type { FieldLayout } from './table-layout.ts'

/** A place of the SQL of a point: its columns, or the members of a list's element. */
interface PointSql {
  readonly lon: string
  readonly lat: string
  readonly key: string
}

export function compileCell(p: CellPredicate, field: FieldLayout, sql: SqlBuilder): string {
  if (p.by === 'shape') throw new Error('shapes in cells are not compiled yet')
  const inside = pointInCell(p.cell, sql)
  const c = field.column
  const single = inside({ lon: `${c}_lon`, lat: `${c}_lat`, key: `${c}_key` })
  if (!field.several) return single
  return `(${single} OR len(list_filter(${c}_all, lambda p: ${inside({ lon: 'p.lon', lat: 'p.lat', key: 'p.key' })})) > 0)`
}

/** The condition that a point lies in a half-open cell; binds the cell's bounds once. */
export function pointInCell(cell: Cell, sql: SqlBuilder): (point: PointSql) => string {
  if (cell.kind === 'tile') {
    const { first, last } = tileKeyRange(cell.z, cell.x, cell.y)
    const from = sql.bind(first, 'UBIGINT')
    const to = sql.bind(last, 'UBIGINT')
    return ({ key }) => `${key} BETWEEN ${from} AND ${to}`
  }
  const box = cellBounds(cell)
  const bound = (value: number): string => sql.bind(value, 'DOUBLE')
  const [west, south, east, north] = [bound(box.west), bound(box.south), bound(box.east), bound(box.north)]
  // 180 and 90 belong to the last column and row.
  const before = (edge: number, last: number): string => (edge === last ? '<=' : '<')
  return ({ lon, lat }) =>
    `(${lon} >= ${west} AND ${lon} ${before(box.east, 180)} ${east} AND ${lat} >= ${south} AND ${lat} ${before(box.north, 90)} ${north})`
}
