import { expect, test } from 'vitest'
import type { Area, Box } from '../area.ts'
import { GeometryFault } from '../geometry-fault.ts'
import { parseArea } from './filter-area.ts'
import { prepareArea } from './prepared-area.ts'

const parse = (value: string, righthand = true, maxVertices = 5000): Area =>
  parseArea(value, { righthand, maxVertices })

function reasonOf(value: string, righthand = true): string {
  try {
    parse(value, righthand)
  } catch (error) {
    if (error instanceof GeometryFault) return error.reason
    throw error
  }
  return 'accepted'
}

const box = (west: number, south: number, east: number, north: number): Box => ({ west, south, east, north })
const byWest = (boxes: readonly Box[]): readonly Box[] => boxes.toSorted((a, b) => a.west - b.west)

const SQUARE = 'POLYGON((-2 -2,2 -2,2 2,-2 2,-2 -2))'
const WIDE = 'POLYGON((-130 -2,-130 2,220 2,220 -2,-130 -2))'

test.each<[value: string, righthand: boolean, boxes: readonly Box[]]>([
  ['-5,-5,5,5', true, [box(-5, -5, 5, 5)]],
  [' -5 , -5e0 ,+5, .5e1 ', false, [box(-5, -5, 5, 5)]],
  ['170,-5,-170,5', true, [box(-180, -5, -170, 5), box(170, -5, 180, 5)]],
  ['10,-5,10,5', true, [box(10, -5, 10, 5)]],
  ['180,0,-165,5', true, [box(-180, 0, -165, 5), box(180, 0, 180, 5)]],
  [SQUARE, true, [box(-2, -2, 2, 2)]],
  [SQUARE, false, [box(-180, -2, -2, 2), box(2, -2, 180, 2)]],
  ['POLYGON((180 5,-165 5,-165 -5,180 -5,180 5))', false, [box(-180, -5, -165, 5)]],
  [WIDE, false, [box(-180, -2, -140, 2), box(-130, -2, 180, 2)]],
  [WIDE, true, [box(-140, -2, -130, 2)]],
  ['POLYGON((160 -2,160 2,-160 2,-160 -2,160 -2))', true, [box(-160, -2, 160, 2)]],
  ['POLYGON((160 -2,160 2,-160 2,-160 -2,160 -2))', false, [box(-180, -2, -160, 2), box(160, -2, 180, 2)]],
  // The ring begins on the antimeridian: nothing is left west of it.
  ['POLYGON((180 0,190 0,190 5,180 5,180 0))', true, [box(-180, 0, -170, 5)]],
  ['POLYGON((-190 0,-180 0,-180 5,-190 5,-190 0))', true, [box(170, 0, 180, 5)]],
  // Pieces that touch or overlap after the shift are merged.
  ['POLYGON((-350 0,10 0,10 5,-350 5,-350 0))', true, [box(-180, 0, 180, 5)]],
  ['POLYGON((-360 0,360 0,360 5,-360 5,-360 0))', true, [box(-180, 0, 180, 5)]],
  ['POLYGON((0 0,360 0,360 5,0 5,0 0))', true, [box(-180, 0, 180, 5)]],
  ['POLYGON((190.1 0,200.7 0,200.7 5,190.1 5,190.1 0))', true, [box(-169.9, 0, -159.3, 5)]],
  ['GEOMETRYCOLLECTION(POLYGON((0 0,5 0,5 5,0 5,0 0)),POLYGON((5 0,9 0,9 5,5 5,5 0)))', true, [box(0, 0, 9, 5)]],
  // Equal neighbours are collapsed before any check.
  ['polygon (( -2 -2,-2 -2,2 -2 , 2 -2,2 2,-2 2,-2 -2,-2 -2))', true, [box(-2, -2, 2, 2)]],
])('%s with righthand %s', (value, righthand, boxes) => {
  const area = parse(value, righthand)
  expect(area.polygons).toEqual([])
  expect(byWest(area.boxes)).toEqual(boxes)
})

