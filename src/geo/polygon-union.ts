import { type Geom, union } from 'polyclip-ts'
import { type Edge, edgeBox, someEdgeNear } from './edge-index.ts'
import { GeometryFault } from './geometry-fault.ts'
import { orientation } from './orientation.ts'
import { polygonFault } from './polygon-fault.ts'
import { regionOf } from './region.ts'
import { boxesMeet, collapse, isFlat, pathBounds, type Ring, windPolygon } from './ring.ts'

type Polygon = readonly Ring[]

/** Keeps one hostile value from occupying the server: joining costs time in proportion to the crossings. */
const MOST_CROSSINGS = 1000

/**
 * Polygons that overlap or share edges are joined (spec 3.9.4); the others stay exactly as they are, so that a rounded
 * coordinate can only arise where two borders cross.
 */
export function unitePolygons(polygons: readonly Polygon[]): readonly Polygon[] {
  return groupByBounds(polygons).flatMap((group) => {
    if (group.length === 1 || polygonFault(group) === undefined) return group
    refuseManyCrossings(group)
    const [first, ...others] = group.map(toGeom)
    return first ? union(first, ...others).flatMap(tidy) : []
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

function refuseManyCrossings(polygons: readonly Polygon[]): void {
  const regions = polygons.map((polygon) => regionOf(polygon, false))
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

function toGeom(polygon: Polygon): Geom {
  return polygon.map((ring) => ring.map(([x = 0, y = 0]): [number, number] => [x, y]))
}

/** Rounding may leave rings without area. */
function tidy(polygon: Polygon): readonly Polygon[] {
  const [exterior, ...holes] = polygon.map(collapse).map((ring) => (ring.length < 4 || isFlat(ring) ? undefined : ring))
  return exterior ? [windPolygon([exterior, ...holes.filter((hole) => hole !== undefined)])] : []
}
