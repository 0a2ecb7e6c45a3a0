import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Geometry, Position } from '../../model/geometry.ts'
import { normaliseShape, type Shape } from '../shape/shape.ts'
import { parseWkt } from '../wkt.ts'
import { parseArea } from './filter-area.ts'
import { type PreparedArea, prepareArea } from './prepared-area.ts'

const areaOf = (value: string): PreparedArea => prepareArea(parseArea(value, { righthand: true, maxVertices: 50000 }))

function shapeOf(geometry: Geometry): Shape {
  const shape = normaliseShape(geometry)
  if (!shape) throw new Error('the geometry is unreadable')
  return shape
}

const wktShape = (wkt: string): Shape => shapeOf(parseWkt(wkt, { lenient: true }))

const DONUT = 'POLYGON((0 0,10 0,10 10,0 10,0 0),(4 4,6 4,6 6,4 6,4 4))'
const NOTCH = 'POLYGON((0 0,10 0,10 10,7 10,5 5,3 10,0 10,0 0))'

describe('covers and intersects', () => {
  test.each<[area: string, shape: string, covers: boolean, intersects: boolean]>([
    // Polygons in polygons.
    [DONUT, 'POLYGON((4 4,6 4,6 6,4 6,4 4))', false, true],
    [DONUT, 'POLYGON((4.5 4.5,5.5 4.5,5.5 5.5,4.5 5.5,4.5 4.5))', false, false],
    [DONUT, 'POLYGON((0 0,10 0,10 10,0 10,0 0),(4 4,6 4,6 6,4 6,4 4))', true, true],
    [DONUT, 'POLYGON((0 0,10 0,10 10,0 10,0 0),(3 3,7 3,7 7,3 7,3 3))', true, true],
    [DONUT, 'POLYGON((0 0,10 0,10 10,0 10,0 0),(4 4,6 4,6 6,4 5,4 4))', false, true],
    [DONUT, 'POLYGON((0 0,10 0,10 10,0 10,0 0))', false, true],
    [DONUT, 'POLYGON((0 0,4 0,4 10,0 10,0 0))', true, true],
    [DONUT, 'POLYGON((2 2,8 2,5 4,2 2))', true, true],
    [DONUT, 'POLYGON((10 10,12 10,12 12,10 10))', false, true],
    [DONUT, 'POLYGON((-5 -5,20 -5,20 20,-5 20,-5 -5))', false, true],
    [DONUT, 'POLYGON((20 20,21 20,21 21,20 20))', false, false],
    // Over the notch from corner to corner, and along its sides.
    [NOTCH, 'POLYGON((3 10,5 5,7 10,3 10))', false, true],
    [NOTCH, 'POLYGON((3 10,4 2,7 10,3 10))', false, true],
    [NOTCH, 'POLYGON((1 10,1 1,5 5,3 10,1 10))', true, true],
    ['POLYGON((0 0,9 0,9 9,0 9,0 0),(0 3,3 6,6 3,3 0,0 3))', 'POLYGON((0 0,9 0,9 9,0 9,0 0))', false, true],
    ['POLYGON((0 0,6 0,6 6,0 6,0 0),(0 3,3 6,6 3,3 0,0 3))', 'POLYGON((0 0,6 0,6 6,0 6,0 0))', false, true],
    ['POLYGON((0 0,6 0,6 6,0 6,0 0),(0 3,3 6,6 3,3 0,0 3))', 'POLYGON((0 3,3 6,6 3,3 0,0 3))', false, true],
    ['POLYGON((0 0,6 0,6 6,0 6,0 0),(0 3,3 6,6 3,3 0,0 3))', 'POLYGON((0 0,3 0,0 3,0 0))', true, true],
    // A point with short decimals on an oblique border is on it.
    ['POLYGON((0 0,3 0,3 0.9,0 0))', 'POINT(1 0.3)', true, true],
    ['POLYGON((0 0,0.3 0.1,0 0.1,0 0))', 'POINT(0.15 0.05)', true, true],
    ['POLYGON((-180 -90,180 -90,180 90,-180 90,-180 -90))', 'POINT(180 90)', true, true],
    // A union has no inner borders.
    [
      'GEOMETRYCOLLECTION(POLYGON((0 0,5 0,5 5,0 5,0 0)),POLYGON((5 0,10 0,9 5,5 5,5 0)))',
      'POLYGON((4 1,6 1,6 2,4 2,4 1))',
      true,
      true,
    ],
    [
      'GEOMETRYCOLLECTION(POLYGON((0 0,5 0,5 5,0 5,0 0)),POLYGON((4 0,10 0,9 5,4 5,4 0)))',
      'LINESTRING(0 1,9 1)',
      true,
      true,
    ],
    // Polygons that touch in a point cover a line through it, but no polygon.
    ['MULTIPOLYGON(((0 0,5 0,5 5,0 5,0 0)),((5 5,9 5,9 9,5 9,5 5)))', 'LINESTRING(1 1,8 8)', true, true],
    ['MULTIPOLYGON(((0 0,5 0,5 5,0 5,0 0)),((5 5,9 5,9 9,5 9,5 5)))', 'LINESTRING(1 2,8 8)', false, true],
    ['MULTIPOLYGON(((0 0,5 0,5 5,0 5,0 0)),((5 5,9 5,9 9,5 9,5 5)))', 'POLYGON((1 1,8 8,7 8,1 1))', false, true],
    // Lines.
    [DONUT, 'LINESTRING(0 4,10 4)', true, true],
    [DONUT, 'LINESTRING(4 4,6 6)', false, true],
    [DONUT, 'LINESTRING(4.5 5,5.5 5)', false, false],
    [DONUT, 'LINESTRING(4 5,6 5)', false, true],
    [DONUT, 'LINESTRING(-1 5,11 5)', false, true],
    [NOTCH, 'LINESTRING(3 10,7 10)', false, true],
    [NOTCH, 'LINESTRING(3 10,5 5,7 10)', true, true],
    ['LINESTRING(0 0,10 0)', 'LINESTRING(2 0,8 0)', true, true],
    ['LINESTRING(0 0,10 0)', 'LINESTRING(8 0,2 0,5 0)', true, true],
    ['LINESTRING(0 0,10 0)', 'LINESTRING(8 0,12 0)', false, true],
    ['LINESTRING(0 0,10 0)', 'LINESTRING(5 -1,5 1)', false, true],
    ['LINESTRING(0 0,10 0)', 'LINESTRING(5 1,5 2)', false, false],
    ['MULTILINESTRING((0 0,4 2),(8 4,4 2))', 'LINESTRING(2 1,6 3)', true, true],
    ['LINESTRING(0 0,10 0)', 'POLYGON((1 -1,2 -1,2 1,1 -1))', false, true],
    ['LINESTRING(2 2,3 3)', 'POLYGON((0 0,9 0,9 9,0 9,0 0))', false, true],
    ['LINESTRING(2 2,3 3)', 'POLYGON((0 0,9 0,9 9,0 9,0 0),(1 1,4 1,4 4,1 4,1 1))', false, false],
    // A line leaves the polygon and continues along a line of the area.
    ['GEOMETRYCOLLECTION(POLYGON((0 0,5 1,5 5,0 5,0 0)),LINESTRING(4 3,9 3))', 'LINESTRING(1 3,8 3)', true, true],
    ['GEOMETRYCOLLECTION(POLYGON((0 0,5 1,5 5,0 5,0 0)),LINESTRING(5.5 3,9 3))', 'LINESTRING(1 3,8 3)', false, true],
    // Points.
    ['POINT(1 1)', 'POINT(1 1)', true, true],
    ['POINT(1 1)', 'MULTIPOINT(1 1,2 2)', false, true],
    ['MULTIPOINT(1 1,2 2)', 'POINT(2 1)', false, false],
    ['POINT(1 1)', 'LINESTRING(0 0,2 2)', false, true],
    ['POINT(1 1)', 'POLYGON((0 0,9 0,9 9,0 9,0 0))', false, true],
    ['POINT(1 1)', 'POLYGON((0 0,9 0,9 9,0 9,0 0),(0.5 0.5,2 0.5,2 2,0.5 2,0.5 0.5))', false, false],
    // Boxes.
    ['0,0,10,10', 'POLYGON((-5 5,5 -5,-5 -5,-5 5))', false, true],
    ['0,0,10,10', 'POLYGON((-5 4,4 -5,-5 -5,-5 4))', false, false],
    ['0,0,10,10', 'POLYGON((-5 -5,20 -5,20 20,-5 20,-5 -5))', false, true],
    ['0,0,10,10', 'POLYGON((-5 -5,20 -5,20 20,-5 20,-5 -5),(-1 -1,11 -1,11 11,-1 11,-1 -1))', false, false],
    ['0,0,10,10', 'LINESTRING(-1 1,1 -1)', false, true],
    ['0,0,10,10', 'LINESTRING(-1 0.9,0.9 -1)', false, false],
    ['0,0,10,10', 'GEOMETRYCOLLECTION(POINT(1 1),LINESTRING(0 0,10 10),POLYGON((0 0,10 0,0 10,0 0)))', true, true],
    ['0,0,10,10', 'GEOMETRYCOLLECTION(POINT(1 11),LINESTRING(0 0,10 10))', false, true],
    ['5,0,5,10', 'LINESTRING(5 1,5 9)', true, true],
    ['5,0,5,10', 'LINESTRING(4 1,6 2)', false, true],
    ['5,0,5,10', 'POLYGON((4 1,6 1,6 2,4 1))', false, true],
    ['5,0,5,10', 'POLYGON((5 1,6 1,6 2,5 1))', false, true],
    ['5,0,5,10', 'POLYGON((6 1,7 1,7 2,6 1))', false, false],
    // The antimeridian: 180 and -180 are different longitudes.
    ['170,0,-170,10', 'POLYGON((175 1,185 1,185 2,175 2,175 1))', true, true],
    ['170,0,180,10', 'POLYGON((175 1,185 1,185 2,175 2,175 1))', false, true],
    ['170,0,180,10', 'POINT(-180 5)', false, false],
    ['170,0,-170,10', 'MULTIPOINT(-180 5,180 5)', true, true],
    ['POLYGON((170 0,190 0,190 9,170 10,170 0))', 'POLYGON((175 1,-175 1,-175 2,175 2,175 1))', true, true],
    ['POLYGON((170 0,190 0,190 9,170 10,170 0))', 'POLYGON((175 -1,-175 1,-175 2,175 2,175 -1))', false, true],
    ['POLYGON((170 0,190 0,190 9,170 10,170 0))', 'LINESTRING(175 1,185 1)', true, true],
  ])('%s and %s', (area, shape, covers, intersects) => {
    const prepared = areaOf(area)
    expect({
      covers: prepared.coversShape(wktShape(shape)),
      intersects: prepared.intersectsShape(wktShape(shape)),
    }).toEqual({ covers, intersects })
  })
})

