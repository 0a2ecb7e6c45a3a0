import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Position } from '../../model/geometry.ts'
import { orientation } from '../orientation.ts'
import { collapse, doubleArea, isFlat, windPolygon } from '../ring.ts'
import { edgesMeet, indexEdges } from './edge-index.ts'
import type { Edge } from './edge-tree.ts'
import { regionOf } from './region.ts'
import { assemblePolygons } from './ring-assembly.ts'
import { findRingContact } from './ring-sweep.ts'
import { unionBoundary } from './union-boundary.ts'

const corner = fc.tuple(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 0, max: 6 }))

/** Closed rings on a small board, simple or not. */
const ring = fc
  .array(corner, { minLength: 3, maxLength: 8 })
  .map((corners): readonly Position[] => collapse([...corners, ...corners.slice(0, 1)]))
  .filter((positions) => positions.length > 3 && !isFlat(positions))

const simpleRing = ring.filter((positions) => findRingContact([positions]) === undefined)

/** True if two edges share more than the vertex that connects them. */
function improper(e: Edge, f: Edge, isNext: boolean): boolean {
  if (!isNext) return edgesMeet(e, f)
  const straight = orientation(e.ax, e.ay, e.bx, e.by, f.bx, f.by) === 0
  return straight && (e.bx - e.ax) * (f.bx - f.ax) + (e.by - e.ay) * (f.by - f.ay) < 0
}

test('a ring is simple when no two of its edges meet but neighbours in their common end', () => {
  fc.assert(
    fc.property(ring, (positions) => {
      const { edges } = indexEdges([positions])
      const n = edges.length
      const bad = edges.some((e, i) =>
        edges.some((f, j) => {
          if (i === j) return false
          if (j === (i + 1) % n) return improper(e, f, true)
          return i !== (j + 1) % n && improper(e, f, false)
        }),
      )
      expect(findRingContact([positions]) !== undefined).toBe(bad)
    }),
    { numRuns: 1500 },
  )
})

const area = (positions: readonly Position[]): number => Math.abs(doubleArea(positions)) / 2

/** Area of the union of two rings. */
const unitedArea = (a: readonly Position[], b: readonly Position[]): number =>
  assemblePolygons(unionBoundary([a, b].map((positions) => regionOf(windPolygon([positions]), false))))
    .flat()
    .reduce((sum, positions) => sum + doubleArea(positions) / 2, 0)

test('two rings without contact lie apart or one inside the other', () => {
  fc.assert(
    fc.property(simpleRing, simpleRing, (a, b) => {
      const common = area(a) + area(b) - unitedArea(a, b)
      const apart = [0, area(a), area(b)].some((expected) => Math.abs(expected - common) < 1e-9)
      const shares = indexEdges([a]).edges.some((e) =>
        indexEdges([b]).edges.some((f) => {
          const onLine = (x: number, y: number): boolean => orientation(e.ax, e.ay, e.bx, e.by, x, y) === 0
          if (!onLine(f.ax, f.ay) || !onLine(f.bx, f.by)) return false
          const at = (x: number, y: number): number => x * (e.bx - e.ax) + y * (e.by - e.ay)
          const [low, high] = [at(e.ax, e.ay), at(e.bx, e.by)]
          return Math.min(at(f.ax, f.ay), at(f.bx, f.by)) < high && Math.max(at(f.ax, f.ay), at(f.bx, f.by)) > low
        }),
      )
      expect(findRingContact([a, b]) === undefined).toBe(apart && !shares)
    }),
    { numRuns: 1500 },
  )
})
