import type { Position } from '../../model/geometry.ts'
import { orientation } from '../orientation.ts'

/** An invalid contact of rings: one touches or crosses itself, or two cross or share (part of) an edge. */
type RingContact =
  | { readonly kind: 'self'; readonly ring: number }
  | { readonly kind: 'pair'; readonly rings: readonly [number, number] }

/** An edge from its smaller end to its larger one, ordered by x, then y. */
interface Segment {
  readonly lx: number
  readonly ly: number
  readonly rx: number
  readonly ry: number
  readonly ring: number
  /** True if the ring runs from the smaller end to the larger one. */
  readonly forward: boolean
}

/** The first contact found; if none, the innermost ring around each. */
type RingSweep =
  | { readonly contact: RingContact; readonly around?: undefined }
  | { readonly contact?: undefined; readonly around: readonly (number | undefined)[] }

interface Event {
  readonly x: number
  readonly y: number
  readonly segment: Segment
  readonly starts: boolean
}

/**
 * Finds a contact. Without one, every ring is simple and different rings meet in single points at most, without
 * crossing there. Rings are closed, have at least three different positions and no equal neighbours.
 *
 * A plane sweep (M. I. Shamos and D. Hoey, Geometric Intersection Problems, 1976) from point to point in the order of
 * x, then y. Edges on the sweep line are kept from bottom to top; that order holds until the first crossing, and the
 * two edges of a crossing are neighbours before it. Contacts at vertices are checked when the sweep reaches them. All
 * comparisons are exact.
 */
export function sweepRings(rings: readonly (readonly Position[])[]): RingSweep {
  const events = ringEvents(rings)
  const nesting = new Nesting(rings.length)
  const status: Segment[] = []
  let next = 0
  for (let first = events[0]; first; first = events[next]) {
    const { x, y } = first
    const starting: Segment[] = []
    const ending: Segment[] = []
    for (let event = events[next]; event && event.x === x && event.y === y; event = events[++next]) {
      ;(event.starts ? starting : ending).push(event.segment)
    }
    const low = lowestAt(status, x, y)
    let high = low
    let passing: Segment | undefined
    for (let segment = status[high]; segment && side(segment, x, y) === 0; segment = status[++high]) {
      if (segment.rx === x && segment.ry === y) continue
      if (passing) return { contact: contact(passing, segment) }
      passing = segment
    }
    const found = contactAt(x, y, starting, ending, passing)
    if (found) return { contact: found }
    const leaving = passing ? [...starting, passing] : starting
    if (leaving.length > 1) leaving.sort((a, b) => orientation(x, y, b.rx, b.ry, a.rx, a.ry))
    status.splice(low, high - low, ...leaving)
    leaving.forEach((segment, i) => {
      nesting.meet(segment, status[low + i - 1])
    })
    const crossing =
      crossingOf(status[low - 1], status[low]) ??
      crossingOf(status[low + leaving.length - 1], status[low + leaving.length])
    if (crossing) return { contact: crossing }
  }
  return { around: nesting.around }
}

export const findRingContact = (rings: readonly (readonly Position[])[]): RingContact | undefined =>
  sweepRings(rings).contact

/** Nesting of the rings. The sweep first reaches a ring at its smallest vertex, by the lower of the two edges there. */
class Nesting {
  readonly around: (number | undefined)[]
  /** For each ring reached: the direction of its lower edges, which have the inside above. */
  readonly #lowerLeadsForward: (boolean | undefined)[]

  constructor(rings: number) {
    this.around = new Array(rings).fill(undefined)
    this.#lowerLeadsForward = new Array(rings).fill(undefined)
  }

