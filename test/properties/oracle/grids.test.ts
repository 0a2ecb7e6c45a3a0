import { describe, expect, test } from 'vitest'
import { boundsOf, cellName, cellOfPoint, cellsOfBox, overlap, type SquareCell } from './grids.ts'

describe('the plain cells that the server is compared with', () => {
  test.each([
    ['geohash', 5, [-5.6, 42.6], 'ezs42'],
    ['geohash', 11, [10.40744, 57.64911], 'u4pruydqqvj'],
    ['geohash', 1, [0, 0], 's'],
    ['geohash', 1, [180, 90], 'z'],
    ['geohash', 1, [-180, -90], '0'],
    ['geotile', 1, [0, 0], '1/1/1'],
    ['geotile', 2, [180, 90], '2/3/0'],
    ['geotile', 2, [-180, -90], '2/0/3'],
    ['geotile', 3, [13.4, 52.5], '3/4/2'],
    ['geohex', 0, [0, 80], '8001fffffffffff'],
  ] as const)('%s %d of %j is %s', (grid, level, point, expected) => {
    expect(cellName(cellOfPoint(grid, level, point))).toBe(expected)
  })

  test('a box that touches an edge is in the cell that owns the edge', () => {
    const names = (grid: SquareCell['grid'], south: number, north: number): string[] =>
      cellsOfBox(grid, 1, { west: 1, south, east: 2, north }).map(cellName)
    expect(names('geotile', -1, 0)).toEqual(['1/1/1'])
    expect(names('geotile', 0, 1)).toEqual(['1/1/0', '1/1/1'])
    expect(names('geohash', -1, 0)).toEqual(['k', 's'])
    expect(names('geohash', 0, 1)).toEqual(['s'])
  })

  test('bounds and overlaps', () => {
    const tile: SquareCell = { grid: 'geotile', level: 1, x: 1, y: 1 }
    expect(boundsOf(tile).south).toBeCloseTo(-85.0511287798066, 10)
    expect(overlap(tile, { grid: 'geotile', level: 3, x: 7, y: 4 })).toBe(true)
    expect(overlap(tile, { grid: 'geotile', level: 3, x: 3, y: 4 })).toBe(false)
  })
})
