import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Position } from '../model/geometry.ts'
import { type ClipBox, clipLine, clipPoint, clipRing } from './clip.ts'
import { doubleArea } from './ring.ts'

const box: ClipBox = { minX: 0, minY: 0, maxX: 10, maxY: 10 }

describe('clipLine', () => {
  it('keeps what is inside', () => {
    const line = [
      [1, 1],
      [2, 5],
      [10, 10],
    ]
    expect(clipLine(line, box)).toEqual([line])
    expect(
      clipLine(
        [
          [-5, 20],
          [20, 20],
        ],
        box,
      ),
    ).toEqual([])
  })

  it('cuts at the edges, and begins anew where the line comes back', () => {
    const line = [
      [-5, 5],
      [5, 5],
      [15, 5],
      [15, 8],
      [5, 8],
    ]
    expect(clipLine(line, box)).toEqual([
      [
        [0, 5],
        [5, 5],
        [10, 5],
      ],
      [
        [10, 8],
        [5, 8],
      ],
    ])
  })

  it('passes through without a position inside', () => {
    expect(
      clipLine(
        [
          [-10, 0],
          [10, 20],
        ],
        box,
      ),
    ).toEqual([
      [
        [0, 10],
        [0, 10],
      ],
    ])
    expect(
      clipLine(
        [
          [-10, -10],
          [20, 20],
        ],
        box,
      ),
    ).toEqual([
      [
        [0, 0],
        [10, 10],
      ],
    ])
  })
})

describe('clipRing', () => {
  const square = (min: number, max: number): readonly Position[] => [
    [min, min],
    [max, min],
    [max, max],
    [min, max],
    [min, min],
  ]

  it('keeps what is inside, cuts what crosses, fills the box from around it', () => {
    expect(clipRing(square(2, 4), box)).toEqual(square(2, 4))
    expect(doubleArea(clipRing(square(5, 20), box))).toBe(2 * 25)
    expect(doubleArea(clipRing(square(-100, 100), box))).toBe(2 * 100)
    expect(clipRing(square(11, 12), box)).toEqual([])
  })

  it('keeps the winding', () => {
    expect(doubleArea(clipRing(square(5, 20).toReversed(), box))).toBe(-2 * 25)
  })
})

const coordinate = fc.double({ min: -1e6, max: 1e6, noNaN: true })
const near = fc.double({ min: -20, max: 20, noNaN: true })
const position: fc.Arbitrary<Position> = fc.oneof(fc.tuple(near, near), fc.tuple(coordinate, coordinate))
const line = fc.array(position, { minLength: 2, maxLength: 12 })

describe('laws', () => {
  it('pieces of a line lie in the box, and its positions inside are kept in their order', () => {
    fc.assert(
      fc.property(line, (path) => {
        const pieces = clipLine(path, box).flat()
        for (const each of pieces) expect(clipPoint(each, box)).toBe(true)
        let at = 0
        for (const inside of path.filter((each) => clipPoint(each, box))) {
          at = pieces.indexOf(inside, at)
          expect(at).toBeGreaterThanOrEqual(0)
        }
      }),
    )
  })

  it('a ring is cut to a closed ring in the box, no larger than before', () => {
    fc.assert(
      fc.property(line, (path) => {
        const ring = [...path, path[0] ?? []]
        const cut = clipRing(ring, box)
        for (const each of cut) expect(clipPoint(each, box)).toBe(true)
        expect(cut.at(-1)).toEqual(cut[0])
      }),
    )
  })

  it('a convex ring loses only what lies outside', () => {
    const corner = fc.tuple(near, near, fc.double({ min: 0.5, max: 30, noNaN: true }))
    fc.assert(
      fc.property(corner, ([x, y, side]) => {
        const overlap = (from: number): number => Math.max(0, Math.min(from + side, 10) - Math.max(from, 0))
        const ring = [
          [x, y],
          [x + side, y],
          [x + side, y + side],
          [x, y + side],
          [x, y],
        ]
        expect(doubleArea(clipRing(ring, box)) / 2).toBeCloseTo(overlap(x) * overlap(y), 6)
      }),
    )
  })
})
