import { array, assert, boolean, double, integer, property, record } from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PointColumn } from '../../segment/column.ts'
import { distanceKey } from './page-distance.ts'

const lons = integer({ min: -180, max: 180 })
const lats = integer({ min: -90, max: 90 })
const shares = double({ min: 0, max: 1, noNaN: true })

describe('distances', () => {
  it('are not below the bounds of their block, and skipped only above the limit', () => {
    const cases = record({
      box: record({
        west: lons,
        south: lats,
        width: integer({ min: 0, max: 40 }),
        height: integer({ min: 0, max: 40 }),
      }),
      shares: array(record({ x: shares, y: shares }), { minLength: 1, maxLength: 8 }),
      lon: lons,
      lat: lats,
      descending: boolean(),
    })
    assert(
      property(cases, ({ box: { west, south, width, height }, shares: places, lon, lat, descending }) => {
        const east = Math.min(180, west + width)
        const north = Math.min(90, south + height)
        const column: PointColumn = {
          kind: 'point',
          type: 'GEO_POINT',
          lon: Float64Array.from(places, ({ x }) => Math.min(east, west + x * (east - west))),
          lat: Float64Array.from(places, ({ y }) => Math.min(north, south + y * (north - south))),
          high: new Uint32Array(places.length),
          low: new Uint32Array(places.length),
          blockBoxes: Float64Array.of(west, south, east, north),
        }
        const field = { path: 'at', type: 'GEO_POINT', indexed: true, nested: false } as const
        const { ranks } = distanceKey(
          column,
          { kind: 'distance', field, lon, lat, descending },
          { sign: descending ? -1 : 1, takesLargest: descending, missing: Infinity },
        )
        const rankOf = (row: number): number => ranks?.of(row) ?? Number.NaN
        const filled = new Float64Array(places.length)
        const limit = rankOf(0)
        ranks?.fill(0, places.length, filled, limit)
        for (const row of places.keys()) {
          expect(rankOf(row)).toBeGreaterThanOrEqual(ranks?.lowest?.(0) ?? Number.NaN)
          if (rankOf(row) <= limit) expect(filled[row]).toBe(rankOf(row))
          else expect(filled[row]).toBeGreaterThan(limit)
        }
      }),
      { numRuns: 1000 },
    )
  })
})
