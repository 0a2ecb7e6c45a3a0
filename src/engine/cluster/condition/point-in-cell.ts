import { geohashOf } from '../../../geo/geohash.ts'
import type { Cell } from '../../../geo/grid/cell.ts'
import { tileOf } from '../../../geo/grid/tile.ts'

/** The test whether a place lies in a half-open cell, by the formulas of the grids (spec 2.5 of aggregations). */
export function pointInCell(cell: Cell): (lon: number, lat: number) => boolean {
  if (cell.kind === 'geohash') return (lon, lat) => geohashOf(lon, lat, cell.hash.length) === cell.hash
  return (lon, lat) => {
    const { x, y } = tileOf(lon, lat, cell.z)
    return x === cell.x && y === cell.y
  }
}
