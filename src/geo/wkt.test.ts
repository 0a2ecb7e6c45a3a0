import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Geometry, Position } from '../model/geometry.ts'
import { GeometryFault } from './geometry-fault.ts'
import { parseWkt, printWkt } from './wkt.ts'

test.each<[text: string, geometry: Geometry]>([
  ['POINT (0 0)', { type: 'Point', coordinates: [0, 0] }],
  [' point(1.5 -2.25e1)\n', { type: 'Point', coordinates: [1.5, -22.5] }],
  ['Point\t( +.5   5. )', { type: 'Point', coordinates: [0.5, 5] }],
  [
    'MULTIPOINT(0 0,1 1)',
    {
      type: 'MultiPoint',
      coordinates: [
        [0, 0],
        [1, 1],
      ],
    },
  ],
  [
    'MULTIPOINT((0 0),(1 1))',
    {
      type: 'MultiPoint',
      coordinates: [
        [0, 0],
        [1, 1],
      ],
    },
  ],
  [
    'LINESTRING(0 0,1 1)',
    {
      type: 'LineString',
      coordinates: [
        [0, 0],
        [1, 1],
      ],
    },
  ],
  [
    'MULTILINESTRING((0 0,1 1),(2 2,3 3))',
    {
      type: 'MultiLineString',
      coordinates: [
        [
          [0, 0],
          [1, 1],
        ],
        [
          [2, 2],
          [3, 3],
        ],
      ],
    },
  ],
  [
    'POLYGON((0 0,1 0,1 1,0 0))',
    {
      type: 'Polygon',
      coordinates: [
        [
          [0, 0],
          [1, 0],
          [1, 1],
          [0, 0],
        ],
      ],
    },
  ],
  [
    'MULTIPOLYGON(((0 0,1 0,1 1,0 0)))',
    {
      type: 'MultiPolygon',
      coordinates: [
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
    'GEOMETRYCOLLECTION(POINT(1 2),LINESTRING(0 0,1 1))',
    {
      type: 'GeometryCollection',
      geometries: [
        { type: 'Point', coordinates: [1, 2] },
        {
          type: 'LineString',
          coordinates: [
            [0, 0],
            [1, 1],
          ],
        },
      ],
    },
  ],
])('%s', (text, geometry) => {
  expect(parseWkt(text)).toEqual(geometry)
})

test('documents may have altitudes, measures and nested collections', () => {
  expect(parseWkt('POINT Z (1 2 3)', { lenient: true })).toEqual({ type: 'Point', coordinates: [1, 2, 3] })
  expect(parseWkt('POINT(1 2 3)', { lenient: true })).toEqual({ type: 'Point', coordinates: [1, 2, 3] })
  expect(parseWkt('POINTZM(1 2 3 4)', { lenient: true })).toEqual({ type: 'Point', coordinates: [1, 2, 3] })
  expect(parseWkt('POINT M(1 2 9)', { lenient: true })).toEqual({ type: 'Point', coordinates: [1, 2] })
  const nested = 'GEOMETRYCOLLECTION('.repeat(3)
  expect(parseWkt(`${nested}POINT(0 0))))`, { lenient: true }).type).toBe('GeometryCollection')
  expect(() => parseWkt('GEOMETRYCOLLECTION('.repeat(100000), { lenient: true })).toThrow(GeometryFault)
})

const ordinate = fc.double({ noNaN: true, min: -360, max: 360 }).map((x) => x + 0)
const position: fc.Arbitrary<Position> = fc.tuple(ordinate, ordinate)
const path = fc.array(position, { minLength: 1, maxLength: 5 })
const paths = fc.array(path, { minLength: 1, maxLength: 3 })
const simple: fc.Arbitrary<Geometry> = fc.oneof(
  position.map((coordinates): Geometry => ({ type: 'Point', coordinates })),
  path.map((coordinates): Geometry => ({ type: 'MultiPoint', coordinates })),
  path.map((coordinates): Geometry => ({ type: 'LineString', coordinates })),
  paths.map((coordinates): Geometry => ({ type: 'MultiLineString', coordinates })),
  paths.map((coordinates): Geometry => ({ type: 'Polygon', coordinates })),
  fc
    .array(paths, { minLength: 1, maxLength: 3 })
    .map((coordinates): Geometry => ({ type: 'MultiPolygon', coordinates })),
)
const geometry: fc.Arbitrary<Geometry> = fc.oneof(
  simple,
  fc
    .array(simple, { minLength: 1, maxLength: 4 })
    .map((geometries): Geometry => ({ type: 'GeometryCollection', geometries })),
)

test('what is printed is read back', () => {
  fc.assert(
    fc.property(geometry, (g) => {
      expect(parseWkt(printWkt(g))).toEqual(g)
    }),
  )
  expect(parseWkt(printWkt({ type: 'Point', coordinates: [1, 2, 3] }), { lenient: true })).toEqual({
    type: 'Point',
    coordinates: [1, 2, 3],
  })
})

test('any other text is a fault, never another error', () => {
  const noise = fc.array(fc.constantFrom('POINT', 'POLYGON', '(', ')', ',', ' ', '1', '-2.5', 'EMPTY', 'Z', ';', 'é'), {
    maxLength: 12,
  })
  fc.assert(
    fc.property(noise, (words) => {
      try {
        parseWkt(words.join(''))
      } catch (error) {
        expect(error).toBeInstanceOf(GeometryFault)
      }
    }),
    { numRuns: 1000 },
  )
})
