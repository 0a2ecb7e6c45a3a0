import { describe, expect, test } from 'vitest'
import { boxAround, boxValue, outlinesOf, polygonValue, signedArea, tileBox, unwrapRing, wrap } from './area.ts'

describe('boxes', () => {
  test.each([
    [[10, 20], [-5, 0], '-5,0,10,20'],
    [[170, -10], [190, 10], '170,-10,-170,10'],
    [[-200, -10], [-170, 10], '160,-10,-170,10'],
    [[-300, -95], [300, 95], '-180,-90,180,90'],
  ] as const)('from %j to %j', (a, b, value) => {
    expect(boxValue(a, b)).toBe(value)
  })

  test('need an area', () => {
    expect(boxValue([1, 1], [1, 2])).toBeUndefined()
    expect(boxValue([1, 1], [2, 1])).toBeUndefined()
  })
})

describe('polygons', () => {
  test('are written counter-clockwise and closed, however they were drawn', () => {
    const square = [
      [0, 0],
      [0, 2],
      [2, 2],
      [2, 0],
    ] as const
    for (const corners of [square, square.toReversed()]) {
      const value = polygonValue(corners) ?? ''
      const [ring = []] = outlinesOf(value)
      expect(ring).toHaveLength(5)
      expect(ring[0]).toEqual(ring[4])
      expect(signedArea(ring)).toBeGreaterThan(0)
    }
  })

  test('need three corners', () => {
    expect(
      polygonValue([
        [0, 0],
        [1, 1],
      ]),
    ).toBeUndefined()
    expect(
      polygonValue([
        [0, 0],
        [1, 1],
        [1, 1],
      ]),
    ).toBeUndefined()
  })
})

test('a box across the antimeridian is one outline', () => {
  expect(outlinesOf('170,-10,-170,10')[0]?.[1]).toEqual([190, -10])
  expect(outlinesOf('POINT(1 2)')).toEqual([])
})

test('longitudes come back to the world', () => {
  expect([190, -190, 180, -180, 540].map(wrap)).toEqual([-170, 170, 180, -180, -180])
})

test('boxes around geometries and tiles', () => {
  expect(
    boxAround([
      [
        [1, 2],
        [3, 4, 9],
      ],
    ]),
  ).toEqual({ west: 1, south: 2, east: 3, north: 4 })
  expect(boxAround([])).toBeUndefined()
  const box = tileBox('1/0/0')
  expect(box).toMatchObject({ west: -180, east: 0, south: 0 })
  expect(box?.north).toBeCloseTo(85.0511, 3)
})

test('rings across the antimeridian go on beyond it, those round a pole do not', () => {
  const fiji = [
    [179, 0],
    [-179, 0],
    [-179, 1],
    [179, 1],
    [179, 0],
  ] as const
  expect(unwrapRing(fiji).map(([lng]) => lng)).toEqual([179, 181, 181, 179, 179])
  const pole = [
    [-180, -80],
    [-90, -80],
    [0, -80],
    [90, -80],
    [180, -80],
    [-179, -80],
  ] as const
  expect(unwrapRing(pole)).toBe(pole)
})
