/**
 * Simple planar geometry on integer coordinates. Every test is the sign of an exact integer, so touching is detected
 * without tolerance. A point on a segment is a fraction `(x/d, y/d)`.
 */

export type Position = readonly [number, number]
export type Ring = readonly Position[]

/** A point set: the union of its members. Rings are closed; the first ring of a polygon is the exterior one. */
export interface Region {
  readonly polygons: readonly (readonly Ring[])[]
  readonly lines: readonly (readonly Position[])[]
  readonly points: readonly Position[]
}

interface Fraction {
  readonly x: bigint
  readonly y: bigint
  readonly d: bigint
}

const exact = ([x, y]: Position): Fraction => ({ x: BigInt(x), y: BigInt(y), d: 1n })
const sign = (v: bigint): number => (v > 0n ? 1 : v < 0n ? -1 : 0)

/** Returns the side of p relative to the line from a to b: 1 left, -1 right, 0 on the line. */
function side(a: Position, b: Position, p: Fraction): number {
  const [ax, ay, bx, by] = [BigInt(a[0]), BigInt(a[1]), BigInt(b[0]), BigInt(b[1])]
  return sign((bx - ax) * (p.y - ay * p.d) - (by - ay) * (p.x - ax * p.d))
}

function between(p: bigint, d: bigint, a: number, b: number): boolean {
  return p >= BigInt(Math.min(a, b)) * d && p <= BigInt(Math.max(a, b)) * d
}

const onSegment = (p: Fraction, a: Position, b: Position): boolean =>
  side(a, b, p) === 0 && between(p.x, p.d, a[0], b[0]) && between(p.y, p.d, a[1], b[1])

type Segment = readonly [Position, Position]

function segmentsOf(line: readonly Position[]): Segment[] {
  const out: Segment[] = []
  for (let i = 1; i < line.length; i++) {
    const [a, b] = [line[i - 1], line[i]]
    if (a !== undefined && b !== undefined) out.push([a, b])
  }
  return out
}

/** Returns 0 for outside, 1 for the border, 2 for inside. */
function inRing(p: Fraction, ring: Ring): 0 | 1 | 2 {
  let inside = false
  for (const [a, b] of segmentsOf(ring)) {
    if (onSegment(p, a, b)) return 1
    const aboveA = BigInt(a[1]) * p.d > p.y
    const aboveB = BigInt(b[1]) * p.d > p.y
    // The ray to the right crosses the edge if p is left of it.
    if (aboveA !== aboveB && side(a, b, p) === (aboveB ? 1 : -1)) inside = !inside
  }
  return inside ? 2 : 0
}

function inPolygon(p: Fraction, [outer = [], ...holes]: readonly Ring[]): boolean {
  return inRing(p, outer) > 0 && holes.every((hole) => inRing(p, hole) < 2)
}

function inRegion(p: Fraction, region: Region): boolean {
  return (
    region.polygons.some((polygon) => inPolygon(p, polygon)) ||
    region.lines.some((line) => segmentsOf(line).some(([a, b]) => onSegment(p, a, b))) ||
    region.points.some((q) => onSegment(p, q, q))
  )
}

const edgesOf = (region: Region): Segment[] => [...region.polygons.flat(), ...region.lines].flatMap(segmentsOf)
const verticesOf = (region: Region): Position[] => [
  ...region.polygons.flat(2),
  ...region.lines.flat(),
  ...region.points,
]

function cross([a, b]: Segment, [c, d]: Segment): boolean {
  const [s1, s2] = [side(a, b, exact(c)), side(a, b, exact(d))]
  const [s3, s4] = [side(c, d, exact(a)), side(c, d, exact(b))]
  if (s1 * s2 < 0 && s3 * s4 < 0) return true
  return (
    onSegment(exact(c), a, b) || onSegment(exact(d), a, b) || onSegment(exact(a), c, d) || onSegment(exact(b), c, d)
  )
}

/** True if they share at least one point. */
export function intersects(shape: Region, area: Region): boolean {
  return (
    verticesOf(shape).some((p) => inRegion(exact(p), area)) ||
    verticesOf(area).some((p) => inRegion(exact(p), shape)) ||
    edgesOf(shape).some((e) => edgesOf(area).some((g) => cross(e, g)))
  )
}

