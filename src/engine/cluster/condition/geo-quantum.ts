import type { Box } from '../../../geo/area.ts'

/** Degrees. A cluster stores coordinates as multiples of these, rounded down; 180 and 90 as the last multiple below. */
export const LONGITUDE_QUANTUM = 360 / 2 ** 32
export const LATITUDE_QUANTUM = 180 / 2 ** 32

export const storedLongitude = (lon: number): number =>
  lon >= 180 ? 180 - LONGITUDE_QUANTUM : Math.floor(lon / LONGITUDE_QUANTUM) * LONGITUDE_QUANTUM

export const storedLatitude = (lat: number): number =>
  lat >= 90 ? 90 - LATITUDE_QUANTUM : Math.floor(lat / LATITUDE_QUANTUM) * LATITUDE_QUANTUM

/**
 * Returns the box of the stored coordinates of all points in `box`. Clusters reject boxes of zero width or height, so
 * those are enlarged by less than a quantum.
 */
export function storedBox({ west, south, east, north }: Box): Box {
  const stored = { west: storedLongitude(west), south: storedLatitude(south) }
  return {
    ...stored,
    east: east > stored.west ? east : stored.west + LONGITUDE_QUANTUM / 2,
    north: north > stored.south ? north : stored.south + LATITUDE_QUANTUM / 2,
  }
}
