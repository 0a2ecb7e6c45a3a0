import type { Polygon, Position } from '../model/geometry.ts'
import type { Box } from './area.ts'
import { orientation } from './orientation.ts'
import type { Ring } from './ring.ts'

export function boxHolds(box: Box, x: number, y: number): boolean {
  return x >= box.west && x <= box.east && y >= box.south && y <= box.north
}

/** Returns the box as a closed ring: SW, SE, NE, NW, SW. */
export function boxRing({ west, south, east, north }: Box): Ring {
  return [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ]
}

/** A box as a GeoJSON polygon: one closed ring, counter-clockwise from the south-west. */
export const boxPolygon = (box: Box): Polygon => ({ type: 'Polygon', coordinates: [boxRing(box)] })

/** True if the box and the path share a point. */
export function boxMeetsPath(box: Box, path: readonly Position[]): boolean {
  let [ax = 0, ay = 0] = path[0] ?? []
  if (path.length > 0 && boxHolds(box, ax, ay)) return true
  for (const position of path) {
    const bx = position[0] ?? 0
    const by = position[1] ?? 0
    if (boxMeetsSegment(box, ax, ay, bx, by)) return true
    ax = bx
    ay = by
  }
  return false
}

/** Separating axis test: two convex sets are disjoint if x, y, or the normal of the segment separates them. */
function boxMeetsSegment({ west, south, east, north }: Box, ax: number, ay: number, bx: number, by: number): boolean {
  if ((ax < west && bx < west) || (ax > east && bx > east)) return false
  if ((ay < south && by < south) || (ay > north && by > north)) return false
  const corner = orientation(ax, ay, bx, by, west, south)
  if (corner === 0) return true
  const others = [
    orientation(ax, ay, bx, by, east, south),
    orientation(ax, ay, bx, by, east, north),
    orientation(ax, ay, bx, by, west, north),
  ]
  return others.some((side) => side > 0 !== corner > 0 || side === 0)
}
