import { expect, test } from 'vitest'
import type { Position } from '../../model/geometry.ts'
import { GeometryFault } from '../geometry-fault.ts'
import { normaliseShape, type Shape } from '../shape/shape.ts'
import { parseArea } from './filter-area.ts'
import { prepareArea } from './prepared-area.ts'

/** The sample grid: a point every ten degrees and the square of half side 1 around it. */
interface Sample {
  readonly point: Position
  readonly shape: Shape
}

const samples: Sample[] = []
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
    if (shape) samples.push({ point: [x, y], shape })
  }
}

type Field = 'centroid' | 'geometry'
type Operator = 'within' | 'notwithin' | 'intersects' | 'notintersects'
type Condition = readonly [field: Field, operator: Operator, value: string]

function matcher([field, operator, value]: Condition, righthand: boolean): (sample: Sample) => boolean {
  const area = prepareArea(parseArea(value, { righthand, maxVertices: 5000 }))
  const positive = ({ point: [x = 0, y = 0], shape }: Sample): boolean => {
    if (field === 'centroid') return area.coversPoint(x, y)
    return operator.endsWith('within') ? area.coversShape(shape) : area.intersectsShape(shape)
  }
  return operator.startsWith('not') ? (sample) => !positive(sample) : positive
}

/** Outer lists are combined with AND, inner ones with OR. */
function select(groups: readonly (readonly Condition[])[], righthand: boolean): readonly Sample[] {
  const tests = groups.map((group) => group.map((condition) => matcher(condition, righthand)))
  return samples.filter((sample) => tests.every((group) => group.some((passes) => passes(sample))))
}

const count = (field: Field, operator: Operator, value: string, righthand = true): number =>
  select([[[field, operator, value]]], righthand).length

const BELOW = 'POLYGON((-330 -2,-330 -1,-290 -1,-290 2,-15 2,-15 1,-40 1,-40 -2,-330 -2))'
const ABOVE = 'POLYGON((10 -2,10 2,350 2,350 0,300 0,350 -2,10 -2))'
const WIDE = 'POLYGON((-130 -2,-130 2,220 2,220 -2,-130 -2))'
const HOLE = 'POLYGON((-15 -15,15 -15,15 15,-15 15,-15 -15),(-5 -5,-5 5,5 5,5 -5,-5 -5))'
const SMALL_HOLE = 'POLYGON((-15 -15,15 -15,15 15,-15 15,-15 -15),(-0.5 -0.5,-0.5 0.5,0.5 0.5,0.5 -0.5,-0.5 -0.5))'

