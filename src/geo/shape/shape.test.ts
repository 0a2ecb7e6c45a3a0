import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Geometry, Position } from '../../model/geometry.ts'
import { doubleArea } from '../ring.ts'
import { parseWkt } from '../wkt.ts'
import { planarCentroid } from './planar-centroid.ts'
import { normaliseShape, type Shape, shapeBounds, shapeOfAll } from './shape.ts'
import { decodeShape, encodeShape } from './wkb.ts'

const shapeOf = (wkt: string): Shape | undefined => normaliseShape(parseWkt(wkt, { lenient: true }))
const none: Shape = { polygons: [], lines: [], points: [] }

test.each<[wkt: string, shape: Partial<Shape> | undefined]>([
  ['POINT(190 5)', { points: [[-170, 5]] }],
  ['POINT Z(1 2 3)', { points: [[1, 2]] }],
  ['POINT(0 91)', undefined],
  ['POINT(361 0)', undefined],
  ['MULTIPOINT(0 91,1 1)', { points: [[1, 1]] }],
  [
    'LINESTRING(0 0,0 0,1 1)',
    {
      lines: [
        [
          [0, 0],
          [1, 1],
        ],
      ],
    },
  ],
  ['LINESTRING(1 1,1 1)', { points: [[1, 1]] }],
  [
    'LINESTRING(170 0,190 10)',
    {
      lines: [
        [
          [170, 0],
          [180, 5],
        ],
        [
          [-180, 5],
          [-170, 10],
        ],
      ],
    },
  ],
  // Used as drawn, whatever the winding, and closed.
  [
    'POLYGON((0 0,1 0,1 1,0 0))',
    {
      polygons: [
        [
          [
            [0, 0],
            [1, 0],
            [1, 1],
            [0, 0],
          ],
        ],
      ],
    },
  ],
  [
    'POLYGON((0 0,1 1,1 0,0 0))',
    {
      polygons: [
        [
          [
            [0, 0],
            [1, 0],
            [1, 1],
            [0, 0],
          ],
        ],
      ],
    },
  ],
  [
    'POLYGON((0 0,1 0,1 1))',
    {
      polygons: [
        [
          [
            [0, 0],
            [1, 0],
            [1, 1],
            [0, 0],
          ],
        ],
      ],
    },
  ],
  // Without area.
  ['POLYGON((1 1,1 1,1 1,1 1))', { points: [[1, 1]] }],
  [
    'POLYGON((1 1,2 1,2 1,1 1))',
    {
      lines: [
        [
          [1, 1],
          [2, 1],
          [1, 1],
        ],
      ],
    },
  ],
  [
    'POLYGON((0 0,9 0,9 9,0 0),(1 1,1 1,1 1))',
    {
      polygons: [
        [
          [
            [0, 0],
            [9, 0],
            [9, 9],
            [0, 0],
          ],
        ],
      ],
    },
  ],
  // Wide: counter-clockwise as drawn, clockwise round the other side of the globe.
  [
    'POLYGON((-170 0,170 0,170 5,-170 5,-170 0))',
    {
      polygons: [
        [
          [
            [-170, 0],
            [170, 0],
            [170, 5],
            [-170, 5],
            [-170, 0],
          ],
        ],
      ],
    },
  ],
])('%s', (wkt, shape) => {
  expect(shapeOf(wkt)).toEqual(shape && { ...none, ...shape })
})

const areaOf = (shape: Shape): number => shape.polygons.flat().reduce((sum, ring) => sum + doubleArea(ring) / 2, 0)

test('polygons over the antimeridian are cut, with their holes', () => {
  for (const wkt of [
    'POLYGON((170 0,190 0,190 10,170 10,170 0),(178 4,182 4,182 6,178 6,178 4))',
    'POLYGON((-170 0,-190 0,-190 10,-170 10,-170 0),(-178 4,-182 4,-182 6,-178 6,-178 4))',
    'POLYGON((170 0,-170 0,-170 10,170 10,170 0),(178 4,178 6,-178 6,-178 4,178 4))',
    'POLYGON((170 0,-170 0,-170 10,170 10,170 0),(178 4,-178 4,-178 6,178 6,178 4))',
  ]) {
    const shape = shapeOf(wkt)
    if (!shape) throw new Error('unreadable')
    expect(shapeBounds(shape)).toEqual({ west: -180, south: 0, east: 180, north: 10 })
    expect(areaOf(shape)).toBe(192)
    expect(shape.polygons).toHaveLength(2)
  }
})

