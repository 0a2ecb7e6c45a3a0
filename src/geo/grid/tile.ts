import type { Box } from '../area.ts'

export interface Tile {
  readonly x: number
  readonly y: number
}

/** Returns the web-mercator tile of a point (spec 2.3.4), clamped. Only west and north edges belong to a tile. */
export function tileOf(lon: number, lat: number, z: number): Tile {
  const n = 2 ** z
  return { x: clampTile(tileColumn(lon) * n, n), y: clampTile(tileRow(lat) * n, n) }
}

/** Returns the box of a tile; its east and south edges belong to its neighbours. */
export function tileBounds(z: number, x: number, y: number): Box {
  const n = 2 ** z
  return {
    west: (x / n) * 360 - 180,
    south: latitudeOfRow((y + 1) / n),
    east: ((x + 1) / n) * 360 - 180,
    north: latitudeOfRow(y / n),
  }
}

/** Longitude as a fraction of the width of the world, from the west. */
export function tileColumn(lon: number): number {
  return (lon + 180) / 360
}

/** Latitude as a fraction of the height of the world, from the north; infinite at the poles. */
export function tileRow(lat: number): number {
  const sine = Math.sin((lat * Math.PI) / 180)
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)
}

export function clampTile(position: number, n: number): number {
  const whole = Math.floor(position)
  return whole < 0 ? 0 : whole >= n ? n - 1 : whole
}

function latitudeOfRow(fraction: number): number {
  return (Math.atan(Math.sinh(Math.PI * (1 - 2 * fraction))) * 180) / Math.PI
}
