import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Geometry, Position } from '../../model/geometry.ts'
import { prepareArea } from '../area/prepared-area.ts'
import type { Box } from '../area.ts'
import { geohashOf } from '../geohash.ts'
import type { Shape } from '../shape/shape.ts'
import type { Cell } from './cell.ts'
import { cellGrid, cellsAround, type GridKind, geohashSize } from './cell-grid.ts'
import { box, cellsOf, shapeOf } from './shape-cells.fixture.ts'
import { meetsCell, shapeCells } from './shape-cells.ts'
import { tileOf } from './tile.ts'

const sizeOf = (kind: GridKind, level: number): { columns: number; rows: number } =>
  kind === 'geohash' ? geohashSize(level) : { columns: 2 ** level, rows: 2 ** level }

/** The northern edge of a row of tiles. */
const northOf = (zoom: number, row: number): number =>
  cellGrid('geotile', zoom).boxOf({ firstColumn: 0, lastColumn: 0, firstRow: row, lastRow: row }).held

const coordinate = (kind: GridKind, span: number): fc.Arbitrary<number> => {
  const edges = fc.integer({ min: -span / 5.625, max: span / 5.625 }).map((n) => n * 5.625)
  const halves = fc.integer({ min: -span, max: span }).map((n) => n / 2)
  const rows = fc.integer({ min: 1, max: 7 }).map((row) => northOf(3, row))
  return span === 90 && kind === 'geotile' ? fc.oneof(edges, halves, rows) : fc.oneof(edges, halves)
}
const place = (kind: GridKind): fc.Arbitrary<Position> => fc.tuple(coordinate(kind, 180), coordinate(kind, 90))
/** An end of an oblique edge. Rounded latitudes are avoided: the edge could pass a corner closer than INWARDS. */
const obliquePlace: fc.Arbitrary<Position> = fc.tuple(coordinate('geohash', 180), coordinate('geohash', 90))
const ring: fc.Arbitrary<Position[]> = fc
  .array(obliquePlace, { minLength: 3, maxLength: 6 })
  .map((path) => [...path, path[0] ?? []])
const upright = (kind: GridKind): fc.Arbitrary<Position[]> =>
  fc
    .tuple(place(kind), place(kind))
    .map(([[a = 0, b = 0], [c = 0, d = 0]]) => box(Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)))
/** A box with a box-shaped hole in its middle. */
const framed = (kind: GridKind): fc.Arbitrary<Position[][]> =>
  upright(kind).map((outer) => {
    const [[west = 0, south = 0] = [], , [east = 0, north = 0] = []] = outer
    const [w, h] = [(east - west) / 4, (north - south) / 4]
    return [outer, box(west + w, south + h, east - w, north - h)]
  })
const shape = (kind: GridKind): fc.Arbitrary<Shape> =>
  fc
    .oneof(
      ring.map((r): Geometry => ({ type: 'Polygon', coordinates: [r] })),
      upright(kind).map((r): Geometry => ({ type: 'Polygon', coordinates: [r] })),
      framed(kind).map((coordinates): Geometry => ({ type: 'Polygon', coordinates })),
      fc
        .array(obliquePlace, { minLength: 2, maxLength: 4 })
        .map((coordinates): Geometry => ({ type: 'LineString', coordinates })),
      fc
        .array(place(kind), { minLength: 1, maxLength: 3 })
        .map((coordinates): Geometry => ({ type: 'MultiPoint', coordinates })),
      fc.tuple(upright(kind), ring, place(kind)).map(
        ([a, b, coordinates]): Geometry => ({
          type: 'GeometryCollection',
          geometries: [
            { type: 'MultiPolygon', coordinates: [[a], [b]] },
            { type: 'Point', coordinates },
          ],
        }),
      ),
    )
    .map(shapeOf)
    .filter(hasExactEdges)

/**
 * True if no oblique edge ends at a rounded latitude, as after a cut at the antimeridian: it could pass a corner closer
 * than INWARDS, on the other side of it.
 */
function hasExactEdges({ polygons, lines }: Shape): boolean {
  const isExact = (position: Position): boolean => position.every((value) => Number.isInteger(value * 16))
  return [...polygons.flat(), ...lines].every((path) =>
    path.every((to, i) => {
      const from = path[i - 1] ?? to
      return from[0] === to[0] || from[1] === to[1] || (isExact(from) && isExact(to))
    }),
  )
}

/** Small enough to cross no other edge than the one the coordinates lie on, large enough for doubles. */
const INWARDS = 1e-7

/** The closed box inside a cell, with open edges moved inwards and outer cells extended to the ends of the world. */
function closedCell(kind: GridKind, level: number, column: number, row: number): Box {
  const { columns, rows } = sizeOf(kind, level)
  const latitudes =
    kind === 'geohash'
      ? { south: (row / rows) * 180 - 90, north: ((row + 1) / rows) * 180 - 90 - (row + 1 === rows ? 0 : INWARDS) }
      : {
          south: row + 1 === rows ? -90 : northOf(level, row + 1) + INWARDS,
          north: row === 0 ? 90 : northOf(level, row),
        }
  const west = (column / columns) * 360 - 180
  const east = ((column + 1) / columns) * 360 - 180 - (column + 1 === columns ? 0 : INWARDS)
  return { west, east, ...latitudes }
}

