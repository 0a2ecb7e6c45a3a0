import { describe, expect, test } from 'vitest'
import type { Position } from '../../model/geometry.ts'
import type { Shape } from '../shape/shape.ts'
import type { Cell } from './cell.ts'
import { cellGrid } from './cell-grid.ts'
import { box, cellsOf, LIMIT, shapeOf } from './shape-cells.fixture.ts'
import { meetsCell, shapeCells } from './shape-cells.ts'

const polygon = (...rings: (readonly Position[])[]): Shape => shapeOf({ type: 'Polygon', coordinates: rings })
const line = (...coordinates: Position[]): Shape => shapeOf({ type: 'LineString', coordinates })

describe('edges belong to one cell', () => {
  test('a box that ends at the equator and the prime meridian', () => {
    // Tiles own their northern and western edges, geohashes their southern and western ones.
    expect(cellsOf(polygon(box(-10, -10, 0, 0)), 'geotile', 1)).toEqual(['0/1', '1/1'])
    expect(cellsOf(polygon(box(0, 0, 10, 10)), 'geotile', 1)).toEqual(['1/0', '1/1'])
    expect(cellsOf(polygon(box(-10, -10, 0, 0)), 'geohash', 1)).toEqual(['3/1', '3/2', '4/1', '4/2'])
    expect(cellsOf(polygon(box(0, 0, 10, 10)), 'geohash', 1)).toEqual(['4/2'])
  })

  test('a line from corner to corner stays in the cells of the diagonal', () => {
    expect(cellsOf(line([-90, -90], [90, 90]), 'geohash', 1)).toEqual(['2/0', '3/1', '4/2', '5/3', '6/3'])
    // A falling line meets, at every corner, the cell that owns the corner.
    expect(cellsOf(line([-45, 45], [45, -45]), 'geohash', 1)).toEqual(['3/2', '3/3', '4/1', '4/2', '5/1'])
    expect(cellsOf(line([-10, 10], [10, -10]), 'geotile', 1)).toEqual(['0/0', '1/1'])
    expect(cellsOf(line([-10, -10], [10, 10]), 'geotile', 1)).toEqual(['0/1', '1/0', '1/1'])
  })

  test('the end of the world is in the last cells, what lies beyond mercator in the outer rows', () => {
    expect(cellsOf(line([180, 80], [180, 90]), 'geotile', 2)).toEqual(['3/0'])
    expect(cellsOf(line([-180, -90], [-170, -86]), 'geotile', 2)).toEqual(['0/3'])
    expect(cellsOf(line([180, 80], [180, 90]), 'geohash', 1)).toEqual(['7/3'])
    expect(cellsOf(polygon(box(-180, -90, 180, 90)), 'geotile', 2)).toHaveLength(16)
    expect(cellsOf(polygon(box(-180, -90, 180, 90)), 'geohash', 1)).toHaveLength(32)
  })

  test('a shape across the antimeridian is in cells on both sides', () => {
    expect(cellsOf(polygon(box(175, -5, 185, 5)), 'geotile', 1)).toEqual(['0/0', '0/1', '1/0', '1/1'])
    expect(cellsOf(polygon(box(175, 1, 185, 5)), 'geohash', 1)).toEqual(['0/2', '7/2'])
  })
})

