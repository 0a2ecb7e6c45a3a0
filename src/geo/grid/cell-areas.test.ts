import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Position } from '../../model/geometry.ts'
import { parseArea } from '../area/filter-area.ts'
import { type PreparedArea, prepareArea } from '../area/prepared-area.ts'
import { unitePolygons } from '../polygon/polygon-union.ts'
import { normaliseShape, type Shape } from '../shape/shape.ts'

/**
 * Areas and shapes made of the cells of a small board, so that covering and intersecting follow from the cells.
 * Includes all kinds of shared edges, touching corners and holes.
 */

type Cell = readonly [number, number]
type Place = (x: number, y: number) => Position

const SIDE = 5
const cells: readonly Cell[] = Array.from({ length: SIDE * SIDE }, (_, i) => [i % SIDE, Math.floor(i / SIDE)])
const board = fc.subarray([...cells], { minLength: 1 })

/** Straight, oblique, over the antimeridian, and in quarters of a degree. */
const places: readonly Place[] = [
  (x, y) => [4 * x, 4 * y],
  (x, y) => [3 * x + y, 5 * y - 2 * x],
  (x, y) => [170 + 4 * x, 4 * y],
  (x, y) => [(7 * x - 2 * y) / 4, (3 * x + 5 * y) / 4],
]

const ringOf = ([x, y]: Cell, place: Place): readonly Position[] => [
  place(x, y),
  place(x + 1, y),
  place(x + 1, y + 1),
  place(x, y + 1),
  place(x, y),
]

function areaOf(list: readonly Cell[], place: Place): PreparedArea {
  const polygons = list.map(
    (cell) =>
      `POLYGON((${ringOf(cell, place)
        .map((p) => p.join(' '))
        .join(',')}))`,
  )
  return prepareArea(parseArea(`GEOMETRYCOLLECTION(${polygons.join(',')})`, { righthand: true, maxVertices: 5000 }))
}

function shapeOf(list: readonly Cell[], place: Place): Shape {
  const coordinates = unitePolygons(list.map((cell) => [ringOf(cell, place)]))
  const shape = normaliseShape({ type: 'MultiPolygon', coordinates })
  if (!shape) throw new Error('no shape')
  return shape
}

const touches = (a: Cell, b: Cell): boolean => Math.abs(a[0] - b[0]) <= 1 && Math.abs(a[1] - b[1]) <= 1

test('areas of cells cover and meet shapes of cells as the cells say', () => {
  fc.assert(
    fc.property(board, board, fc.constantFrom(...places), (area, shape, place) => {
      const prepared = areaOf(area, place)
      const drawn = shapeOf(shape, place)
      expect(prepared.coversShape(drawn)).toBe(shape.every((s) => area.some((a) => a[0] === s[0] && a[1] === s[1])))
      expect(prepared.intersectsShape(drawn)).toBe(shape.some((s) => area.some((a) => touches(a, s))))
    }),
    { numRuns: 150 },
  )
})

test('parts of an area are covered by it', () => {
  fc.assert(
    fc.property(
      board.chain((area) => fc.tuple(fc.constant(area), fc.subarray(area, { minLength: 1 }))),
      fc.constantFrom(...places),
      ([area, part], place) => {
        const prepared = areaOf(area, place)
        expect(prepared.coversShape(shapeOf(part, place))).toBe(true)
        expect(prepared.intersectsShape(shapeOf(part, place))).toBe(true)
      },
    ),
    { numRuns: 100 },
  )
})

test('a line between corners is covered when all of its sampled points are', () => {
  // Sides of 3.75 degrees make every sample an exact double.
  const place: Place = (x, y) => [3.75 * x, 3.75 * y]
  const corner = fc.tuple(fc.integer({ min: 0, max: SIDE }), fc.integer({ min: 0, max: SIDE }))
  fc.assert(
    fc.property(board, corner, corner, (area, [ax, ay], [bx, by]) => {
      fc.pre(ax !== bx || ay !== by)
      const prepared = areaOf(area, place)
      const samples = Array.from({ length: 120 }, (_, k) => (2 * k + 1) / 64)
      const covered = samples.map((t) => prepared.coversPoint(3.75 * ax + (bx - ax) * t, 3.75 * ay + (by - ay) * t))
      const shape = normaliseShape({ type: 'LineString', coordinates: [place(ax, ay), place(bx, by)] })
      if (!shape) throw new Error('no shape')
      expect(prepared.coversShape(shape)).toBe(!covered.includes(false))
      const ends = [place(ax, ay), place(bx, by)].some(([x = 0, y = 0]) => prepared.coversPoint(x, y))
      if (ends || covered.includes(true)) expect(prepared.intersectsShape(shape)).toBe(true)
    }),
    { numRuns: 200 },
  )
})