test('bounds are few, hold the area and are split at the antimeridian', () => {
  expect(areaOf('170,-5,-170,5').bounds).toHaveLength(2)
  expect(areaOf('170,-5,-170,5').isBoxes).toBe(true)
  const over = areaOf('POLYGON((170 0,190 0,190 9,170 10,170 0))')
  expect(over.isBoxes).toBe(false)
  expect(over.bounds).toEqual([
    { west: -180, south: 0, east: -170, north: 9.5 },
    { west: 170, south: 0, east: 180, north: 10 },
  ])
  const points = Array.from({ length: 50 }, (_, i): [number, number] => [((i * i) % 350) - 170, i])
  const many = areaOf(`MULTIPOINT(${points.map((p) => p.join(' ')).join(',')})`)
  expect(many.bounds.length).toBeLessThanOrEqual(4)
  for (const [x, y] of points) {
    expect(many.bounds.some((b) => x >= b.west && x <= b.east && y >= b.south && y <= b.north)).toBe(true)
  }
})

/** Even-odd rule, the textbook algorithm. */
function naiveInside(ring: readonly Position[], x: number, y: number): boolean {
  let inside = false
  for (let i = 1; i < ring.length; i++) {
    const [ax = 0, ay = 0] = ring[i - 1] ?? []
    const [bx = 0, by = 0] = ring[i] ?? []
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside
  }
  return inside
}

