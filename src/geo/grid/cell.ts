import type { Box } from '../area.ts'
import { geohashBounds, geohashOf } from '../geohash.ts'
import { tileBounds, tileOf } from './tile.ts'

/** A half-open cell of a grid: every point lies in exactly one cell of a level (spec 2.5 of aggregations). */
export type Cell =
  | { readonly kind: 'tile'; readonly z: number; readonly x: number; readonly y: number }
  /** 1 to 12 characters, lower case. */
  | { readonly kind: 'geohash'; readonly hash: string }

/** Returns the closed box around a cell; which of its edges belong to the cell depends on the grid. */
export function cellBounds(cell: Cell): Box {
  if (cell.kind === 'tile') return tileBounds(cell.z, cell.x, cell.y)
  const box = geohashBounds(cell.hash)
  if (box === undefined) throw new Error(`${cell.hash} is not a geohash`)
  return box
}

/** Returns a test whether a point lies in a half-open cell, by the grid formulas (spec 2.5 of aggregations). */
export function pointInCell(cell: Cell): (lon: number, lat: number) => boolean {
  if (cell.kind === 'geohash') return (lon, lat) => geohashOf(lon, lat, cell.hash.length) === cell.hash
  return (lon, lat) => {
    const { x, y } = tileOf(lon, lat, cell.z)
    return x === cell.x && y === cell.y
  }
}

/** Name of a cell in paths and responses: `z/x/y`, or the geohash. */
export const cellName = (cell: Cell): string => (cell.kind === 'tile' ? `${cell.z}/${cell.x}/${cell.y}` : cell.hash)
