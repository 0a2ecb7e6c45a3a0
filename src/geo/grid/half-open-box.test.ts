import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Edge } from '../polygon/edge-tree.ts'
import { type HalfOpenBox, halfOpenHolds, halfOpenMeets } from './half-open-box.ts'

const southern: HalfOpenBox = { west: 0, east: 4, held: 0, open: 4 }
const northern: HalfOpenBox = { west: 0, east: 4, held: 4, open: 0 }

const edge = (ax: number, ay: number, bx: number, by: number): Edge => ({ ax, ay, bx, by })

test.each<[name: string, segment: Edge, ofSouth: boolean, ofNorth: boolean]>([
  ['along the western edge', edge(0, 1, 0, 2), true, true],
  ['along the eastern edge', edge(4, 1, 4, 2), false, false],
  ['along the southern edge', edge(1, 0, 2, 0), true, false],
  ['along the northern edge', edge(1, 4, 2, 4), false, true],
  ['ending at the eastern edge from outside', edge(6, 2, 4, 2), false, false],
  ['ending at the eastern edge from inside', edge(4, 2, 3, 2), true, true],
  ['through the south-western corner only', edge(-1, 1, 1, -1), true, false],
  ['through the north-western corner only', edge(-1, 3, 1, 5), false, true],
  ['through the south-eastern corner only', edge(3, -1, 5, 1), false, false],
  ['through the north-eastern corner only', edge(3, 5, 5, 3), false, false],
  ['along a diagonal, from corner to corner', edge(0, 0, 4, 4), true, true],
  ['along a diagonal, beyond the north-eastern corner', edge(4, 4, 5, 5), false, false],
  ['along the whole northern line', edge(-1, 4, 5, 4), false, true],
  ['through the middle, both ends outside', edge(-1, 2, 9, 3), true, true],
])('a segment %s', (_name, segment, ofSouth, ofNorth) => {
  expect(halfOpenMeets(southern, segment)).toBe(ofSouth)
  expect(halfOpenMeets(northern, segment)).toBe(ofNorth)
  const back = edge(segment.bx, segment.by, segment.ax, segment.ay)
  expect(halfOpenMeets(southern, back)).toBe(ofSouth)
  expect(halfOpenMeets(northern, back)).toBe(ofNorth)
})

/** A fraction of the way along a segment, and whether the end point is included. */
interface End {
  readonly over: number
  readonly under: number
  readonly closed: boolean
}

/** Cuts the segment by each of the four sides in turn; integers keep it exact. */
function meetsByClipping({ west, east, held, open }: HalfOpenBox, { ax, ay, bx, by }: Edge): boolean {
  const north = held < open
  const sides = [
    { at: ax - west, grows: bx - ax, closed: true },
    { at: east - ax, grows: ax - bx, closed: false },
    { at: north ? ay - held : held - ay, grows: north ? by - ay : ay - by, closed: true },
    { at: north ? open - ay : ay - open, grows: north ? ay - by : by - ay, closed: false },
  ]
  let from: End = { over: 0, under: 1, closed: true }
  let to: End = { over: 1, under: 1, closed: true }
  for (const { at, grows, closed } of sides) {
    if (grows === 0 && (at < 0 || (at === 0 && !closed))) return false
    if (grows === 0) continue
    const end: End = { over: grows > 0 ? -at : at, under: Math.abs(grows), closed }
    if (grows > 0) from = compare(end, from) > 0 || (compare(end, from) === 0 && !closed) ? end : from
    else to = compare(end, to) < 0 || (compare(end, to) === 0 && !closed) ? end : to
  }
  return compare(from, to) < 0 || (compare(from, to) === 0 && from.closed && to.closed)
}

const compare = (a: End, b: End): number => a.over * b.under - b.over * a.under

test('segments on a lattice meet a box as exact clipping says', () => {
  const whole = fc.integer({ min: -3, max: 8 })
  fc.assert(
    fc.property(whole, whole, whole, whole, fc.constantFrom(southern, northern), (ax, ay, bx, by, box) => {
      fc.pre(ax !== bx || ay !== by)
      expect(halfOpenMeets(box, edge(ax, ay, bx, by))).toBe(meetsByClipping(box, edge(ax, ay, bx, by)))
    }),
    { numRuns: 20_000 },
  )
})

test('points', () => {
  expect(halfOpenHolds(southern, 0, 0)).toBe(true)
  expect(halfOpenHolds(southern, 0, 4)).toBe(false)
  expect(halfOpenHolds(northern, 0, 0)).toBe(false)
  expect(halfOpenHolds(northern, 0, 4)).toBe(true)
  expect(halfOpenHolds(northern, 4, 2)).toBe(false)
})
