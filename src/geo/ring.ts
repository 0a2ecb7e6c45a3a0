import type { Position } from '../model/geometry.ts'
import type { Box } from './area.ts'
import { orientation } from './orientation.ts'

/** A closed ring: the last position equals the first. */
export type Ring = readonly Position[]

function samePosition(a: Position | undefined, b: Position | undefined): boolean {
  return a !== undefined && b !== undefined && a[0] === b[0] && a[1] === b[1]
}

/** Merges consecutive equal positions. */
export function collapse(path: readonly Position[]): readonly Position[] {
  const repeats = (position: Position, i: number): boolean => i > 0 && samePosition(position, path[i - 1])
  return path.some(repeats) ? path.filter((position, i) => !repeats(position, i)) : path
}

export function isClosed(path: readonly Position[]): boolean {
  return samePosition(path[0], path.at(-1))
}

/** True if all positions are exactly collinear, so that a ring of them has no area. */
export function isFlat(path: readonly Position[]): boolean {
  const [ax = 0, ay = 0] = path[0] ?? []
  const other = path.find((position) => !samePosition(position, path[0]))
  if (!other) return true
  const [bx = 0, by = 0] = other
  return path.every((position) => orientation(ax, ay, bx, by, position[0] ?? 0, position[1] ?? 0) === 0)
}

/** Twice the enclosed area, positive if counter-clockwise. */
export function doubleArea(ring: Ring): number {
  const [ox = 0, oy = 0] = ring[0] ?? []
  let sum = 0
  let px = 0
  let py = 0
  for (const position of ring) {
    const x = position[0] ?? 0
    const y = position[1] ?? 0
    sum += px * (y - oy) - (x - ox) * py
    px = x - ox
    py = y - oy
  }
  return sum
}

/** Winding of a ring that does not touch itself, exact even for thin rings: the turn at its lowest leftmost vertex. */
export function isCounterClockwise(ring: Ring): boolean {
  const open = ring.slice(0, -1)
  let lowest = 0
  open.forEach(([x = 0, y = 0], i) => {
    const [bx = 0, by = 0] = open[lowest] ?? []
    if (x < bx || (x === bx && y < by)) lowest = i
  })
  const [ax = 0, ay = 0] = open.at(lowest - 1) ?? []
  const [bx = 0, by = 0] = open[lowest] ?? []
  const [cx = 0, cy = 0] = open[(lowest + 1) % open.length] ?? []
  return orientation(ax, ay, bx, by, cx, cy) > 0
}

/** Makes the exterior ring counter-clockwise and holes clockwise, so that the polygon is on the left of every edge. */
export function windPolygon(rings: readonly Ring[]): readonly Ring[] {
  return rings.map((ring, i) => (doubleArea(ring) > 0 === (i === 0) ? ring : ring.toReversed()))
}

export function pathBounds(path: readonly Position[]): Box {
  let west = Infinity
  let south = Infinity
  let east = -Infinity
  let north = -Infinity
  for (const position of path) {
    const x = position[0] ?? 0
    const y = position[1] ?? 0
    if (x < west) west = x
    if (x > east) east = x
    if (y < south) south = y
    if (y > north) north = y
  }
  return { west, south, east, north }
}

export function boxesMeet(a: Box, b: Box): boolean {
  return a.west <= b.east && b.west <= a.east && a.south <= b.north && b.south <= a.north
}
