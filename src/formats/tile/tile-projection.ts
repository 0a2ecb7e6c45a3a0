import { tileColumn, tileRow } from '../../geo/grid/tile.ts'
import type { Position } from '../../model/geometry.ts'

export interface TilePlace {
  readonly z: number
  readonly x: number
  readonly y: number
}

/** Clamps rows beyond the poles of the projection to this many worlds, because infinity cannot be drawn. */
const FARTHEST_ROW = 2

/** Returns the projection from longitude and latitude to tile units, `extent` per side, y downwards. */
export function tileProjection({ z, x, y }: TilePlace, extent: number): (position: Position) => Position {
  const n = 2 ** z
  return ([lon = 0, lat = 0]) => {
    const row = Math.min(1 + FARTHEST_ROW, Math.max(-FARTHEST_ROW, tileRow(lat)))
    return [(tileColumn(lon) * n - x) * extent, (row * n - y) * extent]
  }
}
