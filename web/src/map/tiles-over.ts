import type { Box } from './area.ts'

interface TileId {
  readonly x: number
  readonly y: number
  readonly z: number
}

/** Web Mercator ends here. Degrees. */
const MOST_LAT = 85.0511

/** Most tiles that are named. */
const MOST_TILES = 64

/**
 * Returns the tiles of a zoom, and of those around it that may still be drawn, that meet a box. Undefined if they are
 * nearly all of a view.
 */
export function tilesOver({ west, south, east, north }: Box, zoom: number): readonly TileId[] | undefined {
  const found: TileId[] = []
  const now = Math.max(0, Math.min(20, Math.floor(zoom)))
  for (const z of [now - 1, now, now + 1]) {
    if (z < 0 || z > 20) continue
    const count = 2 ** z
    const column = (lng: number): number => Math.max(0, Math.min(count - 1, Math.floor(((lng + 180) / 360) * count)))
    const [left, right, top, bottom] = [column(west), column(east), row(north, count), row(south, count)]
    if ((right - left + 1) * (bottom - top + 1) > MOST_TILES) return undefined
    for (let x = left; x <= right; x++) for (let y = top; y <= bottom; y++) found.push({ x, y, z })
  }
  return found
}

function row(lat: number, count: number): number {
  const angle = (Math.max(-MOST_LAT, Math.min(MOST_LAT, lat)) * Math.PI) / 180
  const y = (1 - Math.asinh(Math.tan(angle)) / Math.PI) / 2
  return Math.max(0, Math.min(count - 1, Math.floor(y * count)))
}
