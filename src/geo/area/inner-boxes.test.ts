import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { seed } from '../../../test/support/seed.ts'
import type { Position } from '../../model/geometry.ts'
import { locate, regionOf } from '../polygon/region.ts'
import { innerBoxes } from './inner-boxes.ts'

const square = (west: number, south: number, side: number): readonly Position[] => [
  [west, south],
  [west + side, south],
  [west + side, south + side],
  [west, south + side],
  [west, south],
]

function disc(vertices: number): readonly Position[] {
  const ring = Array.from({ length: vertices }, (_, i): Position => {
    const angle = (i / vertices) * 2 * Math.PI
    return [Math.cos(angle), Math.sin(angle)]
  })
  return [...ring, ring[0] ?? []]
}

const areaOf = (boxes: ReturnType<typeof innerBoxes>): number =>
  boxes.reduce((sum, { west, south, east, north }) => sum + (east - west) * (north - south), 0)

describe('boxes inside a region', () => {
  test('hold most of it', () => {
    const region = regionOf([disc(48)], true, 24)
    expect(areaOf(innerBoxes(region, 1)) / Math.PI).toBeGreaterThan(0.55)
    expect(areaOf(innerBoxes(region, 3)) / Math.PI).toBeGreaterThan(0.7)
    expect(areaOf(innerBoxes(regionOf([square(3, 4, 2)], true, 24), 3)) / 4).toBeGreaterThan(0.8)
  })

  test('are none of what is thin, or has no cells', () => {
    expect(
      innerBoxes(
        regionOf(
          [
            [
              [0, 0],
              [10, 10],
              [10, 10.001],
              [0, 0],
            ],
          ],
          true,
        ),
        3,
      ),
    ).toEqual([])
    expect(innerBoxes(regionOf([square(0, 0, 1)], false), 3)).toEqual([])
    expect(innerBoxes(regionOf([], true, 24), 3)).toEqual([])
  })

  test('leave holes and everything outside alone', () => {
    const position = fc.tuple(fc.integer({ min: -40, max: 40 }), fc.integer({ min: -40, max: 40 }))
    const ring = fc.array(position, { minLength: 3, maxLength: 60 }).map((path) => [...path, path[0] ?? [0, 0]])
    const share = fc.double({ min: 0, max: 1, noNaN: true })
    fc.assert(
      fc.property(fc.array(ring, { minLength: 1, maxLength: 3 }), fc.array(fc.tuple(share, share)), (rings, shares) => {
        const exact = regionOf(rings, false)
        const boxes = innerBoxes(regionOf(rings, true, 24), 3)
        for (const [i, { west, south, east, north }] of boxes.entries()) {
          for (const [x, y] of [...shares, [0, 0], [1, 0], [0, 1], [1, 1]] as const) {
            expect(locate(exact, west + x * (east - west), south + y * (north - south))).toBe(1)
          }
          for (const other of boxes.slice(0, i)) {
            const isApart = other.east < west || other.west > east || other.north < south || other.south > north
            expect(isApart).toBe(true)
          }
        }
      }),
      { seed, numRuns: 500 },
    )
  })
})