test.each<[GridKind, number]>([
  ['geohash', 1],
  ['geohash', 2],
  ['geotile', 0],
  ['geotile', 1],
  ['geotile', 3],
  ['geotile', 4],
])('cells of %s %d are those whose box meets the shape', (kind, level) => {
  const { columns, rows } = sizeOf(kind, level)
  fc.assert(
    fc.property(shape(kind), (s) => {
      const expected: string[] = []
      for (let column = 0; column < columns; column++) {
        for (let row = 0; row < rows; row++) {
          const area = prepareArea({
            boxes: [closedCell(kind, level, column, row)],
            polygons: [],
            lines: [],
            points: [],
          })
          const meets = area.intersectsShape(s)
          if (meets) expected.push(`${column}/${row}`)
        }
      }
      expect(cellsOf(s, kind, level)).toEqual(expected.sort())
    }),
    { numRuns: 150 },
  )
})

test.each<GridKind>(['geohash', 'geotile'])('a shape meets a cell of %s when it meets one of its parts', (kind) => {
  const spread = fc.constantFrom(1, 1e-2, 1e-4)
  fc.assert(
    fc.property(shape(kind), spread, fc.integer({ min: 1, max: 5 }), ({ polygons, lines, points }, scale, level) => {
      const shrink = ([x = 0, y = 0]: Position): Position => [x * scale, y * scale]
      const small: Shape = {
        polygons: polygons.map((rings) => rings.map((r) => r.map(shrink))),
        lines: lines.map((l) => l.map(shrink)),
        points: points.map(shrink),
      }
      const coarse = kind === 'geohash' ? level : level + 3
      const grids = [cellGrid(kind, coarse), cellGrid(kind, coarse + 1)]
      const [cells, parts] = grids.map((grid) => shapeCells(small, grid, 5000))
      fc.pre(cells !== undefined && parts !== undefined)
      const wide = kind === 'geohash' && coarse % 2 === 0 ? 8 : kind === 'geohash' ? 4 : 2
      const high = kind === 'geohash' ? 32 / wide : 2
      const parents = new Set(parts?.map(({ column, row }) => `${Math.floor(column / wide)}/${Math.floor(row / high)}`))
      expect([...parents].sort()).toEqual(cells?.map(({ column, row }) => `${column}/${row}`).sort())
    }),
    { numRuns: 200 },
  )
})

test('a point is in its own cell, and the test of one cell agrees with the list', () => {
  const lon = fc.oneof(
    coordinate('geotile', 180),
    fc.double({ min: -180, max: 180, noNaN: true }).map((x) => Number(x.toFixed(9))),
  )
  const lat = fc.oneof(
    coordinate('geotile', 90),
    fc.double({ min: -90, max: 90, noNaN: true }).map((y) => Number(y.toFixed(9))),
  )
  fc.assert(
    fc.property(lon, lat, fc.integer({ min: 0, max: 29 }), fc.integer({ min: 1, max: 12 }), (x, y, z, length) => {
      const point = shapeOf({ type: 'Point', coordinates: [x, y] })
      const tile = tileOf(x, y, z)
      expect(cellsOf(point, 'geotile', z)).toEqual([`${tile.x}/${tile.y}`])
      expect(meetsCell({ kind: 'tile', z, ...tile })(point)).toBe(true)
      expect(meetsCell({ kind: 'geohash', hash: geohashOf(x, y, length) })(point)).toBe(true)
      expect(cellsOf(point, 'geohash', length)).toHaveLength(1)
    }),
    { numRuns: 500 },
  )
})

test('a scope leaves out what does not overlap it', () => {
  const scope = fc.oneof(
    place('geotile').map(([x = 0, y = 0]): Cell => ({ kind: 'tile', z: 2, ...tileOf(x, y, 2) })),
    place('geotile').map(([x = 0, y = 0]): Cell => ({ kind: 'geohash', hash: geohashOf(x, y, 2) })),
  )
  fc.assert(
    fc.property(
      shape('geotile'),
      scope,
      fc.constantFrom<[GridKind, number]>(['geotile', 1], ['geotile', 4], ['geohash', 1], ['geohash', 2]),
      (s, cell, [kind, level]) => {
        const { firstColumn, lastColumn, firstRow, lastRow } = cellsAround(cellGrid(kind, level), cell)
        const expected = cellsOf(s, kind, level).filter((name) => {
          const [column = 0, row = 0] = name.split('/').map(Number)
          return column >= firstColumn && column <= lastColumn && row >= firstRow && row <= lastRow
        })
        expect(cellsOf(s, kind, level, cell)).toEqual(expected)
        const grid = cell.kind === 'tile' ? cellsOf(s, 'geotile', 2) : cellsOf(s, 'geohash', 2)
        const own = cellsAround(cellGrid(cell.kind === 'tile' ? 'geotile' : 'geohash', 2), cell)
        expect(meetsCell(cell)(s)).toBe(grid.includes(`${own.firstColumn}/${own.firstRow}`))
      },
    ),
    { numRuns: 200 },
  )
})
