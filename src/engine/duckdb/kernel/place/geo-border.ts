import type { Area, Box } from '../../../../geo/area.ts'
import { boxRing } from '../../../../geo/box.ts'
import { orientation } from '../../../../geo/orientation.ts'
import type { Position } from '../../../../model/geometry.ts'

/** Directed edges: four numbers each, from (ax, ay) to (bx, by). */
export type Edges = Float64Array

/** As in geo/orientation.ts: a determinant beyond this share of its terms has the right sign. */
const ERROR_BOUND = (3 + 16 * 2 ** -53) * 2 ** -53

/** Returns the edges of an area of polygons. Undefined if points can lie in it for another reason. */
export function bordersOf({ boxes, polygons, lines, points, uncut = [] }: Area): Edges | undefined {
  const isFlat = boxes.some(({ west, south, east, north }) => west === east || south === north)
  if (polygons.length === 0 || lines.length + points.length + uncut.length > 0 || isFlat) return undefined
  const edges: number[] = []
  for (const ring of [...polygons.flat(), ...boxes.map(boxRing)]) {
    let [ax = 0, ay = 0]: Position = ring[0] ?? []
    for (const [x = 0, y = 0] of ring.slice(1)) {
      edges.push(ax, ay, x, y)
      ax = x
      ay = y
    }
  }
  return Float64Array.from(edges)
}

/** Returns the edges that a ray to the east from a point in the box may meet. */
export function edgesEast(edges: Edges, { west, south, north }: Box): Edges {
  const kept = new Float64Array(edges.length)
  let count = 0
  for (let i = 0; i < edges.length; i += 4) {
    const ax = edges[i] ?? 0
    const ay = edges[i + 1] ?? 0
    const bx = edges[i + 2] ?? 0
    const by = edges[i + 3] ?? 0
    if ((ay < south && by < south) || (ay > north && by > north) || (ax < west && bx < west)) continue
    kept[count++] = ax
    kept[count++] = ay
    kept[count++] = bx
    kept[count++] = by
  }
  return kept.slice(0, count)
}

/** True if an edge shares a point with the box: its line does not have all corners on one side. */
export function someEdgeIn(edges: Edges, { west, south, east, north }: Box): boolean {
  for (let i = 0; i < edges.length; i += 4) {
    const ax = edges[i] ?? 0
    const ay = edges[i + 1] ?? 0
    const bx = edges[i + 2] ?? 0
    const by = edges[i + 3] ?? 0
    if ((ax < west && bx < west) || (ax > east && bx > east)) continue
    if ((ay < south && by < south) || (ay > north && by > north)) continue
    // Only the two corners farthest apart across the edge can be on different sides.
    const rises = bx > ax === by > ay
    const first = orientation(ax, ay, bx, by, rises ? west : east, north)
    const second = orientation(ax, ay, bx, by, rises ? east : west, south)
    if (!((first > 0 && second > 0) || (first < 0 && second < 0))) return true
  }
  return false
}

/**
 * Keeps the rows of a mask whose points lie in an area, by the edges that rays to the east may meet. `covers` decides
 * points that are too close to the border for doubles. `mask[0]` belongs to row `base`.
 */
export function keepEnclosed(
  lon: Float64Array,
  lat: Float64Array,
  edges: Edges,
  covers: (lon: number, lat: number) => boolean,
  from: number,
  to: number,
  mask: Uint8Array,
  base: number,
): void {
  for (let row = from; row < to; row++) {
    if (mask[row - base] === 0) continue
    const x = lon[row] ?? 0
    const y = lat[row] ?? 0
    let isInside = false
    let isSure = true
    for (let i = 0; i < edges.length; i += 4) {
      const ax = edges[i] ?? 0
      const bx = edges[i + 2] ?? 0
      if (ax < x && bx < x) continue
      const ay = edges[i + 1] ?? 0
      const by = edges[i + 3] ?? 0
      const rises = by > y
      if (ay > y === rises) {
        if (ay !== y && by !== y) continue
        isSure = ax > x && bx > x
        if (isSure) continue
        break
      }
      if (ax > x && bx > x) {
        isInside = !isInside
        continue
      }
      const left = (ax - x) * (by - y)
      const right = (ay - y) * (bx - x)
      const side = left - right
      isSure = Math.abs(side) > ERROR_BOUND * (Math.abs(left) + Math.abs(right))
      if (!isSure) break
      if (side > 0 === rises) isInside = !isInside
    }
    mask[row - base] = (isSure ? isInside : covers(x, y)) ? 1 : 0
  }
}
