import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compareMidpoint, midpointOrientation, orientation } from './orientation.ts'

/** Every double of moderate size is an integer in units of 2^-80. */
const exact = (x: number): bigint => {
  const whole = Math.trunc(x)
  return (BigInt(whole) << 80n) + BigInt((x - whole) * 2 ** 80)
}

const sign = (x: bigint): number => (x > 0n ? 1 : x < 0n ? -1 : 0)

function exactOrientation(points: readonly number[]): number {
  const [ax = 0n, ay = 0n, bx = 0n, by = 0n, cx = 0n, cy = 0n] = points.map(exact)
  return sign((ax - cx) * (by - cy) - (ay - cy) * (bx - cx))
}

/** Short decimals, and adjacent doubles. */
const ordinate = fc
  .tuple(fc.integer({ min: -36000, max: 36000 }), fc.integer({ min: -2, max: 2 }))
  .map(([hundredths, steps]) => hundredths / 100 + steps * 2 ** -45)

test('the sign is exact', () => {
  fc.assert(
    fc.property(fc.array(ordinate, { minLength: 6, maxLength: 6 }), (points) => {
      const [ax = 0, ay = 0, bx = 0, by = 0, cx = 0, cy = 0] = points
      expect(Math.sign(orientation(ax, ay, bx, by, cx, cy))).toBe(exactOrientation(points))
    }),
    { numRuns: 2000 },
  )
})

test('the sign is exact for points very near to a line', () => {
  fc.assert(
    fc.property(
      ordinate,
      ordinate,
      ordinate,
      ordinate,
      fc.double({ min: 0, max: 1, noNaN: true }),
      (ax, ay, bx, by, t) => {
        const [cx, cy] = [ax + (bx - ax) * t, ay + (by - ay) * t]
        fc.pre(Math.abs(cx) > 1e-3 && Math.abs(cy) > 1e-3)
        expect(Math.sign(orientation(ax, ay, bx, by, cx, cy))).toBe(exactOrientation([ax, ay, bx, by, cx, cy]))
      },
    ),
    { numRuns: 2000 },
  )
})

test('midpoints need not be doubles', () => {
  const tiny = 2 ** -50
  expect(compareMidpoint(1, 1 + 2 * tiny, 1)).toBeGreaterThan(0)
  expect(compareMidpoint(1, 1 + tiny / 4, 1)).toBeGreaterThan(0)
  fc.assert(
    fc.property(fc.array(ordinate, { minLength: 8, maxLength: 8 }), (points) => {
      const [ax = 0, ay = 0, bx = 0, by = 0, cx = 0, cy = 0, dx = 0, dy = 0] = points
      const [ax2 = 0n, ay2 = 0n, bx2 = 0n, by2 = 0n] = [ax, ay, bx, by].map((x) => exact(x) * 2n)
      const [mx, my] = [exact(cx) + exact(dx), exact(cy) + exact(dy)]
      const expected = sign((ax2 - mx) * (by2 - my) - (ay2 - my) * (bx2 - mx))
      expect(Math.sign(midpointOrientation(ax, ay, bx, by, cx, cy, dx, dy))).toBe(expected)
      expect(Math.sign(compareMidpoint(cx, dx, ax))).toBe(sign(mx - ax2))
    }),
    { numRuns: 1000 },
  )
})
