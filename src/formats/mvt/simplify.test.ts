import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Position } from '../../model/geometry.ts'
import { simplifyPath, simplifyRing, squaredDistance } from './simplify.ts'

const grid: fc.Arbitrary<Position> = fc.tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 60 }))

/** True if every position is within the tolerance of the simplified path. */
function isNear(path: readonly Position[], simple: readonly Position[], tolerance: number): boolean {
  return path.every((each) =>
    simple.some((a, i) => squaredDistance(each, a, simple[i + 1] ?? a) <= tolerance ** 2 + 1e-9),
  )
}

describe('simplifyPath', () => {
  it('leaves out what lies on the way', () => {
    const path = [
      [0, 0],
      [1, 0],
      [2, 1],
      [3, 0],
      [10, 0],
    ]
    expect(simplifyPath(path, 2)).toEqual([
      [0, 0],
      [10, 0],
    ])
    expect(simplifyPath(path, 0.5)).toHaveLength(4)
  })

  it('keeps the ends, takes positions of the path in order, and stays near it', () => {
    fc.assert(
      fc.property(fc.array(grid, { minLength: 2, maxLength: 40 }), (path) => {
        const simple = simplifyPath(path, 2)
        expect([simple[0], simple.at(-1)]).toEqual([path[0], path.at(-1)])
        expect(simple.length).toBeLessThanOrEqual(path.length)
        expect(isNear(path, simple, 2)).toBe(true)
      }),
    )
  })

  it('takes a path of any length', () => {
    const straight = Array.from({ length: 200_000 }, (_, i) => [i, 0])
    const saw = straight.map(([x = 0], i) => [x, (i % 2) * 10])
    expect(simplifyPath(straight, 2).length).toBeLessThan(1_000)
    expect(simplifyPath(saw, 2).length).toBeGreaterThan(190_000)
  })
})

describe('simplifyRing', () => {
  it('stays closed and near', () => {
    fc.assert(
      fc.property(fc.array(grid, { minLength: 3, maxLength: 40 }), (path) => {
        const ring = [...path, path[0] ?? []]
        const simple = simplifyRing(ring, 2)
        expect(simple.at(-1)).toEqual(simple[0])
        expect(isNear(ring, simple, 2)).toBe(true)
      }),
    )
  })
})