const printRing = (ring: readonly Position[]): string => `(${ring.map((p) => p.join(' ')).join(',')})`

test('random polygons of many vertices agree with counting crossings', () => {
  const radii = fc.array(fc.double({ min: 0.2, max: 1, noNaN: true }), { minLength: 5, maxLength: 400 })
  const points = fc.array(fc.tuple(fc.double({ min: -60, max: 60, noNaN: true }), fc.double({ min: -60, max: 60, noNaN: true })), { minLength: 50, maxLength: 50 }) // biome-ignore format: one line
  fc.assert(
    fc.property(radii, points, (rs, ps) => {
      const open = rs.map((r, i) => {
        const angle = (2 * Math.PI * i) / rs.length
        return [50 * r * Math.cos(angle), 50 * r * Math.sin(angle)]
      })
      const ring = [...open, ...open.slice(0, 1)]
      const area = areaOf(`POLYGON(${printRing(ring)})`)
      for (const [x, y] of ps) expect(area.coversPoint(x, y)).toBe(naiveInside(ring, x, y))
      for (const [x = 0, y = 0] of ring) expect(area.coversPoint(x, y)).toBe(true)
    }),
    { numRuns: 60 },
  )
})

test('a box over the antimeridian is the union of its halves', () => {
  const lon = fc.integer({ min: -180, max: 180 })
  const lat = fc.integer({ min: -90, max: 90 })
  fc.assert(
    fc.property(
      fc.tuple(lon, lon, lat, lat),
      fc.tuple(lon, lat),
      fc.integer({ min: 1, max: 20 }),
      (sides, [x, y], r) => {
        const [a, b, c, d] = sides
        fc.pre(a !== b && c !== d)
        const [west, east, south, north] = [Math.max(a, b), Math.min(a, b), Math.min(c, d), Math.max(c, d)]
        const whole = areaOf(`${west},${south},${east},${north}`)
        const halves = [areaOf(`${west},${south},180,${north}`), areaOf(`-180,${south},${east},${north}`)]
        expect(whole.coversPoint(x, y)).toBe(halves.some((half) => half.coversPoint(x, y)))
        const low = Math.max(-90, y - r)
        const high = Math.min(90, y + r)
        const square = shapeOf({
          type: 'Polygon',
          coordinates: [
            [
              [x - r, low],
              [x + r, low],
              [x + r, high],
              [x - r, high],
              [x - r, low],
            ],
          ],
        })
        expect(whole.intersectsShape(square)).toBe(halves.some((half) => half.intersectsShape(square)))
      },
    ),
  )
})

