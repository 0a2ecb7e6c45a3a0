import { type Edge, edgeBox, someEdgeNear } from './edge-index.ts'
import { GeometryFault } from './geometry-fault.ts'
import { orientation } from './orientation.ts'
import { polygonFault } from './polygon-fault.ts'
import { type Region, regionOf } from './region.ts'
import { boxesMeet, pathBounds, type Ring, windPolygon } from './ring.ts'
import { assemblePolygons } from './ring-assembly.ts'
import { unionBoundary } from './union-boundary.ts'

type Polygon = readonly Ring[]

/** Keeps one hostile value from occupying the server: joining costs time in proportion to the crossings. */
const MOST_CROSSINGS = 10_000

/**
 * Polygons that overlap or share edges are joined (spec 3.9.4); the others stay exactly as they are, so that a rounded
 * coordinate can only arise where two borders cross.
 */
export function unitePolygons(polygons: readonly Polygon[]): readonly Polygon[] {
  return groupByBounds(polygons).flatMap((group) => {
    if (group.length === 1 || polygonFault(group) === undefined) return group
    const regions = group.map((polygon) => regionOf(windPolygon(polygon), false))
    refuseManyCrossings(regions)
    return assemblePolygons(unionBoundary(regions))
  })
}

/** Groups whose bounding boxes hang together; polygons of different groups cannot touch. */
function groupByBounds(polygons: readonly Polygon[]): readonly (readonly Polygon[])[] {
  const members = polygons
    .map((polygon) => ({ polygon, bounds: pathBounds(polygon[0] ?? []), group: -1 }))
    .sort((a, b) => a.bounds.west - b.bounds.west)
  const groups: Polygon[][] = []
  for (const seed of members) {
    if (seed.group >= 0) continue
    const group: Polygon[] = []
    const queue = [seed]
    seed.group = groups.length
    for (const member of queue) {
      group.push(member.polygon)
      for (const other of members) {
        if (other.bounds.west > member.bounds.east) break
        if (other.group >= 0 || !boxesMeet(member.bounds, other.bounds)) continue
        other.group = groups.length
        queue.push(other)
      }
    }
    groups.push(group)
  }
  return groups
}

function refuseManyCrossings(regions: readonly Region[]): void {
  let crossings = 0
  regions.forEach((region, i) => {
    for (const other of regions.slice(i + 1)) {
      for (const edge of region.edges) {
        someEdgeNear(other, edgeBox(edge), (near) => {
          if (cross(edge, near)) crossings++
          if (crossings > MOST_CROSSINGS) throw new GeometryFault('has polygons that cross each other too often')
          return false
        })
      }
    }
  })
}

function cross(e: Edge, f: Edge): boolean {
  const c = orientation(e.ax, e.ay, e.bx, e.by, f.ax, f.ay)
  const d = orientation(e.ax, e.ay, e.bx, e.by, f.bx, f.by)
  if (!((c > 0 && d < 0) || (c < 0 && d > 0))) return false
  const a = orientation(f.ax, f.ay, f.bx, f.by, e.ax, e.ay)
  const b = orientation(f.ax, f.ay, f.bx, f.by, e.bx, e.by)
  return (a > 0 && b < 0) || (a < 0 && b > 0)
}
