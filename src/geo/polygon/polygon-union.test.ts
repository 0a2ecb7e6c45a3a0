import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Position } from '../../model/geometry.ts'
import { collapse, doubleArea, type Ring, windPolygon } from '../ring.ts'
import { polygonFault } from './polygon-fault.ts'
import { unionAllowance, unitePolygons } from './polygon-union.ts'
import { locate, regionOf } from './region.ts'
import { findRingContact } from './ring-sweep.ts'

const box = (west: number, south: number, east: number, north: number): readonly Ring[] => [
  [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ],
]

const areaOf = (polygons: readonly (readonly Ring[])[]): number =>
  polygons.flat().reduce((sum, ring) => sum + doubleArea(ring) / 2, 0)

test.each<[name: string, parts: readonly (readonly Ring[])[], rings: readonly (readonly number[])[], area: number]>([
  ['apart', [box(0, 0, 1, 1), box(2, 0, 3, 1)], [[5], [5]], 2],
  ['a common edge', [box(0, 0, 5, 5), box(5, 0, 10, 5)], [[5]], 50],
  ['part of an edge', [box(0, 0, 10, 10), box(10, 2, 20, 8)], [[9]], 160],
  ['the same twice', [box(0, 0, 5, 5), box(0, 0, 5, 5)], [[5]], 25],
  ['the same three times', [box(0, 0, 5, 5), box(0, 0, 5, 5), box(0, 0, 5, 5)], [[5]], 25],
  ['one inside the other', [box(0, 0, 9, 9), box(2, 2, 3, 3)], [[5]], 81],
  ['a cross', [box(0, 4, 10, 6), box(4, 0, 6, 10)], [[13]], 36],
  ['a common corner', [box(0, 0, 5, 5), box(5, 5, 9, 9)], [[5], [5]], 41],
  ['a frame', [box(0, 0, 10, 1), box(9, 0, 10, 10), box(0, 9, 10, 10), box(0, 0, 1, 10)], [[5, 5]], 36],
  ['decimals', [box(0.1, 0.1, 0.3, 0.7), box(0.3, 0.2, 0.9, 0.7)], [[7]], 0.42],
  [
    'a frame and what fills it',
    [box(0, 0, 10, 1), box(9, 0, 10, 10), box(0, 9, 10, 10), box(0, 0, 1, 10), box(1, 1, 9, 9)],
    [[5]],
    100,
  ],
])('%s', (_, parts, rings, area) => {
  const united = unitePolygons(parts)
  expect(united.map((polygon) => polygon.map((ring) => ring.length))).toEqual(rings)
  expect(areaOf(united)).toBeCloseTo(area, 12)
})

const corner = fc.tuple(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 0, max: 6 }))
const polygon = fc
  .array(corner, { minLength: 3, maxLength: 8 })
  .map((corners): readonly Ring[] => [collapse([...corners, ...corners.slice(0, 1)])])
  .filter((rings) => polygonFault([rings]) === undefined)
  .map(windPolygon)

test('a point is in the union when it is in one of the polygons', () => {
  // Odd fractions, on no border between corners of the board, and farther from any border than the rounding error.
  const samples: Position[] = []
  for (let i = 0; i < 18; i++)
    for (let j = 0; j < 18; j++) samples.push([(i + 0.5 + 1 / 97) / 3, (j + 0.5 + 1 / 89) / 3])
  fc.assert(
    fc.property(fc.array(polygon, { minLength: 2, maxLength: 5 }), (parts) => {
      const united = unitePolygons(parts)
      const whole = regionOf(united.flat(), false)
      const regions = parts.map((part) => regionOf(part, false))
      for (const [x = 0, y = 0] of samples) {
        const expected = regions.some((region) => locate(region, x, y) >= 0)
        expect(locate(whole, x, y) >= 0).toBe(expected)
      }
      for (const [exterior = [], ...holes] of united) {
        expect(doubleArea(exterior)).toBeGreaterThan(0)
        for (const hole of holes) expect(doubleArea(hole)).toBeLessThan(0)
      }
      expect(united.flat().map((ring) => findRingContact([ring]))).toEqual(united.flat().map(() => undefined))
    }),
    { numRuns: 200 },
  )
})

test('polygons that are too many to be held against each other are refused before', () => {
  const nested = Array.from({ length: 400 }, (_, i) => box(-i / 4, -i / 8, 1 + i / 4, 1 + i / 8))
  const allowance = unionAllowance(1_000)
  expect(() => unitePolygons(nested, allowance)).toThrow(/limits\.crossings/)
  expect(unitePolygons(nested.slice(0, 20), unionAllowance(1_000))).toHaveLength(1)
  const same = Array.from({ length: 1_000 }, () => box(0, 0, 5, 5))
  expect(unitePolygons(same, unionAllowance(1))).toEqual([box(0, 0, 5, 5)])
})