/** Returns the parameters between 0 and 1 at which a segment meets the lines through the edges of an area. */
function cuts([a, b]: Segment, edges: readonly Segment[]): { n: bigint; d: bigint }[] {
  const [dx, dy] = [BigInt(b[0] - a[0]), BigInt(b[1] - a[1])]
  const out = [
    { n: 0n, d: 1n },
    { n: 1n, d: 1n },
  ]
  const add = (n: bigint, d: bigint): void => {
    const [num, den] = d < 0n ? [-n, -d] : [n, d]
    if (den !== 0n && num > 0n && num < den) out.push({ n: num, d: den })
  }
  for (const [c, e] of edges) {
    const [ex, ey] = [BigInt(e[0] - c[0]), BigInt(e[1] - c[1])]
    const [cx, cy] = [BigInt(c[0] - a[0]), BigInt(c[1] - a[1])]
    const d = dx * ey - dy * ex
    if (d !== 0n) add(cx * ey - cy * ex, d)
    else {
      // Parallel: project the ends of the edge, in case all are on one line.
      const [fx, fy] = [BigInt(e[0] - a[0]), BigInt(e[1] - a[1])]
      add(cx * dx + cy * dy, dx * dx + dy * dy)
      add(fx * dx + fy * dy, dx * dx + dy * dy)
    }
  }
  return out.sort((p, q) => sign(p.n * q.d - q.n * p.d))
}

/**
 * True if every point of the segment is in the area. Tests the middles of the pieces into which the border cuts the
 * segment.
 */
function segmentInside(segment: Segment, area: Region): boolean {
  const [a, b] = segment
  const places = cuts(segment, [...edgesOf(area), ...area.points.map((p): Segment => [p, p])])
  const at = (n: bigint, d: bigint): Fraction => ({
    x: BigInt(a[0]) * d + BigInt(b[0] - a[0]) * n,
    y: BigInt(a[1]) * d + BigInt(b[1] - a[1]) * n,
    d,
  })
  return places.every((p, i) => {
    if (!inRegion(at(p.n, p.d), area)) return false
    const q = places[i + 1]
    return q === undefined || inRegion(at(p.n * q.d + q.n * p.d, 2n * p.d * q.d), area)
  })
}

/** Returns the centre of an axis-parallel rectangle. */
function middle(ring: Ring): Fraction {
  const xs = ring.map((p) => p[0])
  const ys = ring.map((p) => p[1])
  return {
    x: BigInt(Math.min(...xs) + Math.max(...xs)),
    y: BigInt(Math.min(...ys) + Math.max(...ys)),
    d: 2n,
  }
}

/**
 * True if the area covers the shape. Here, holes of areas are axis-parallel rectangles, and shapes have no empty parts.
 */
export function within(shape: Region, area: Region): boolean {
  if (!verticesOf(shape).every((p) => inRegion(exact(p), area))) return false
  if (!edgesOf(shape).every((e) => segmentInside(e, area))) return false
  if (shape.polygons.length === 0) return true
  if (area.polygons.length === 0) return false
  // No edge of the shape enters a hole, so a hole is completely inside or outside the shape.
  const holes = area.polygons.flatMap((polygon) => polygon.slice(1))
  return !holes.some((hole) => shape.polygons.some((polygon) => inPolygon(middle(hole), polygon)))
}

export const rectangle = (west: number, south: number, east: number, north: number): Ring => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
]

export const pointRegion = (p: Position): Region => ({ polygons: [], lines: [], points: [p] })
export const polygonRegion = (...rings: readonly Ring[]): Region => ({ polygons: [rings], lines: [], points: [] })
export const lineRegion = (line: readonly Position[]): Region => ({ polygons: [], lines: [line], points: [] })

/** Several shapes form one collection. */
export const union = (regions: readonly Region[]): Region => ({
  polygons: regions.flatMap((r) => r.polygons),
  lines: regions.flatMap((r) => r.lines),
  points: regions.flatMap((r) => r.points),
})

export function signedArea(ring: Ring): number {
  return segmentsOf(ring).reduce((sum, [[x1, y1], [x2, y2]]) => sum + x1 * y2 - x2 * y1, 0)
}
