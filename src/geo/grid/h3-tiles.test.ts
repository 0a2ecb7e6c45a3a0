import fc from 'fast-check'
import { cellToBoundary, getPentagons, latLngToCell } from 'h3-js'
import { expect, test } from 'vitest'
import { seed } from '../../../test/support/seed.ts'
import { H3_TILES_LATITUDE, MOST_TILES_OF_CELL, tileZoomOfH3 } from './h3-tiles.ts'
import { tileOf } from './tile.ts'

/**
 * Tiles of the corners and of points between them. These are all tiles of the cell, since it is smaller than a tile.
 */
function tilesOf(cell: string, zoom: number): ReadonlySet<string> {
  const corners = cellToBoundary(cell).filter(([lat]) => Math.abs(lat) < H3_TILES_LATITUDE)
  return new Set(
    corners.map(([lat, lon]) => {
      const { x, y } = tileOf(lon, lat, zoom)
      return `${x} ${y}`
    }),
  )
}

test.each(Array.from({ length: 16 }, (_, resolution) => resolution))(
  'a cell of resolution %i has points in four tiles at most',
  (resolution) => {
    const zoom = tileZoomOfH3(resolution)
    for (const cell of getPentagons(resolution)) expect(tilesOf(cell, zoom).size).toBeLessThanOrEqual(4)
    const lat = fc.double({ min: -80, max: 80, noNaN: true })
    const lon = fc.double({ min: -180, max: 180, noNaN: true })
    fc.assert(
      fc.property(lat, lon, (y, x) => {
        expect(tilesOf(latLngToCell(y, x, resolution), zoom).size).toBeLessThanOrEqual(MOST_TILES_OF_CELL)
      }),
      { seed, numRuns: 500 },
    )
  },
)

test('tiles are not much larger than cells', () => {
  expect([5, 10, 15].map(tileZoomOfH3)).toEqual([7, 14, 22])
})
