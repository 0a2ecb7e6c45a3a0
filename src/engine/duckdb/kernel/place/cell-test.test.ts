import { describe, it } from 'vitest'
import { seed } from '../../../../../test/support/seed.ts'
import { geohashOf } from '../../../../geo/geohash.ts'
import { type Cell, cellName, pointInCell } from '../../../../geo/grid/cell.ts'
import { meetsCell } from '../../../../geo/grid/shape-cells.ts'
import { tileOf } from '../../../../geo/grid/tile.ts'
import { normaliseShape, type Shape } from '../../../../geo/shape/shape.ts'
import type { Position } from '../../../../model/geometry.ts'
import type { CellPredicate } from '../../../../query/plan/predicate.ts'
import { compileCellTest } from './cell-test.ts'
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

const pointField = { path: 'place', type: 'GEO_POINT', indexed: true, nested: false } as const
const shapeField = { path: 'outline', type: 'GEO_SHAPE', indexed: true, nested: false } as const

const tile = (z: number, lon: number, lat: number): Cell => ({ kind: 'tile', z, ...tileOf(lon, lat, z) })
const geohash = (length: number, lon: number, lat: number): Cell => ({
  kind: 'geohash',
  hash: geohashOf(lon, lat, length),
})

/** Cells at 0, 0 have random points on their corners. */
const cells: readonly Cell[] = [
  tile(0, 0, 0),
  ...[1, 2, 5, 13, 14, 15, 29].flatMap((z) => [tile(z, 0, 0), tile(z, -0.001, 0.001)]),
  tile(3, 180, 90),
  tile(4, -180, -90),
  ...[1, 2, 3, 4, 8, 12].flatMap((length) => [geohash(length, 0, 0), geohash(length, -0.001, -0.001)]),
  geohash(2, 180, 90),
  geohash(3, -180, -90),
]

const MANY = 5000
const by = (field: CellPredicate['field'], cell: Cell, of: CellPredicate['by']): CellPredicate => ({
  kind: 'cell',
  field,
  cell,
  by: of,
})

describe.each(cells.map((cell) => [`${cell.kind} ${cellName(cell)}`, cell] as const))('%s', (_name, cell) => {
  const inCell = pointInCell(cell)
  const holds = (place: Position | undefined): boolean => place !== undefined && inCell(place[0] ?? 0, place[1] ?? 0)

  it.each([true, false])('has points; rows are sorted: %s', (isSorted) => {
    const random = randomNumbers(seed)
    const drawn = Array.from({ length: MANY }, () => (random() < 0.02 ? undefined : randomPosition(random)))
    const places = isSorted ? sortByKey(drawn, (place) => place) : drawn
    const blockBoxes = boxesOfBlocks(places.map((place) => (place ? [place] : [])))
    const column = { kind: 'point', type: 'GEO_POINT', ...pointArrays(places), blockBoxes } as const
    const test = compileCellTest(by(pointField, cell, 'point'), column, bareRows(MANY, isSorted ? 'place' : undefined))
    expectRows(test, MANY, (row) => holds(places[row]), random)
  })

  it('has one of several points of a row', () => {
    const random = randomNumbers(seed)
    const lists = Array.from({ length: MANY }, () =>
      Array.from({ length: Math.floor(random() * 4) }, () => randomPosition(random)),
    )
    const starts = new Uint32Array(lists.length + 1)
    for (const [row, list] of lists.entries()) starts[row + 1] = (starts[row] ?? 0) + list.length
    const column = { kind: 'point', type: 'GEO_POINT', ...pointArrays(lists.flat()), starts } as const
    const test = compileCellTest(by(pointField, cell, 'point'), column, bareRows(MANY, 'place'))
    expectRows(test, MANY, (row) => lists[row]?.some(holds) === true, random)
  })

  it.each(['point', 'shape'] as const)('has shapes by %s', (of) => {
    const random = randomNumbers(seed)
    const shapes = sortByKey(
      Array.from({ length: MANY / 2 }, (): Shape | undefined =>
        random() < 0.02 ? undefined : normaliseShape(randomGeometry(random)),
      ),
      centreOf,
    )
    const matches = of === 'point' ? (shape: Shape) => holds(centreOf(shape)) : meetsCell(cell)
    const test = compileCellTest(by(shapeField, cell, of), shapeColumn(shapes), bareRows(shapes.length, 'outline'))
    expectRows(test, shapes.length, (row) => shapes[row] !== undefined && matches(shapes[row]), random)
  })
})
