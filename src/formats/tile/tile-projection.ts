import { tileColumn, tileRow } from '../../geo/grid/tile.ts'
import type { Position } from '../../model/geometry.ts'

export interface TilePlace {
  readonly z: number
  readonly x: number
  readonly y: number
}

/** Rows beyond the poles of the projection are this many worlds away and no farther: infinity cannot be drawn. */
const FARTHEST_ROW = 2

/** From longitude and latitude to the units of a tile, `extent` of them on each side, y downwards. */
export function tileProjection({ z, x, y }: TilePlace, extent: number): (position: Position) => Position {
  const n = 2 ** z
  return ([lon = 0, lat = 0]) => {
    const row = Math.min(1 + FARTHEST_ROW, Math.max(-FARTHEST_ROW, tileRow(lat)))
    return [(tileColumn(lon) * n - x) * extent, (row * n - y) * extent]
  }
}
