import { assert, double, property, record } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { areaOf } from './area/filter-area.ts'
import { prepareArea } from './area/prepared-area.ts'
import { circleAround } from './circle.ts'
import { greatCircle } from './distance.ts'

const contains = (lon: number, lat: number, metres: number, x: number, y: number): boolean =>
  prepareArea(areaOf(circleAround(lon, lat, metres), {})).coversPoint(x, y)

const within = (min: number, max: number) => double({ min, max, noNaN: true, noDefaultInfinity: true })

describe('circleAround', () => {
  it('contains the places that are near enough', () => {
    const cases = record({
      lon: within(-180, 180),
      lat: within(-90, 90),
      metres: within(1, 20_000_000),
      x: within(-180, 180),
      y: within(-90, 90),
    })
    assert(
      property(cases, ({ lon, lat, metres, x, y }) => {
        const distance = greatCircle(lon, lat, x, y)
        if (Math.abs(distance - metres) < metres * 1e-3 + 2_000) return
        expect(contains(lon, lat, metres, x, y)).toBe(distance < metres)
      }),
      { numRuns: 2000 },
    )
  })

  it.each([
    [0, 90, 1_000_000, 12, 85, true],
    [0, -90, 1_000_000, 12, -80, false],
    [0, 0, 20_000_000, 179, 0, true],
    [0, 0, 20_000_000, 180, 0, false],
    [179.9, 10, 50_000, -179.9, 10, true],
    [12, 48, 0, 12, 48, true],
    [3, 4, 21_000_000, -177, -4, true],
  ])('at %d, %d with %d m: %d, %d is %s', (lon, lat, metres, x, y, expected) => {
    expect(contains(lon, lat, metres, x, y)).toBe(expected)
  })
})
