import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { seed } from '../../../test/support/seed.ts'
import type { Position } from '../../model/geometry.ts'
import { edgesMeet, indexEdges } from '../polygon/edge-index.ts'
import { locate, regionOf } from '../polygon/region.ts'
import { spikyRings } from '../polygon/spiky-rings.fixture.ts'
import { isFlat, type Ring, windPolygon } from '../ring.ts'
import { prepareArea } from './prepared-area.ts'

describe.each(Object.entries(spikyRings(400)))('an area with a tree of its edges: %s', (_name, rings) => {
  const { coversPoint, coversShape, intersectsShape } = prepareArea({
    boxes: [],
    polygons: [windPolygon(rings)],
    lines: [],
    points: [],
  })
  const exact = regionOf(rings, false)
  const reach = fc.double({ min: -90, max: 90, noNaN: true })
  const step = fc.double({ min: -8, max: 8, noNaN: true })
  const triangle = fc
    .tuple(reach, reach, step, step, step, step)
    .map(
      ([x, y, a, b, c, d]): Ring =>
        [
          [x, y],
          [x + a, y + b],
          [x + c, y + d],
          [x, y],
        ] as readonly Position[],
    )
    .filter((ring) => ring.every(([x = 0, y = 0]) => Math.abs(x) <= 180 && Math.abs(y) <= 90) && !isFlat(ring))

  test('is told as edge by edge', () => {
    fc.assert(
      fc.property(triangle, (ring) => {
        const corners = ring.map(([x = 0, y = 0]) => locate(exact, x, y) >= 0)
        expect(ring.map(([x = 0, y = 0]) => coversPoint(x, y))).toEqual(corners)
        const { edges } = indexEdges([ring])
        const meets = edges.some((edge) => exact.edges.some((border) => edgesMeet(edge, border)))
        const holds = exact.edges.some(({ ax, ay }) => locate(regionOf([ring], false), ax, ay) >= 0)
        const shape = { polygons: [windPolygon([ring])], lines: [], points: [] }
        expect(intersectsShape(shape)).toBe(meets || holds || corners.includes(true))
        expect(coversShape(shape)).toBe(!meets && !holds && corners.every(Boolean))
      }),
      { seed, numRuns: 200 },
    )
  })
})