test.each<[wkt: string, centroid: Position]>([
  ['POINT(3 4)', [3, 4]],
  ['MULTIPOINT(0 0,4 0,2 6)', [2, 2]],
  ['LINESTRING(0 0,10 0,10 2)', [(5 * 10 + 10 * 2) / 12, 2 / 12]],
  ['POLYGON((-171 -79,-169 -79,-169 -81,-171 -81,-171 -79))', [-170, -80]],
  ['POLYGON((0 0,4 0,4 4,0 4,0 0),(2 0.5,3.5 0.5,3.5 3.5,2 3.5,2 0.5))', [(32 - 4.5 * 2.75) / 11.5, 2]],
  ['GEOMETRYCOLLECTION(POINT(50 50),LINESTRING(9 9,20 9),POLYGON((-1 -1,1 -1,1 1,-1 1,-1 -1)))', [0, 0]],
  ['GEOMETRYCOLLECTION(POINT(50 50),LINESTRING(9 9,20 9))', [14.5, 9]],
  ['MULTIPOLYGON(((0 0,2 0,2 2,0 2,0 0)),((10 0,14 0,14 2,10 2,10 0)))', [(1 * 4 + 12 * 8) / 12, 1]],
])('the centroid of %s', (wkt, [x = 0, y = 0]) => {
  const [cx = 0, cy = 0] = planarCentroid(shapeOf(wkt) ?? none)
  expect(cx).toBeCloseTo(x, 12)
  expect(cy).toBeCloseTo(y, 12)
})

test('the centroid of a square of the sample grid is exactly its middle', () => {
  for (let x = -170; x <= 170; x += 10) {
    for (let y = -80; y <= 80; y += 10) {
      const ring = [
        [x - 1, y + 1],
        [x + 1, y + 1],
        [x + 1, y - 1],
        [x - 1, y - 1],
        [x - 1, y + 1],
      ]
      const shape = normaliseShape({ type: 'Polygon', coordinates: [ring] })
      expect(planarCentroid(shape ?? none)).toEqual([x, y])
    }
  }
})

const ordinate = fc.oneof(fc.integer({ min: -400, max: 400 }), fc.double({ min: -400, max: 400 }))
const path = fc.array(
  fc.tuple(
    ordinate,
    ordinate.map((y) => y / 4),
  ),
  { maxLength: 6 },
)
const anything: fc.Arbitrary<Geometry> = fc.oneof(
  path.map((coordinates): Geometry => ({ type: 'MultiPoint', coordinates })),
  path.map((coordinates): Geometry => ({ type: 'LineString', coordinates })),
  fc.array(path, { maxLength: 3 }).map((coordinates): Geometry => ({ type: 'Polygon', coordinates })),
  fc.array(path, { maxLength: 3 }).map((coordinates): Geometry => ({ type: 'MultiLineString', coordinates })),
)

test('any geometry becomes a shape in range, or none; WKB keeps it', () => {
  fc.assert(
    fc.property(anything, anything, (a, b) => {
      const shapes = [a, b].map(normaliseShape).filter((shape) => shape !== undefined)
      const shape = shapeOfAll(shapes)
      for (const position of [...shape.polygons.flat(2), ...shape.lines.flat(), ...shape.points]) {
        const [x = 999, y = 999] = position
        expect(position).toHaveLength(2)
        expect(Math.abs(x)).toBeLessThanOrEqual(180)
        expect(Math.abs(y)).toBeLessThanOrEqual(90)
      }
      for (const ring of shape.polygons.flat()) expect(ring.at(-1)).toEqual(ring[0])
      expect(decodeShape(encodeShape(shape))).toEqual(shape)
    }),
    { numRuns: 1000 },
  )
})

test('WKB of one part is that part, and foreign bytes are refused', () => {
  expect(Buffer.from(encodeShape({ ...none, points: [[1, 2]] })).toString('hex')).toBe(
    '0101000000000000000000f03f0000000000000040',
  )
  expect(() => decodeShape(new Uint8Array([1, 9, 0, 0, 0]))).toThrow(RangeError)
  expect(() => decodeShape(new Uint8Array([0, 0, 0, 0, 1]))).toThrow(RangeError)
  expect(() => decodeShape(new Uint8Array([1, 2, 0, 0, 0, 255, 255, 255, 255]))).toThrow(RangeError)
})
