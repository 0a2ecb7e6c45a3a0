import { orientation } from '../orientation.ts'
import { boxesMeet } from '../ring.ts'
import { edgeBox, someEdgeNear } from './edge-index.ts'
import type { Edge } from './edge-tree.ts'
import { compareFractions, crossingPoint, exactFraction, type Fraction, roundFraction } from './exact-fraction.ts'
import { locate, locateMidpoint, type Region } from './region.ts'

/** A position on an edge: a crossing with a border, or a given vertex. */
interface Place {
  /** Rounded coordinate on the longer axis of the edge, growing from its start to its end. */
  readonly near: number
  /** The exact coordinate. */
  readonly at: () => Fraction
  readonly x: number
  readonly y: number
  /** At a crossing: true if the edge enters the other region there. */
  readonly enters?: boolean
}

interface Interval {
  readonly from: Place
  readonly to: Place
}

/**
 * Returns the border of the union of regions, as directed pieces of their edges with the union on the left. Pieces
 * inside another region are dropped; of equal pieces one is kept; of opposite ones (an inner border) none. All
 * decisions are exact. Only crossings are rounded to doubles, equal ones equally, so the pieces always connect to
 * rings.
 */
export function unionBoundary(regions: readonly Region[]): readonly Edge[] {
  return regions.flatMap((region, own) => {
    const near = regions
      .map((other, index) => ({ other, index }))
      .filter(({ other }) => boxesMeet(region.bounds, other.bounds))
    return region.edges.flatMap((edge) => {
      const axis = new EdgeAxis(edge)
      const dropped: Interval[] = []
      const cuts: Place[] = []
      for (const { other, index } of near) {
        const contacts = findContacts(axis, other)
        if (!contacts) continue
        cuts.push(...contacts.places.filter((place) => place.enters === undefined))
        if (index !== own) dropped.push(...droppedIntervals(axis, other, contacts, index < own))
      }
      return dropped.length + cuts.length === 0 ? [edge] : remaining(axis, dropped, cuts)
    })
  })
}

/** An edge and the order of positions on it. */
class EdgeAxis {
  readonly edge: Edge
  readonly #byX: boolean
  readonly #sign: 1 | -1

  constructor(edge: Edge) {
    this.edge = edge
    this.#byX = Math.abs(edge.bx - edge.ax) >= Math.abs(edge.by - edge.ay)
    this.#sign = (this.#byX ? edge.bx > edge.ax : edge.by > edge.ay) ? 1 : -1
  }

  /** Sortable coordinate of a point on the line of the edge. */
  along(x: number, y: number): number {
    return this.#sign * (this.#byX ? x : y)
  }

  place(x: number, y: number): Place {
    const near = this.along(x, y)
    return { near, at: () => exactFraction(near), x, y }
  }

  crossing(other: Edge, enters: boolean): Place {
    const exact = crossingPoint(this.edge, other)
    const { n, d } = this.#byX ? exact.x : exact.y
    const [x, y] = [roundFraction(exact.x), roundFraction(exact.y)]
    return { near: this.along(x, y), at: () => ({ n: this.#sign > 0 ? n : -n, d }), x, y, enters }
  }
}

/** Rounding preserves the order, so the exact values are compared only if the rounded ones are equal. */
function comparePlaces(p: Place, q: Place): number {
  return p.near - q.near || compareFractions(p.at(), q.at())
}

interface Contacts {
  /** Positions between the ends of the edge. */
  readonly places: readonly Place[]
  /** Intervals the edge shares with the border, in the same or the opposite direction. */
  readonly shared: readonly { readonly low: number; readonly high: number; readonly against: boolean }[]
}

/** Returns where the edge meets the border of a region; undefined if their boxes are disjoint. */
function findContacts(axis: EdgeAxis, region: Region): Contacts | undefined {
  const { ax, ay, bx, by } = axis.edge
  const box = edgeBox(axis.edge)
  if (!boxesMeet(box, region.bounds)) return undefined
  const start = axis.along(ax, ay)
  const end = axis.along(bx, by)
  const places: Place[] = []
  const shared: { low: number; high: number; against: boolean }[] = []
  const addVertex = (x: number, y: number): void => {
    const at = axis.along(x, y)
    if (at > start && at < end) places.push(axis.place(x, y))
  }
  someEdgeNear(region, box, (border) => {
    const c = orientation(ax, ay, bx, by, border.ax, border.ay)
    const d = orientation(ax, ay, bx, by, border.bx, border.by)
    if ((c > 0 && d > 0) || (c < 0 && d < 0)) return false
    if (c === 0) addVertex(border.ax, border.ay)
    if (d === 0) addVertex(border.bx, border.by)
    if (c === 0 && d === 0) {
      const [from, to] = [axis.along(border.ax, border.ay), axis.along(border.bx, border.by)]
      shared.push({ low: Math.min(from, to), high: Math.max(from, to), against: from > to })
    } else if (c !== 0 && d !== 0) {
      const a = orientation(border.ax, border.ay, border.bx, border.by, ax, ay)
      const b = orientation(border.ax, border.ay, border.bx, border.by, bx, by)
      if ((a > 0 && b < 0) || (a < 0 && b > 0)) places.push(axis.crossing(border, b > 0))
    }
    return false
  })
  return { places: places.sort((p, q) => comparePlaces(p, q)), shared }
}

/**
 * Returns the intervals inside the other region, on its border but reversed, or on a shared border that is kept there.
 */
function droppedIntervals(axis: EdgeAxis, other: Region, contacts: Contacts, isFirst: boolean): readonly Interval[] {
  const { ax, ay, bx, by } = axis.edge
  const drops = (from: Place, to: Place): boolean => {
    if (from.enters !== undefined) return from.enters
    if (to.enters !== undefined) return !to.enters
    const low = axis.along(from.x, from.y)
    const high = axis.along(to.x, to.y)
    const stretch = contacts.shared.find((s) => s.low <= low && s.high >= high)
    if (stretch) return stretch.against || isFirst
    return (
      (locate(other, from.x, from.y) ||
        locate(other, to.x, to.y) ||
        locateMidpoint(other, from.x, from.y, to.x, to.y)) > 0
    )
  }
  const intervals: Interval[] = []
  let from = axis.place(ax, ay)
  for (const to of [...contacts.places, axis.place(bx, by)]) {
    if (comparePlaces(from, to) < 0 && drops(from, to)) intervals.push({ from, to })
    from = to
  }
  return intervals
}

/** Returns the parts of the edge outside the intervals, cut at the vertices on it. */
function remaining(axis: EdgeAxis, dropped: readonly Interval[], cuts: readonly Place[]): readonly Edge[] {
  const { ax, ay, bx, by } = axis.edge
  // A cut is an interval of length zero.
  const gaps = [...dropped, ...cuts.map((place) => ({ from: place, to: place }))]
  const pieces: Edge[] = []
  let place = axis.place(ax, ay)
  const keep = (to: Place): void => {
    if (comparePlaces(place, to) < 0 && (place.x !== to.x || place.y !== to.y)) {
      pieces.push({ ax: place.x, ay: place.y, bx: to.x, by: to.y })
    }
  }
  for (const { from, to } of gaps.sort((p, q) => comparePlaces(p.from, q.from))) {
    keep(from)
    if (comparePlaces(to, place) > 0) place = to
  }
  keep(axis.place(bx, by))
  return pieces
}