  /** Called for segments from the lowest to the highest; `below` is the next one down on the sweep line. */
  meet({ ring, forward }: Segment, below: Segment | undefined): void {
    if (this.#lowerLeadsForward[ring] !== undefined) return
    this.#lowerLeadsForward[ring] = forward
    if (!below) return
    const hasInsideAbove = this.#lowerLeadsForward[below.ring] === below.forward
    this.around[ring] = hasInsideAbove ? below.ring : this.around[below.ring]
  }
}

function ringEvents(rings: readonly (readonly Position[])[]): Event[] {
  const events: Event[] = []
  rings.forEach((positions, ring) => {
    let previous: Position | undefined
    for (const position of positions) {
      if (previous) {
        const [ax = 0, ay = 0] = previous
        const [bx = 0, by = 0] = position
        const forward = ax < bx || (ax === bx && ay < by)
        const segment = forward
          ? { lx: ax, ly: ay, rx: bx, ry: by, ring, forward }
          : { lx: bx, ly: by, rx: ax, ry: ay, ring, forward }
        events.push({ x: segment.lx, y: segment.ly, segment, starts: true })
        events.push({ x: segment.rx, y: segment.ry, segment, starts: false })
      }
      previous = position
    }
  })
  return events.sort((a, b) => a.x - b.x || a.y - b.y)
}

/** Positive if the point is above the segment. */
function side(s: Segment, x: number, y: number): number {
  return orientation(s.lx, s.ly, s.rx, s.ry, x, y)
}

/** Returns the index of the first segment in the status that is not below the point. */
function lowestAt(status: readonly Segment[], x: number, y: number): number {
  let from = 0
  let to = status.length
  while (from < to) {
    const middle = (from + to) >>> 1
    const segment = status[middle]
    if (segment && side(segment, x, y) > 0) from = middle + 1
    else to = middle
  }
  return from
}

function contact(a: Segment, b: Segment): RingContact {
  return a.ring === b.ring ? { kind: 'self', ring: a.ring } : { kind: 'pair', rings: [a.ring, b.ring] }
}

/** Returns a crossing in the interiors of two neighbours; contacts at a vertex are found when the sweep reaches it. */
function crossingOf(a: Segment | undefined, b: Segment | undefined): RingContact | undefined {
  if (!a || !b) return undefined
  const bl = side(a, b.lx, b.ly)
  const br = side(a, b.rx, b.ry)
  if (!((bl > 0 && br < 0) || (bl < 0 && br > 0))) return undefined
  const al = side(b, a.lx, a.ly)
  const ar = side(b, a.rx, a.ry)
  return (al > 0 && ar < 0) || (al < 0 && ar > 0) ? contact(a, b) : undefined
}

/** An edge at the point, with its other end. */
interface Arm {
  readonly x: number
  readonly y: number
  readonly segment: Segment
}

function contactAt(
  x: number,
  y: number,
  starting: readonly Segment[],
  ending: readonly Segment[],
  passing: Segment | undefined,
): RingContact | undefined {
  const [one, other] = [...starting, ...ending]
  // Fast path: almost every vertex joins two edges of its ring and meets no other.
  if (one && other && !passing && starting.length + ending.length === 2 && one.ring === other.ring) {
    if (starting.length === 1) return undefined
    const turn =
      starting.length === 2
        ? orientation(x, y, one.rx, one.ry, other.rx, other.ry)
        : orientation(x, y, one.lx, one.ly, other.lx, other.ly)
    return turn === 0 ? contact(one, other) : undefined
  }
  const arms: Arm[] = [
    ...starting.map((segment) => ({ x: segment.rx, y: segment.ry, segment })),
    ...ending.map((segment) => ({ x: segment.lx, y: segment.ly, segment })),
  ]
  if (passing) {
    arms.push({ x: passing.rx, y: passing.ry, segment: passing }, { x: passing.lx, y: passing.ly, segment: passing })
  }
  const met = new Map<number, number>()
  for (const { ring } of arms.map((arm) => arm.segment)) {
    const count = (met.get(ring) ?? 0) + 1
    if (count > 2) return { kind: 'self', ring }
    met.set(ring, count)
  }
  arms.sort((a, b) => compareDirections(x, y, a, b))
  // No two arms may have the same direction, and rings must not alternate: their pairs of arms nest like brackets.
  const open: Arm[] = []
  let previous: Arm | undefined
  for (const arm of arms) {
    if (previous && compareDirections(x, y, previous, arm) === 0) return contact(previous.segment, arm.segment)
    previous = arm
    const opened = open.at(-1)
    if (opened?.segment.ring === arm.segment.ring) open.pop()
    else open.push(arm)
  }
  const [first, second] = open
  return first && second ? contact(first.segment, second.segment) : undefined
}

/** Counter-clockwise order of directions around the point, starting just after straight down. */
function compareDirections(x: number, y: number, a: Arm, b: Arm): number {
  const aRight = a.x > x || (a.x === x && a.y > y)
  const bRight = b.x > x || (b.x === x && b.y > y)
  if (aRight !== bRight) return aRight ? -1 : 1
  return -orientation(x, y, a.x, a.y, b.x, b.y)
}
