import { describe, expect, test } from 'vitest'
import {
  intersects,
  lineRegion,
  type Position,
  pointRegion,
  polygonRegion,
  type Region,
  rectangle,
  within,
} from './geometry.ts'

const box = (w: number, s: number, e: number, n: number): Region => polygonRegion(rectangle(w, s, e, n))
const ring = polygonRegion(rectangle(0, 0, 10, 10), rectangle(3, 3, 7, 7))
const line = (...points: readonly Position[]): Region => lineRegion(points)
const hook = polygonRegion([
  [0, 0],
  [10, 0],
  [10, 10],
  [8, 10],
  [8, 2],
  [0, 2],
  [0, 0],
])

/** shape, area, within, intersects */
const cases: readonly (readonly [string, Region, Region, boolean, boolean])[] = [
  ['a point inside', pointRegion([1, 1]), box(0, 0, 2, 2), true, true],
  ['a point on a corner', pointRegion([2, 2]), box(0, 0, 2, 2), true, true],
  ['a point outside', pointRegion([3, 2]), box(0, 0, 2, 2), false, false],
  ['a point in a hole', pointRegion([5, 5]), ring, false, false],
  ['a point on the border of a hole', pointRegion([3, 5]), ring, true, true],
  ['a box over a hole', box(2, 2, 8, 8), ring, false, true],
  ['a box in a hole', box(4, 4, 6, 6), ring, false, false],
  ['a box that fills a hole', box(3, 3, 7, 7), ring, false, true],
  ['a ring in itself', ring, ring, true, true],
  ['a box beside, touching', box(10, 0, 12, 10), ring, false, true],
  ['a box in itself', box(0, 0, 2, 2), box(0, 0, 2, 2), true, true],
  ['a box around the area', box(-1, -1, 3, 3), box(0, 0, 2, 2), false, true],
  ['a line across a notch', line([1, 1], [9, 9]), hook, false, true],
  ['a line along the border', line([8, 10], [8, 2], [0, 2]), hook, true, true],
  ['a line within a line', line([1, 1], [2, 2]), line([0, 0], [3, 3]), true, true],
  ['a line half on a line', line([1, 1], [4, 4]), line([0, 0], [3, 3]), false, true],
  ['crossing lines', line([0, 2], [2, 0]), line([0, 0], [2, 2]), false, true],
  ['a point on a line', pointRegion([1, 1]), line([0, 0], [3, 3]), true, true],
  ['a box on its own outline', box(0, 0, 1, 1), line(...rectangle(0, 0, 1, 1)), false, true],
]

describe('the plain geometry that the server is compared with', () => {
  test.each(cases)('%s', (_, shape, area, isWithin, isIntersecting) => {
    expect([within(shape, area), intersects(shape, area)]).toEqual([isWithin, isIntersecting])
    expect(intersects(area, shape)).toBe(isIntersecting)
  })
})
