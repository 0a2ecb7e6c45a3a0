import fc from 'fast-check'
import { expect, test } from 'vitest'
import { seed } from '../../../test/support/seed.ts'
import type { Position } from '../../model/geometry.ts'
import type { Ring } from '../ring.ts'
import { polygonFault } from './polygon-fault.ts'
import { polygonFaultByPairs } from './polygon-fault-oracle.fixture.ts'
import { sweepRings } from './ring-sweep.ts'

const box = (x: number, y: number, width: number, height: number): Ring => [
  [x, y],
  [x + width, y],
  [x + width, y + height],
  [x, y + height],
  [x, y],
]
const diamond = (x: number, y: number, r: number): Ring => [
  [x - r, y],
  [x, y - r],
  [x + r, y],
  [x, y + r],
  [x - r, y],
]
const triangle = (x: number, y: number, r: number): Ring =>
  [
    [x, y],
    [x + r, y],
    [x, y + r],
    [x, y],
  ] as const

const place = fc.integer({ min: 0, max: 16 })
const size = fc.integer({ min: 1, max: 12 })
const ring = fc
  .oneof(
    fc.tuple(place, place, size, size).map(([x, y, w, h]) => box(x, y, w, h)),
    fc.tuple(place, place, size).map(([x, y, r]) => diamond(x, y, r)),
    fc.tuple(place, place, size).map(([x, y, r]) => triangle(x, y, r)),
  )
  .chain((drawn) => fc.boolean().map((turned) => (turned ? drawn.toReversed() : drawn)))

/** Rings without contact, most of them nested. */
const rings = fc.array(ring, { minLength: 2, maxLength: 9 }).map((drawn) => {
  const kept: Ring[] = []
  for (const each of drawn) if (sweepRings([...kept, each]).contact === undefined) kept.push(each)
  return kept
})

function dealt(all: readonly Ring[], cuts: readonly boolean[]): readonly (readonly Ring[])[] {
  const polygons: Ring[][] = []
  all.forEach((each, i) => {
    if (i === 0 || cuts[i] === true) polygons.push([each])
    else polygons.at(-1)?.push(each)
  })
  return polygons
}

test('rings are nested as comparing each with each other tells', () => {
  fc.assert(
    fc.property(rings, fc.array(fc.boolean(), { maxLength: 9 }), (all, cuts) => {
      const polygons = dealt(all, cuts)
      expect(polygonFault(polygons)).toBe(polygonFaultByPairs(polygons))
    }),
    { seed, numRuns: 3000 },
  )
})

test('so are rings of any form', () => {
  fc.assert(
    fc.property(
      fc.array(ring, { minLength: 1, maxLength: 4 }),
      fc.array(fc.boolean(), { maxLength: 4 }),
      (all, cuts) => {
        const polygons = dealt(all, cuts)
        expect(polygonFault(polygons)).toBe(polygonFaultByPairs(polygons))
      },
    ),
    { seed, numRuns: 2000 },
  )
})

test('the innermost ring around each is told', () => {
  const all: readonly Ring[] = [box(4, 4, 1, 1), box(0, 0, 20, 20), box(2, 2, 6, 6), box(9, 2, 3, 3), diamond(5, 7, 1)]
  expect(sweepRings(all).around).toEqual([2, undefined, 1, 1, 2])
})

test('a ring that touches another in a corner lies in it or beside it', () => {
  const outer: Ring = [
    [0, 0],
    [10, 0],
    [10, 10],
    [0, 10],
    [0, 0],
  ] as readonly Position[]
  expect(sweepRings([outer, triangle(0, 0, 3)]).contact).toBeDefined()
  expect(sweepRings([outer, diamond(5, 5, 5)]).around).toEqual([undefined, 0])
  expect(sweepRings([diamond(-2, 0, 2), outer]).around).toEqual([undefined, undefined])
})
