import fc from 'fast-check'
import { expect, test } from 'vitest'
import { keyTile, mortonKey, mortonKeys, tileKeyRange } from './morton-key.ts'
import { tileBounds, tileOf } from './tile.ts'

test.each<[lon: number, lat: number, z: number, x: number, y: number]>([
  [0, 0, 0, 0, 0],
  [0, 0, 1, 1, 1],
  [0, 0, 2, 2, 2],
  [0, 10, 2, 2, 1],
  [80, 0, 2, 2, 2],
  [90, 0, 2, 3, 2],
  [-180, 90, 29, 0, 0],
  [180, -90, 29, 2 ** 29 - 1, 2 ** 29 - 1],
  [180, 86, 3, 7, 0],
  [-180, -86, 3, 0, 7],
  [0, -1e-300, 1, 1, 1],
])('the tile of %d %d at zoom %d', (lon, lat, z, x, y) => {
  expect(tileOf(lon, lat, z)).toEqual({ x, y })
})

test('bounds of tiles', () => {
  const world = tileBounds(0, 0, 0)
  expect([world.west, world.east]).toEqual([-180, 180])
  expect(world.north).toBeCloseTo(85.0511287798066, 12)
  expect(world.south).toBe(-world.north)
  expect(tileBounds(1, 1, 0)).toEqual({ west: 0, south: 0, east: 180, north: world.north })
})

/** Nine decimals: never so near to an edge that adding 180 moves it across. */
const lon = fc.oneof(
  fc.constantFrom(-180, 180, 0, -0, 90, -90, 45, 179.99999999999997),
  fc.double({ min: -180, max: 180, noNaN: true }).map((x) => Number(x.toFixed(9))),
)
const lat = fc.oneof(
  fc.constantFrom(-90, 90, 0, -0, 85.0511287798066, -85.0511287798066, 66.51326044311186),
  fc.double({ min: -90, max: 90, noNaN: true }),
)

test('a tile of a zoom is one of the four children of the tile above, and holds the point', () => {
  fc.assert(
    fc.property(lon, lat, (x, y) => {
      for (let z = 0; z < 29; z++) {
        const parent = tileOf(x, y, z)
        const child = tileOf(x, y, z + 1)
        expect({ x: child.x >> 1, y: child.y >> 1 }).toEqual(parent)
      }
      const { x: column, y: row } = tileOf(x, y, 12)
      const box = tileBounds(12, column, row)
      expect(x >= box.west && (x < box.east || x === 180)).toBe(true)
      if (Math.abs(y) < 85) expect(y > box.south - 1e-9 && y < box.north + 1e-9).toBe(true)
    }),
  )
})

test('keys and tiles agree at every zoom', () => {
  fc.assert(
    fc.property(lon, lat, (x, y) => {
      const key = mortonKey(x, y)
      expect(key < 1n << 58n).toBe(true)
      expect([...mortonKeys(Float64Array.of(x, 7), Float64Array.of(y, 8))]).toEqual([key, mortonKey(7, 8)])
      for (let z = 0; z <= 29; z++) {
        const tile = tileOf(x, y, z)
        expect(keyTile(key, z)).toEqual(tile)
        const { first, last } = tileKeyRange(z, tile.x, tile.y)
        expect(key >= first && key <= last).toBe(true)
        expect(keyTile(first, z)).toEqual(tile)
        expect(keyTile(last, z)).toEqual(tile)
      }
    }),
  )
})

test('x is in the even bits, and the ranges of a zoom follow each other', () => {
  expect(tileKeyRange(29, 1, 0)).toEqual({ first: 1n, last: 1n })
  expect(tileKeyRange(29, 0, 1)).toEqual({ first: 2n, last: 2n })
  expect(tileKeyRange(0, 0, 0)).toEqual({ first: 0n, last: (1n << 58n) - 1n })
  const ranges = Array.from({ length: 64 }, (_, i) => tileKeyRange(3, i % 8, i >> 3)).sort((a, b) =>
    a.first < b.first ? -1 : 1,
  )
  ranges.forEach((range, i) => {
    expect(range.first).toBe((ranges[i - 1]?.last ?? -1n) + 1n)
  })
})