describe('what belongs to a shape', () => {
  test('a hole does not, its edge does', () => {
    const ring = polygon(box(-44, -44, 89, 89), box(-40, -40, 88, 88))
    expect(cellsOf(ring, 'geohash', 1)).toHaveLength(8)
    // The western edge of this hole is that of column 17, which owns it.
    const around = polygon(box(0.5, 0.5, 44.5, 44.5), box(11.25, 5.625, 33.75, 39.375))
    const cells = cellsOf(around, 'geohash', 2)
    expect(cells).toContain('17/17')
    expect(cells).toContain('17/18')
    expect(cells).not.toContain('18/18')
    expect(cells).toContain('19/18')
    expect(cells).toContain('17/23')
  })

  test('a ring that goes forth and back is not the box around it', () => {
    const elbow = polygon([
      [1, 1],
      [130, 1],
      [1, 1],
      [1, 80],
      [1, 1],
    ])
    expect(cellsOf(elbow, 'geohash', 1)).toEqual(['4/2', '4/3', '5/2', '6/2'])
  })

  test('a polygon around a whole cell', () => {
    expect(cellsOf(polygon(box(-50, -50, 100, 50)), 'geohash', 1)).toContain('4/2')
    expect(meetsCell({ kind: 'geohash', hash: 's0' })(polygon(box(-50, -50, 100, 50)))).toBe(true)
    expect(meetsCell({ kind: 'tile', z: 8, x: 140, y: 120 })(polygon(box(-50, -50, 100, 50)))).toBe(true)
    expect(meetsCell({ kind: 'tile', z: 8, x: 10, y: 120 })(polygon(box(-50, -50, 100, 50)))).toBe(false)
  })

  test('points and lines of a collection, each cell once', () => {
    const mixed = shapeOf({
      type: 'GeometryCollection',
      geometries: [
        {
          type: 'MultiPoint',
          coordinates: [
            [10, 10],
            [11, 11],
            [-100, 50],
          ],
        },
        {
          type: 'LineString',
          coordinates: [
            [10, 10],
            [50, 10],
          ],
        },
        { type: 'Polygon', coordinates: [box(5, 5, 12, 12)] },
      ],
    })
    expect(cellsOf(mixed, 'geohash', 1)).toEqual(['1/3', '4/2', '5/2'])
  })
})

describe('limits', () => {
  test('as many cells as allowed, not one more', () => {
    const grid = cellGrid('geotile', 3)
    const world = polygon(box(-180, -90, 180, 90))
    expect(shapeCells(world, grid, 64)).toHaveLength(64)
    expect(shapeCells(world, grid, 63)).toBeUndefined()
  })

  test.each<[name: string, shape: Shape]>([
    ['the world', polygon(box(-180, -90, 180, 90))],
    ['a line around it', line([-180, -80], [180, 80])],
    [
      'a spike',
      polygon([
        [-170, 0],
        [170, 1e-9],
        [-170, 2e-9],
        [-170, 0],
      ]),
    ],
    ['a star', polygon(star(1000))],
    ['a thousand holes', polygon(box(-90, -60, 90, 60), ...holes(1000))],
  ])('%s at the finest levels is given up soon', (_name, shape) => {
    expect(shapeCells(shape, cellGrid('geotile', 29), LIMIT)).toBeUndefined()
    expect(shapeCells(shape, cellGrid('geohash', 12), LIMIT)).toBeUndefined()
  })

  test('a huge shape is no more work than the cells asked for', () => {
    const scope: Cell = { kind: 'tile', z: 20, x: 524_288, y: 524_287 }
    expect(cellsOf(polygon(star(10_000)), 'geotile', 24, scope)).toHaveLength(256)
    expect(cellsOf(polygon(box(-180, -90, 180, 90)), 'geotile', 23, scope)).toHaveLength(64)
  })

  test('shapes without size', () => {
    expect(
      cellsOf(
        shapeOf({
          type: 'Polygon',
          coordinates: [
            [
              [3, 3],
              [3, 3],
              [3, 3],
              [3, 3],
            ],
          ],
        }),
        'geotile',
        29,
      ),
    ).toHaveLength(1)
    expect(cellsOf(line([3, 3], [3, 3]), 'geohash', 12)).toHaveLength(1)
    expect(
      cellsOf(
        polygon([
          [0, 1],
          [5, 1],
          [9, 1],
          [0, 1],
        ]),
        'geohash',
        1,
      ),
    ).toEqual(['4/2'])
  })
})

function star(points: number): Position[] {
  const ring = Array.from({ length: points }, (_, i): Position => {
    const angle = (2 * Math.PI * i) / points
    const radius = i % 2 === 0 ? 80 : 40
    return [radius * 2 * Math.cos(angle), radius * Math.sin(angle)]
  })
  return [...ring, ring[0] ?? []]
}

function holes(count: number): Position[][] {
  return Array.from({ length: count }, (_, i) => {
    const west = -85 + (i % 40) * 4
    const south = -55 + Math.floor(i / 40) * 4
    return box(west, south, west + 2, south + 2)
  })
}