test.each<[value: string, area: Partial<Area>]>([
  ['POINT(190 5)', { points: [[-170, 5]] }],
  ['POINT(180 5)', { points: [[180, 5]] }],
  ['POINT(-180 5)', { points: [[-180, 5]] }],
  [
    'MULTIPOINT(-360 5, (360 -0))',
    {
      points: [
        [0, 5],
        [0, 0],
      ],
    },
  ],
  [
    'LINESTRING(170 0,170 0,190 10)',
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
  [
    'LINESTRING(-170 0,-190 10)',
    {
      lines: [
        [
          [-170, 0],
          [-180, 5],
        ],
        [
          [180, 5],
          [170, 10],
        ],
      ],
    },
  ],
  [
    'LINESTRING(200 0,180 0,180 10,170 10)',
    {
      lines: [
        [
          [-160, 0],
          [-180, 0],
        ],
        [
          [180, 0],
          [180, 10],
          [170, 10],
        ],
      ],
    },
  ],
  [
    'LINESTRING(180 0,180 10)',
    {
      lines: [
        [
          [180, 0],
          [180, 10],
        ],
      ],
    },
  ],
  [
    'LINESTRING(-350 0,350 0)',
    {
      lines: [
        [
          [10, 0],
          [180, 0],
        ],
        [
          [-180, 0],
          [180, 0],
        ],
        [
          [-180, 0],
          [-10, 0],
        ],
      ],
    },
  ],
])('%s', (value, area) => {
  expect(parse(value)).toEqual({ boxes: [], polygons: [], lines: [], points: [], ...area })
})

test('touching polygons of one MULTIPOLYGON stay as they are', () => {
  const area = parse('MULTIPOLYGON(((0 0,5 0,5 5,0 0)),((5 5,9 5,9 9,5 5)))')
  expect(area.polygons).toEqual([
    [
      [
        [0, 0],
        [5, 0],
        [5, 5],
        [0, 0],
      ],
    ],
    [
      [
        [5, 5],
        [9, 5],
        [9, 9],
        [5, 5],
      ],
    ],
  ])
})

test('a C over the antimeridian has no edge between its arms', () => {
  const area = prepareArea(parse('POLYGON((170 0,190 0,190 2,175 2,175 8,190 8,190 10,170 10,170 0))'))
  const covered = (points: readonly (readonly [number, number])[]): readonly boolean[] =>
    points.map(([x, y]) => area.coversPoint(x, y))
  expect(
    covered([
      [180, 1],
      [-180, 1],
      [180, 9],
      [-175, 9],
      [172, 5],
      [180, 2],
      [-180, 8],
    ]),
  ).not.toContain(false)
  expect(
    covered([
      [180, 5],
      [-180, 5],
      [-175, 5],
      [180, 2.01],
      [-180, 7.99],
    ]),
  ).not.toContain(true)
})

test('a hole over the antimeridian, one beside it and one on it are kept', () => {
  const area = prepareArea(
    parse(
      'POLYGON((160 0,200 0,200 10,160 10,160 0),(178 4,182 4,182 6,178 6,178 4),(162 1,164 1,164 2,162 2,162 1),' +
        '(196 1,198 1,198 2,196 2,196 1),(170 1,180 1,180 2,170 2,170 1),(180 8,175 7,175 9,180 8))',
    ),
  )
  for (const [x, y] of [
    [179, 5],
    [180, 5],
    [-180, 5],
    [-179, 5],
    [163, 1.5],
    [-163, 1.5],
    [175, 1.5],
    [177, 8],
  ]) {
    expect([x, y, area.coversPoint(x ?? 0, y ?? 0)]).toEqual([x, y, false])
  }
  for (const [x, y] of [
    [178, 5],
    [177, 5],
    [-177, 5],
    [162, 1],
    [-180, 1.5],
    [180, 8],
    [180, 3],
    [180, 0.5],
  ]) {
    expect([x, y, area.coversPoint(x ?? 0, y ?? 0)]).toEqual([x, y, true])
  }
})

test('the limit counts the positions as written', () => {
  const square = 'POLYGON((0 0,0 0,1 0,1 1,0 1,0 0))'
  expect(() => parse(square, true, 6)).not.toThrow()
  expect(() => parse(square, true, 5)).toThrow(/limits\.vertices/)
})

/** A comb with long oblique teeth: all bounding boxes overlap. */
function comb(teeth: number, place: (x: number, y: number) => readonly [number, number]): string {
  const positions: (readonly [number, number])[] = []
  for (let i = 0; i < teeth; i++) {
    const [a, b] = [(i * 20) / teeth, ((i + 0.5) * 20) / teeth]
    positions.push(place(a, 1), place(a, 20), place(b, 20), place(b, 1))
  }
  positions.push(place(20, 1), place(20, 0), place(0, 0))
  return `POLYGON((${[...positions, ...positions.slice(0, 1)].map((p) => p.join(' ')).join(',')}))`
}

test('five thousand long edges are checked fast, and too many crossings are refused', () => {
  const oblique = comb(1240, (x, y) => [x + y, y])
  const upright = comb(1240, (x, y) => [x, y])
  const shortest = (text: string): number => {
    const times = Array.from({ length: 4 }, () => {
      const start = process.cpuUsage()
      expect(reasonOf(text, false)).toBe('accepted')
      return process.cpuUsage(start).user
    })
    return Math.min(...times)
  }
  // Comparing all pairs of edges would take hundreds of times as long.
  expect(shortest(oblique) / shortest(upright)).toBeLessThan(20)
  const crossed = `GEOMETRYCOLLECTION(${comb(600, (x, y) => [x, y])},${comb(600, (x, y) => [20 - y, x])})`
  expect(reasonOf(crossed, false)).toMatch(/too often/)
})