test('a polygon turned by 360 degrees is the same area', () => {
  const decimal = fc.integer({ min: 0, max: 1799 })
  const corner = fc.tuple(decimal, fc.integer({ min: -899, max: 899 }))
  fc.assert(
    fc.property(
      fc.tuple(corner, corner, corner),
      fc.array(corner, { maxLength: 20 }),
      fc.boolean(),
      (triangle, points, east) => {
        const place =
          (turn: number) =>
          (k: readonly [number, number]): Position => [Number((k[0] / 10 + turn).toFixed(1)), k[1] / 10]
        const [a, b, c] = triangle
        const turn = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
        fc.pre(turn !== 0)
        const corners = turn > 0 ? [a, b, c, a] : [a, c, b, a]
        const home = east ? 0 : -180
        const away = east ? -360 : 180
        const here = areaOf(`POLYGON(${printRing(corners.map(place(home)))})`)
        const there = areaOf(`POLYGON(${printRing(corners.map(place(away)))})`)
        for (const point of [...points, ...triangle]) {
          const [x = 0, y = 0] = place(home)(point)
          if (Math.abs(x) === 180) continue
          expect([x, y, there.coversPoint(x, y)]).toEqual([x, y, here.coversPoint(x, y)])
        }
      },
    ),
  )
})

