import fc from 'fast-check'
import { expect, test } from 'vitest'
import { geohashBounds, geohashCentre, geohashOf } from './geohash.ts'

test.each<[lon: number, lat: number, hash: string]>([
  [0, 0, 's'],
  [-1, 0, 'e'],
  [0, -1, 'k'],
  [180, 90, 'zzzzzzzzzzzz'],
  [-180, -90, '000000000000'],
  [10.40744, 57.64911, 'u4pruydqqvj8'],
  [-5.6, 42.6, 'ezs42'],
])('the cell of %d %d is %s', (lon, lat, hash) => {
  expect(geohashOf(lon, lat, hash.length)).toBe(hash)
})

test('bounds and centre', () => {
  expect(geohashBounds('s')).toEqual({ west: 0, south: 0, east: 45, north: 45 })
  expect(geohashBounds('S')).toEqual(geohashBounds('s'))
  expect(geohashCentre('s')).toEqual([22.5, 22.5])
  for (const text of ['', 'a', 'i', 'l', 'o', 's1!', '0000000000000']) expect(geohashBounds(text)).toBeUndefined()
})

/** Nine decimals: never so near to an edge that adding 180 moves it across. */
const decimal = (max: number): fc.Arbitrary<number> =>
  fc.double({ min: -max, max, noNaN: true }).map((x) => Number(x.toFixed(9)))

test('a cell holds its point, its centre has the same hash, and shorter hashes are prefixes', () => {
  const lon = fc.oneof(fc.constantFrom(-180, 180, 0, 45), decimal(180))
  const lat = fc.oneof(fc.constantFrom(-90, 90, 0, 45), decimal(90))
  fc.assert(
    fc.property(lon, lat, fc.integer({ min: 1, max: 12 }), (x, y, length) => {
      const hash = geohashOf(x, y, length)
      expect(geohashOf(x, y, 12).slice(0, length)).toBe(hash)
      const box = geohashBounds(hash)
      if (!box) throw new Error(`no bounds of ${hash}`)
      expect(x >= box.west && (x < box.east || x === 180)).toBe(true)
      expect(y >= box.south && (y < box.north || y === 90)).toBe(true)
      const [cx = 0, cy = 0] = geohashCentre(hash) ?? []
      expect(geohashOf(cx, cy, length)).toBe(hash)
    }),
  )
})
