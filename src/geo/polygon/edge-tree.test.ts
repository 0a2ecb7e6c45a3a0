import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { seed } from '../../../test/support/seed.ts'
import type { Position } from '../../model/geometry.ts'
import { indexEdges, someEdgeNear } from './edge-index.ts'
import { edgeTree, locateBoxInTree, locateInTree, someEdgeInTree } from './edge-tree.ts'
import { locate, regionOf } from './region.ts'
import { spikyRings } from './spiky-rings.fixture.ts'

const coordinate = fc.integer({ min: -20, max: 20 })
const position = fc.tuple(coordinate, coordinate)
/** Any closed paths: they may cross and touch themselves and each other. */
const rings = fc.array(
  fc.array(position, { minLength: 3, maxLength: 60 }).map((path): readonly Position[] => [...path, path[0] ?? [0, 0]]),
  { minLength: 1, maxLength: 4 },
)
const place = fc.tuple(
  fc.oneof(coordinate, fc.double({ min: -22, max: 22, noNaN: true })),
  fc.oneof(coordinate, fc.double({ min: -22, max: 22, noNaN: true })),
)

describe('a tree of edges', () => {
  test('locates points as walking through all edges does', () => {
    fc.assert(
      fc.property(rings, fc.array(place, { minLength: 1, maxLength: 40 }), (paths, places) => {
        const exact = regionOf(paths, false)
        const tree = edgeTree(exact.edges, exact.bounds)
        // The first queries halve the cells; the later ones use the halves.
        for (const [x, y] of [...places, ...places, ...places]) {
          expect([x, y, locateInTree(tree, x, y)]).toEqual([x, y, locate(exact, x, y)])
        }
      }),
      { seed, numRuns: 500 },
    )
  })

  test('finds the edges near a box, each once', () => {
    fc.assert(
      fc.property(rings, fc.array(fc.tuple(place, place), { minLength: 1, maxLength: 30 }), (paths, corners) => {
        const { edges, bounds } = indexEdges(paths)
        const tree = edgeTree(edges, bounds)
        for (const [[ax, ay], [bx, by]] of corners) {
          const box = {
            west: Math.min(ax, bx),
            south: Math.min(ay, by),
            east: Math.max(ax, bx),
            north: Math.max(ay, by),
          }
          const near: unknown[] = []
          const found: unknown[] = []
          // Cells outside the box are not searched, so edges of which only the bounding box is near are excluded.
          const meets = regionOf([boxRing(box)], false)
          someEdgeNear({ edges, bounds, rows: [edges], rowsPerDegree: 0 }, box, (edge) => {
            near.push(edge)
            return false
          })
          someEdgeInTree(tree, box, (edge) => {
            found.push(edge)
            return false
          })
          expect(new Set(found).size).toBe(found.length)
          expect(near).toEqual(expect.arrayContaining(found))
          for (const edge of edges) {
            const touches = locate(meets, edge.ax, edge.ay) >= 0 || locate(meets, edge.bx, edge.by) >= 0
            if (touches && near.includes(edge)) expect(found).toContain(edge)
          }
        }
      }),
      { seed, numRuns: 200 },
    )
  })

  test('tells of a box only what holds for all of it', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true })
    fc.assert(
      fc.property(
        rings,
        fc.array(fc.tuple(place, place), { minLength: 1, maxLength: 20 }),
        fc.array(fc.tuple(share, share), { minLength: 1, maxLength: 10 }),
        (paths, corners, shares) => {
          const exact = regionOf(paths, false)
          const tree = edgeTree(exact.edges, exact.bounds)
          for (const [[ax, ay], [bx, by]] of [...corners, ...corners]) {
            const box = {
              west: Math.min(ax, bx),
              south: Math.min(ay, by),
              east: Math.max(ax, bx),
              north: Math.max(ay, by),
            }
            const location = locateBoxInTree(tree, box)
            if (location === 0) continue
            for (const [u, v] of [...shares, [0, 0], [1, 1], [0, 1], [1, 0]] as const) {
              const x = Math.min(box.east, box.west + u * (box.east - box.west))
              const y = Math.min(box.north, box.south + v * (box.north - box.south))
              expect(locate(exact, x, y)).toBe(location)
            }
          }
        },
      ),
      { seed, numRuns: 300 },
    )
  })

  test.each(Object.entries(spikyRings(5_000)))('%s: few edges are looked at for a point', (_name, paths) => {
    const { edges, bounds } = indexEdges(paths)
    const tree = edgeTree(edges, bounds)
    const { west, south, east, north } = bounds
    const random = fc.sample(
      fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true })),
      { seed, numRuns: 3_000 },
    )
    const points = random.map(([u, v]) => [west + u * (east - west), south + v * (north - south)] as const)
    for (const [x, y] of [...points, ...points]) locateInTree(tree, x, y)
    let looked = 0
    for (const [x, y] of points) {
      someEdgeInTree(tree, { west: x, south: y, east: x, north: y }, () => {
        looked++
        return false
      })
    }
    expect(looked / points.length).toBeLessThan(60)
  })
})

const boxRing = ({ west, south, east, north }: { west: number; south: number; east: number; north: number }) => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
]