test('a shape over the antimeridian is within the same area, however each is written', () => {
  const corner = fc.tuple(fc.integer({ min: 1000, max: 2600 }), fc.integer({ min: -900, max: 900 }))
  fc.assert(
    fc.property(corner, corner, corner, fc.boolean(), (a, b, c, reverse) => {
      const turn = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
      fc.pre(turn !== 0)
      const corners = turn > 0 ? [a, b, c, a] : [a, c, b, a]
      const ring = corners.map(([x, y]): Position => [x / 10, y / 10])
      const turned = corners.map(([x, y]): Position => [(x - 3600) / 10, y / 10])
      for (const [area, drawn] of [
        [ring, ring],
        [ring, turned],
        [turned, ring],
      ]) {
        if (!area || !drawn) continue
        const shape = shapeOf({ type: 'Polygon', coordinates: [reverse ? drawn.toReversed() : drawn] })
        expect(areaOf(`POLYGON(${printRing(area)})`).coversShape(shape)).toBe(true)
      }
    }),
    { numRuns: 500 },
  )
})

test('whole-degree places on a segment over the antimeridian belong to it, wherever the cut falls', () => {
  const step = fc.tuple(fc.integer({ min: -40, max: 40 }), fc.integer({ min: -7, max: 7 }))
  fc.assert(
    fc.property(fc.integer({ min: 141, max: 219 }), step, fc.integer({ min: 1, max: 6 }), (x, [dx, dy], steps) => {
      const places = Array.from({ length: steps + 1 }, (_, i) => [x + i * dx, i * dy])
      fc.pre(dx !== 0 && places.every(([px = 0]) => px >= -360 && px <= 360))
      const area = areaOf(`LINESTRING(${[places[0], places.at(-1)].map((p) => p?.join(' ')).join(',')})`)
      for (const [px = 0, py = 0] of places) {
        if (Math.abs(px) !== 180)
          expect(area.coversPoint(px > 180 ? px - 360 : px < -180 ? px + 360 : px, py)).toBe(true)
      }
    }),
  )
})

describe('where a box lies', () => {
  const areas = [
    DONUT,
    NOTCH,
    '1,2,7,9',
    '170,-10,-170,10',
    'MULTIPOLYGON(((0 0,4 0,4 4,0 4,0 0)),((6 6,9 6,9 9,6 9,6 6)))',
    'GEOMETRYCOLLECTION(POLYGON((0 0,4 0,2 5,0 0)),LINESTRING(1 8,9 8),POINT(8 2))',
  ]
  const coordinate = fc.integer({ min: -4, max: 48 }).map((n) => n / 4)

  test.each(areas)('is true of all its points: %s', (text) => {
    const area = prepareArea(parseArea(text, { righthand: true, maxVertices: 50000 }), 'many')
    const told = { inside: 0, outside: 0 }
    fc.assert(
      fc.property(coordinate, coordinate, fc.nat(12), fc.nat(12), (west, south, width, height) => {
        const box = { west, south, east: west + width / 4, north: south + height / 4 }
        const location = area.locateBox(box)
        if (location === 0) return
        if (location > 0) told.inside++
        else told.outside++
        for (let x = box.west; x <= box.east; x += 1 / 4) {
          for (let y = box.south; y <= box.north; y += 1 / 4) expect(area.coversPoint(x, y)).toBe(location > 0)
        }
      }),
      { numRuns: 2_000 },
    )
    // Without this, a function that always returns 0 would pass. Lines and points can be anywhere.
    expect(told.outside > 0 || text.startsWith('GEOMETRY')).toBe(true)
    expect(told.inside > 0 || text.startsWith('170')).toBe(true)
  })
})
