import type { Box } from '../../../geo/area.ts'
import { type Cell, cellBounds } from '../../../geo/grid/cell.ts'
import { LATITUDE_QUANTUM, LONGITUDE_QUANTUM, storedLatitude } from './geo-quantum.ts'

/**
 * Returns the inclusive box of the stored coordinates of a cell. An edge that does not belong to the cell is moved
 * inwards by one quantum, so that every stored point is in the box of exactly one cell per level. Only tile rows have
 * edges between two quanta; the stored value of such an edge lies in the cell that owns it.
 */
export function cellBox(cell: Cell): Box {
  const { west, south, east, north } = cellBounds(cell)
  const columns = { west, east: east >= 180 ? 180 : east - LONGITUDE_QUANTUM }
  if (cell.kind === 'geohash') return { ...columns, south, north: north >= 90 ? 90 : north - LATITUDE_QUANTUM }
  const isLast = cell.y === 2 ** cell.z - 1
  return {
    ...columns,
    south: isLast ? -90 : storedLatitude(rowEdge(cell.z, cell.y + 1, south)) + LATITUDE_QUANTUM,
    north: cell.y === 0 ? 90 : storedLatitude(rowEdge(cell.z, cell.y, north)),
  }
}

/** The formula for tile edges does not yield exactly 0 at the equator. */
const rowEdge = (z: number, row: number, latitude: number): number => (2 * row === 2 ** z ? 0 : latitude)
