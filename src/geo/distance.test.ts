import { expect, test } from 'vitest'
import { greatCircle } from './distance.ts'

const QUARTER = (Math.PI / 2) * 6371008.7714

test.each<[from: readonly [number, number], to: readonly [number, number], metres: number]>([
  [[0, 0], [0, 0], 0],
  [[0, 0], [90, 0], QUARTER],
  [[0, 0], [0, 90], QUARTER],
  [[-90, 0], [90, 0], 2 * QUARTER],
  [[179.5, 0], [-179.5, 0], QUARTER / 90],
  [[12, 90], [150, 90], 0],
])('%j to %j', ([lon1, lat1], [lon2, lat2], metres) => {
  expect(greatCircle(lon1, lat1, lon2, lat2)).toBeCloseTo(metres, 6)
})
