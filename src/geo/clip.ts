import type { Position } from '../model/geometry.ts'

/** A rectangle in the coordinate system of the positions. */
export interface ClipBox {
  readonly minX: number
  readonly minY: number
  readonly maxX: number
  readonly maxY: number
}

/**
 * Returns the part of a closed ring inside the box (Sutherland-Hodgman); separate parts may be joined along its edge.
 */
export function clipRing(ring: readonly Position[], box: ClipBox): readonly Position[] {
  let open: readonly Position[] = ring.slice(0, -1)
  for (const side of sides(box)) {
    if (open.length === 0) return []
    open = clipAtSide(open, side)
  }
  const [first] = open
  return first === undefined || open.length < 3 ? [] : [...open, first]
}

interface Side {
  readonly inside: (p: Position) => boolean
  readonly cross: (a: Position, b: Position) => Position
}

function sides({ minX, minY, maxX, maxY }: ClipBox): readonly Side[] {
  const atX =
    (x: number) =>
    (a: Position, b: Position): Position => [x, yAt(a, b, x)]
  const atY =
    (y: number) =>
    (a: Position, b: Position): Position => [xAt(a, b, y), y]
  return [
    { inside: ([x = 0]) => x >= minX, cross: atX(minX) },
    { inside: ([x = 0]) => x <= maxX, cross: atX(maxX) },
    { inside: ([, y = 0]) => y >= minY, cross: atY(minY) },
    { inside: ([, y = 0]) => y <= maxY, cross: atY(maxY) },
  ]
}

function yAt([ax = 0, ay = 0]: Position, [bx = 0, by = 0]: Position, x: number): number {
  return between(ay + ((by - ay) * (x - ax)) / (bx - ax), ay, by)
}

function xAt([ax = 0, ay = 0]: Position, [bx = 0, by = 0]: Position, y: number): number {
  return between(ax + ((bx - ax) * (y - ay)) / (by - ay), ax, bx)
}

/**
 * Rounding must not move a cut beyond the ends of its edge, which may lie on a side of the box that was already cut.
 */
const between = (value: number, a: number, b: number): number => clamp(value, Math.min(a, b), Math.max(a, b))

const clamp = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value))

function clipAtSide(open: readonly Position[], { inside, cross }: Side): readonly Position[] {
  const kept: Position[] = []
  let before = open.at(-1)
  for (const position of open) {
    if (before !== undefined && inside(position) !== inside(before)) kept.push(cross(before, position))
    if (inside(position)) kept.push(position)
    before = position
  }
  return kept
}

/** Returns the parts of a line inside the box (Liang-Barsky for each segment). */
export function clipLine(line: readonly Position[], box: ClipBox): readonly (readonly Position[])[] {
  const parts: Position[][] = []
  let part: Position[] = []
  for (let i = 1; i < line.length; i++) {
    const [a, b] = [line[i - 1], line[i]]
    const kept = a && b ? clipSegment(a, b, box) : undefined
    if (kept === undefined) {
      if (part.length > 0) parts.push(part)
      part = []
      continue
    }
    const [from, to] = kept
    if (part.length === 0) part.push(from)
    else if (!isSame(part.at(-1), from)) {
      parts.push(part)
      part = [from]
    }
    part.push(to)
  }
  if (part.length > 0) parts.push(part)
  return parts
}

const isSame = (a: Position | undefined, b: Position): boolean => a?.[0] === b[0] && a?.[1] === b[1]

function clipSegment(a: Position, b: Position, box: ClipBox): readonly [Position, Position] | undefined {
  const [ax = 0, ay = 0] = a
  const [bx = 0, by = 0] = b
  const [dx, dy] = [bx - ax, by - ay]
  let [enter, leave] = [0, 1]
  for (const [p, q] of [
    [-dx, ax - box.minX],
    [dx, box.maxX - ax],
    [-dy, ay - box.minY],
    [dy, box.maxY - ay],
  ] as const) {
    if (p === 0) {
      if (q < 0) return undefined
    } else if (p < 0) enter = Math.max(enter, q / p)
    else leave = Math.min(leave, q / p)
  }
  if (enter > leave) return undefined
  const at = (t: number): Position => {
    if (t === 0 && clipPoint(a, box)) return a
    if (t === 1 && clipPoint(b, box)) return b
    return [clamp(ax + t * dx, box.minX, box.maxX), clamp(ay + t * dy, box.minY, box.maxY)]
  }
  return [at(enter), at(leave)]
}

export const clipPoint = ([x = 0, y = 0]: Position, { minX, minY, maxX, maxY }: ClipBox): boolean =>
  x >= minX && x <= maxX && y >= minY && y <= maxY