test.each<[name: string, field: Field, operator: Operator, value: string, righthand: boolean, expected: number]>([
  ['points in a box', 'centroid', 'within', '-5,-5,5,5', true, 1],
  ['points in a ccw polygon', 'centroid', 'within', 'POLYGON((-5 -5,5 -5,5 5,-5 5,-5 -5))', true, 1],
  ['ccw and righthand false', 'centroid', 'within', 'POLYGON((-5 -5,5 -5,5 5,-5 5,-5 -5))', false, 34],
  ['a box over the antimeridian', 'centroid', 'within', '5,-5,-5,5', true, 34],
  ['a box that begins at 180', 'centroid', 'within', '180,0,-165,5', true, 1],
  ['a box without points', 'centroid', 'within', '175,85,180,90', true, 0],
  ['notwithin a complement', 'centroid', 'notwithin', 'POLYGON((-2 -2,2 -2,2 2,-2 2,-2 -2))', false, 561],
  [
    'notwithin a multipolygon',
    'centroid',
    'notwithin',
    'MULTIPOLYGON(((-180 -90,-180 90,-5 90,-5 -90,-180 -90)),((5 -90,5 90,180 90,180 -90,5 -90)))',
    false,
    17,
  ],
  ['notwithin a box with all', 'centroid', 'notwithin', '-170,-85,175,85', true, 0],
  ['shapes in a wide box', 'geometry', 'within', '-170,-2,170,2', true, 33],
  ['shapes in a narrow box over 180', 'geometry', 'within', '170,-2,-170,2', true, 0],
  ['complement of wide', 'geometry', 'within', 'POLYGON((-170 -2,170 -2,170 2,-170 2,-170 -2))', false, 0],
  ['a polygon below -180', 'geometry', 'within', BELOW, false, 23],
  ['a polygon above 180', 'geometry', 'within', ABOVE, false, 27],
  ['cut at 180 only', 'geometry', 'within', WIDE, false, 33],
  ['its thin complement', 'geometry', 'within', WIDE, true, 0],
  ['smaller than the shapes', 'geometry', 'within', 'POLYGON((1 1,1 2,2 2,2 1,1 1))', false, 0],
  ['notwithin over 180', 'geometry', 'notwithin', 'POLYGON((160 -2,160 2,-160 2,-160 -2,160 -2))', false, 593],
  ['intersect a wide box', 'geometry', 'intersects', '-170,-2,170,2', true, 35],
  ['intersect a narrow box over 180', 'geometry', 'intersects', '170,-2,-170,2', true, 2],
  ['intersect wide', 'geometry', 'intersects', 'POLYGON((-170 -2,170 -2,170 2,-170 2,-170 -2))', true, 35],
  ['intersect the complement below', 'geometry', 'intersects', BELOW, true, 12],
  ['intersect the complement above', 'geometry', 'intersects', ABOVE, true, 8],
  ['intersect a thin complement', 'geometry', 'intersects', WIDE, true, 2],
  ['intersect a line', 'geometry', 'intersects', 'LINESTRING(50 0,-20 0)', false, 8],
  ['intersect a line beyond 180', 'geometry', 'intersects', 'LINESTRING(50 0,340 0)', true, 29],
  ['intersect a box', 'geometry', 'intersects', '-12,-12,12,12', true, 9],
  [
    'notintersects an L',
    'geometry',
    'notintersects',
    'POLYGON((180 90,180 -70,160 -70,160 -90,-180 -90,-180 90,180 90))',
    false,
    1,
  ],
  ['exponents in a box', 'centroid', 'within', '-5e0,-0.5e1,5E0,5.0', true, 1],
  ['a shape as large as the box', 'geometry', 'within', '-1,-1,1,1', true, 1],
  ['intersect a box over 180', 'geometry', 'intersects', '165,-12,-165,12', true, 6],
  ['points in a polygon with a hole', 'centroid', 'within', HOLE, true, 8],
  ['shapes that intersect it', 'geometry', 'intersects', HOLE, true, 8],
  ['a shape larger than the hole', 'geometry', 'within', SMALL_HOLE, true, 8],
  ['a point in a POINT', 'centroid', 'within', 'POINT(10 10)', true, 1],
  ['points in a MULTIPOINT', 'centroid', 'within', 'MULTIPOINT((0 0),(10 10))', true, 2],
  ['points on a line', 'centroid', 'within', 'LINESTRING(-20 0,20 0)', true, 5],
  ['points on lines', 'centroid', 'intersects', 'MULTILINESTRING((0 0,20 0),(0 10,0 30))', true, 6],
  ['points not in a box', 'centroid', 'notintersects', '-5,-5,5,5', true, 594],
  ['a POINT on a corner', 'geometry', 'intersects', 'POINT(1 1)', true, 1],
  [
    'a collection',
    'geometry',
    'intersects',
    'GEOMETRYCOLLECTION(POINT(0 0),POLYGON((9 9,11 9,11 11,9 11,9 9)))',
    true,
    2,
  ],
  ['shapes in a polygon over 180', 'geometry', 'within', 'POLYGON((165 -5,195 -5,195 5,165 5,165 -5))', true, 2],
  ['clockwise is the complement', 'centroid', 'within', 'POLYGON((-5 -5,-5 5,5 5,5 -5,-5 -5))', true, 34],
])('%s', (_, field, operator, value, righthand, expected) => {
  expect(count(field, operator, value, righthand)).toBe(expected)
})

