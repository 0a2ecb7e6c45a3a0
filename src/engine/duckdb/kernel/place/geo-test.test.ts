import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seed } from '../../../../../test/support/seed.ts'
import { parseArea } from '../../../../geo/area/filter-area.ts'
import { prepareArea } from '../../../../geo/area/prepared-area.ts'
import type { Area } from '../../../../geo/area.ts'
import { spikyRings } from '../../../../geo/polygon/spiky-rings.fixture.ts'
import { windPolygon } from '../../../../geo/ring.ts'
import { normaliseShape, type Shape } from '../../../../geo/shape/shape.ts'
import type { Position } from '../../../../model/geometry.ts'
import type { GeoPredicate } from '../../../../query/plan/predicate.ts'
import type { PointColumn } from '../../segment/column.ts'
import { candidateCount } from '../row-test.ts'
import {
  bareRows,
  boxesOfBlocks,
  centreOf,
  expectRows,
  pointArrays,
  randomGeometry,
  randomNumbers,
  randomPosition,
  shapeColumn,
  sortByKey,
} from './geo-rows.fixture.ts'
import { compileGeoTest } from './geo-test.ts'

const pointField = { path: 'place', type: 'GEO_POINT', indexed: true, nested: false } as const
const shapeField = { path: 'outline', type: 'GEO_SHAPE', indexed: true, nested: false } as const

const area = (text: string): Area => parseArea(text, { righthand: true, maxVertices: 5000 })

const circle = (x: number, y: number, radius: number, vertices: number): string => {
  const positions = Array.from({ length: vertices }, (_, i) => {
    const angle = (2 * Math.PI * i) / vertices
    return `${x + radius * Math.cos(angle)} ${y + radius * Math.sin(angle)}`
  })
  return `POLYGON((${[...positions, positions[0]].join(',')}))`
}

const ofPolygon = (rings: readonly (readonly Position[])[]): Area => ({
  boxes: [],
  polygons: [windPolygon(rings)],
  lines: [],
  points: [],
})

const areas: readonly (readonly [string, Area])[] = [
  ['a box', area('-10,-5,30,25')],
  ['a box with the edges on points', area('-8,-4,12,20')],
  ['a box over the antimeridian', area('150,-40,-160,10')],
  ['the world', area('-180,-90,180,90')],
  ['a box at a pole', area('-180,84,180,90')],
  ['a flat box', { boxes: [{ west: 8, south: -40, east: 8, north: 40 }], polygons: [], lines: [], points: [] }],
  ['a triangle', area('POLYGON((-30 -20,60 -10,10 50,-30 -20))')],
  ['a circle', area(circle(10, 10, 30, 200))],
  ['a circle of many vertices', area(circle(-40, 20, 35, 400))],
  [
    'a polygon with a hole',
    area('POLYGON((-60 -60,60 -60,60 60,-60 60,-60 -60),(-20 -20,-20 20,20 20,20 -20,-20 -20))'),
  ],
  ['a polygon over the antimeridian', area('POLYGON((160 -30,210 -20,190 40,160 -30))')],
  ['a line', area('LINESTRING(-90 0,90 4)')],
  ['points', area('MULTIPOINT((0 0),(12 20),(-8 4))')],
  ['a collection', area('GEOMETRYCOLLECTION(POINT(40 40),LINESTRING(0 0,20 20),POLYGON((9 9,11 9,11 31,9 9)))')],
  ...Object.entries(spikyRings(60)).map(([name, rings]) => [name, ofPolygon(rings)] as const),
]

const MANY = 5000

const geo = (field: GeoPredicate['field'], of: Area, relation: GeoPredicate['relation'] = 'within'): GeoPredicate => ({
  kind: 'geo',
  field,
  relation,
  area: of,
})

const blocksOf = (places: readonly (Position | undefined)[]): Float64Array =>
  boxesOfBlocks(places.map((place) => (place ? [place] : [])))

describe.each(areas)('points in %s', (_name, of) => {
  const { coversPoint } = prepareArea(of)
  const covers = (place: Position | undefined): boolean =>
    place !== undefined && coversPoint(place[0] ?? 0, place[1] ?? 0)

  it('are found in any order of the rows', () => {
    fc.assert(
      fc.property(fc.nat(), fc.boolean(), fc.boolean(), fc.nat(MANY), (start, isSorted, isSegment, count) => {
        const random = randomNumbers(start)
        const drawn = Array.from({ length: count }, () => (random() < 0.02 ? undefined : randomPosition(random)))
        const places = isSorted ? sortByKey(drawn, (place) => place) : drawn
        const column: PointColumn = {
          kind: 'point',
          type: 'GEO_POINT',
          ...pointArrays(places),
          ...(isSegment ? { blockBoxes: blocksOf(places) } : {}),
        }
        const test = compileGeoTest(geo(pointField, of), column, bareRows(count, isSorted ? 'place' : undefined))
        expectRows(test, count, (row) => covers(places[row]), random)
      }),
      { seed, numRuns: 6 },
    )
  })

  it('are found if rows have several', () => {
    const random = randomNumbers(seed)
    const lists = Array.from({ length: MANY }, () =>
      Array.from({ length: Math.floor(random() * 4) }, () => randomPosition(random)),
    )
    const starts = new Uint32Array(lists.length + 1)
    for (const [row, list] of lists.entries()) starts[row + 1] = (starts[row] ?? 0) + list.length
    const column: PointColumn = {
      kind: 'point',
      type: 'GEO_POINT',
      ...pointArrays(lists.flat()),
      starts,
      blockBoxes: boxesOfBlocks(lists),
    }
    const test = compileGeoTest(geo(pointField, of), column, bareRows(lists.length, 'place'))
    expectRows(test, lists.length, (row) => lists[row]?.some(covers) === true, random)
  })
})

it('leaves few rows to test if they are sorted', () => {
  const random = randomNumbers(1)
  const places = sortByKey(
    Array.from({ length: 100_000 }, (): Position => [random() * 360 - 180, random() * 160 - 80]),
    (place) => place,
  )
  const column: PointColumn = { kind: 'point', type: 'GEO_POINT', ...pointArrays(places) }
  const { candidates } = compileGeoTest(
    geo(pointField, area(circle(0, 0, 30, 100))),
    column,
    bareRows(100_000, 'place'),
  )
  const { coversPoint } = prepareArea(area(circle(0, 0, 30, 100)))
  const matching = places.filter(([x = 0, y = 0]) => coversPoint(x, y)).length
  expect(candidates && candidateCount(candidates)).toBeLessThan(1.6 * matching)
})

describe.each(areas)('shapes and %s', (_name, of) => {
  const exact = prepareArea(of)
  it.each(['within', 'intersects'] as const)('%s', (relation) => {
    const random = randomNumbers(seed)
    const shapes = sortByKey(
      Array.from({ length: MANY }, (): Shape | undefined =>
        random() < 0.02 ? undefined : normaliseShape(randomGeometry(random)),
      ),
      centreOf,
    )
    const column = shapeColumn(shapes)
    const test = compileGeoTest(geo(shapeField, of, relation), column, bareRows(MANY, 'outline'))
    const matches = relation === 'within' ? exact.coversShape : exact.intersectsShape
    expectRows(test, MANY, (row) => shapes[row] !== undefined && matches(shapes[row]), random)
  })
})
