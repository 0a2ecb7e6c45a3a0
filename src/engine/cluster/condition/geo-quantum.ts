import type { Box } from '../../../geo/area.ts'

/** A cluster stores a place as multiples of these, rounded down; 180 and 90 as the last ones below. */
export const LONGITUDE_QUANTUM = 360 / 2 ** 32
export const LATITUDE_QUANTUM = 180 / 2 ** 32

export const storedLongitude = (lon: number): number =>
  lon >= 180 ? 180 - LONGITUDE_QUANTUM : Math.floor(lon / LONGITUDE_QUANTUM) * LONGITUDE_QUANTUM

export const storedLatitude = (lat: number): number =>
  lat >= 90 ? 90 - LATITUDE_QUANTUM : Math.floor(lat / LATITUDE_QUANTUM) * LATITUDE_QUANTUM

/**
 * The box that holds what is stored of every place in `box`. It always has a width and a height, less than a quantum
 * more where there was none: clusters refuse boxes without.
 */
export function storedBox({ west, south, east, north }: Box): Box {
  const stored = { west: storedLongitude(west), south: storedLatitude(south) }
  return {
    ...stored,
    east: east > stored.west ? east : stored.west + LONGITUDE_QUANTUM / 2,
    north: north > stored.south ? north : stored.south + LATITUDE_QUANTUM / 2,
  }
}