const centres = (found: readonly Sample[]): readonly Position[] => found.map(({ point }) => point)

test('combinations of areas', () => {
  const box = (f: Field, o: Operator, v: string): Condition => [f, o, v]
  expect(
    centres(select([[box('centroid', 'within', '-5,-5,5,5'), box('centroid', 'within', '5,5,15,15')]], true)),
  ).toEqual([
    [0, 0],
    [10, 10],
  ])
  expect(
    select([[box('centroid', 'notwithin', '-180,-90,-5,90'), box('centroid', 'notwithin', '5,-90,180,90')]], true),
  ).toHaveLength(595)
  expect(select([[['centroid', 'within', '-6,-6,6,6']], [['centroid', 'notwithin', '-5,-5,5,5']]], true)).toHaveLength(
    0,
  )
  expect(
    select([[['geometry', 'within', '-12,-12,12,12']], [['geometry', 'notwithin', '-11,-11,11,11']]], true),
  ).toHaveLength(0)
  const wedge = 'POLYGON((1 1,10 -20,-10 -20,-10 20,1 1))'
  expect(select([[['geometry', 'within', '-2,-2,2,2']], [['geometry', 'within', wedge]]], false)).toHaveLength(1)
  const thin = 'POLYGON((0 1,1 1,1 -1,0 -1,0 1))'
  expect(
    select([[box('geometry', 'intersects', '-12,-12,12,12'), box('geometry', 'intersects', thin)]], false),
  ).toHaveLength(9)
  expect(
    centres(
      select(
        [
          [['geometry', 'intersects', 'POLYGON((10 10,10 -10,-10 -10,-10 10,10 10))']],
          [['geometry', 'notintersects', 'POLYGON((10 10,10 -10,0 -10,0 10,10 10))']],
        ],
        false,
      ),
    ),
  ).toEqual([
    [-10, -10],
    [-10, 0],
    [-10, 10],
  ])
  expect(
    centres(
      select(
        [[['geometry', 'notintersects', 'POLYGON((180 90,180 -70,160 -70,160 -90,-180 -90,-180 90,180 90))']]],
        false,
      ),
    ),
  ).toEqual([[170, -80]])
  expect(
    centres(
      select(
        [
          [['centroid', 'within', '-50,-50,50,50']],
          [['centroid', 'notwithin', '20,-50,60,50']],
          [['geometry', 'within', 'POLYGON((30 30,30 -30,-30 -30,-30 30,30 30))']],
          [['geometry', 'notwithin', 'POLYGON((-50 50,-20 50,-20 -50,-50 -50,-50 50))']],
          [['geometry', 'intersects', 'POLYGON((-12 22,-8 22,-8 18,-12 18,-12 22))']],
          [['geometry', 'notintersects', 'POLYGON((10 30,30 30,30 -30,10 -30,10 30))']],
        ],
        false,
      ),
    ),
  ).toEqual([[-10, 20]])
})

/** A circle of radius 20.5 with the given number of vertices, six decimals. */
function circle(vertices: number): string {
  const positions = Array.from({ length: vertices }, (_, i) => {
    const angle = (2 * Math.PI * i) / vertices
    return `${(20.5 * Math.cos(angle)).toFixed(6)} ${(20.5 * Math.sin(angle)).toFixed(6)}`
  })
  return `POLYGON((${[...positions, positions[0]].join(',')}))`
}

test('a circle of a thousand vertices is read, one of six thousand is refused', () => {
  expect(count('centroid', 'within', circle(1000))).toBe(13)
  expect(() => parseArea(circle(6000), { righthand: true, maxVertices: 5000 })).toThrow(GeometryFault)
})
