import { describe, expect, it } from 'vitest'
import type { Box } from '../../../geo/area.ts'
import { geohashOf } from '../../../geo/geohash.ts'
import type { Cell } from '../../../geo/grid/cell.ts'
import { tileOf } from '../../../geo/grid/tile.ts'
import { cellBox } from './cell-query.ts'
import { LATITUDE_QUANTUM, LONGITUDE_QUANTUM, storedBox, storedLatitude, storedLongitude } from './geo-quantum.ts'

/**
 * Models the behaviour of a cluster: it rounds stored coordinates and the east and north of a box down, the west and
 * south up.
 */
function clusterHolds(box: Box, lon: number, lat: number): boolean {
  const x = storedLongitude(lon)
  const y = storedLatitude(lat)
  const west = Math.ceil(box.west / LONGITUDE_QUANTUM) * LONGITUDE_QUANTUM
  const south = Math.ceil(box.south / LATITUDE_QUANTUM) * LATITUDE_QUANTUM
  return x >= west && x <= storedLongitude(box.east) && y >= south && y <= storedLatitude(box.north)
}

const longitudes = [-180, -179.9999999, -90, -11.25, -1e-9, 0, 1e-9, 0.3515625, 45, 123.456789, 179.99999999, 180]
const latitudes = [-90, -89.9, -85.06, -66.51326, -45, -1e-9, 0, 1e-9, 5.625, 40.979898, 66.6, 85.06, 90]
const places = longitudes.flatMap((lon) => latitudes.map((lat) => [lon, lat] as const))

describe('cellBox', () => {
  it.each([0, 1, 2, 3, 7, 15, 22, 29])('holds what is stored of every place of its tile at zoom %i', (z) => {
    for (const [lon, lat] of places) {
      const cell: Cell = { kind: 'tile', z, ...tileOf(storedLongitude(lon), storedLatitude(lat), z) }
      expect([lon, lat, clusterHolds(cellBox(cell), lon, lat)]).toEqual([lon, lat, true])
    }
  })

  it.each([1, 2, 5, 6, 11, 12])('holds what is stored of every place of its geohash of length %i', (length) => {
    for (const [lon, lat] of places) {
      const hash = geohashOf(storedLongitude(lon), storedLatitude(lat), length)
      expect([lon, lat, clusterHolds(cellBox({ kind: 'geohash', hash }), lon, lat)]).toEqual([lon, lat, true])
    }
  })

  it('puts every place in one tile of a zoom', () => {
    const z = 3
    const tiles = Array.from({ length: 64 }, (_, i) => cellBox({ kind: 'tile', z, x: i % 8, y: Math.floor(i / 8) }))
    for (const [lon, lat] of places) expect(tiles.filter((box) => clusterHolds(box, lon, lat))).toHaveLength(1)
  })

  it('gives the equator to the southern tile', () => {
    expect(clusterHolds(cellBox({ kind: 'tile', z: 1, x: 1, y: 1 }), 10, 0)).toBe(true)
    expect(clusterHolds(cellBox({ kind: 'tile', z: 1, x: 1, y: 0 }), 10, 0)).toBe(false)
  })
})

describe('storedBox', () => {
  it.each([
    { west: 0.1, south: 0.2, east: 0.3, north: 0.4 },
    { west: -0.1, south: -0.2, east: -0.1, north: 0.7 },
    { west: 180, south: -90, east: 180, north: 90 },
    { west: -180, south: 89.99999999, east: -180, north: 90 },
    { west: -180, south: -90, east: 180, north: 90 },
  ])('holds the corners of %j and has a size', (box) => {
    const stored = storedBox(box)
    expect(stored.west).toBeLessThan(stored.east)
    expect(stored.south).toBeLessThan(stored.north)
    expect(Math.max(Math.abs(stored.west), Math.abs(stored.east))).toBeLessThanOrEqual(180)
    for (const lon of [box.west, box.east]) {
      for (const lat of [box.south, box.north]) expect(clusterHolds(stored, lon, lat)).toBe(true)
    }
    expect(clusterHolds(stored, Math.max(-180, box.west - 1e-6), box.south)).toBe(box.west === -180)
  })
})
