import type { Box } from '../../../geo/area.ts'
import { type Cell, cellBounds } from '../../../geo/grid/cell.ts'
import { LATITUDE_QUANTUM, LONGITUDE_QUANTUM, storedLatitude } from './geo-quantum.ts'

/**
 * The inclusive box of what a cluster stores of the places in a cell: moved inside by one quantum where an edge does not
 * belong to the cell. Every stored place lies in the box of exactly one cell of a level. Only the rows of tiles have edges
 * between two quanta; what is stored of such an edge lies in the cell that owns it.
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

/** The formula of the edges misses the equator by its rounding. */
const rowEdge = (z: number, row: number, latitude: number): number => (2 * row === 2 ** z ? 0 : latitude)
