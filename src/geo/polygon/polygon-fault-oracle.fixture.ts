import type { Position } from '../../model/geometry.ts'
import { isFlat, pathBounds, type Ring } from '../ring.ts'
import { insideBox, type Location, locate, locateMidpoint, type Region, regionOf } from './region.ts'
import { findRingContact } from './ring-sweep.ts'

type Polygon = readonly Ring[]

/** Same result as `polygonFault`, by comparing all pairs of rings. */
export function polygonFaultByPairs(polygons: readonly Polygon[]): string | undefined {
  const rings = polygons.flat()
  if (rings.some((ring) => ring.length < 4 || isFlat(ring))) return 'has a ring without area'
  const owners = polygons.flatMap((polygon, owner) => polygon.map(() => owner))
  const contact = findRingContact(rings)
  if (contact?.kind === 'self') return 'has a ring that touches or crosses itself'
  if (contact) {
    return owners[contact.rings[0]] === owners[contact.rings[1]]
      ? 'has a hole that crosses another ring or shares an edge with it'
      : 'has polygons that overlap or share an edge'
  }
  return polygons.map(holeFault).find((fault) => fault !== undefined) ?? overlapFault(polygons)
}

function holeFault([exterior = [], ...holes]: Polygon): string | undefined {
  if (holes.length === 0) return undefined
  const shell = regionOf([exterior], false)
  if (holes.some((hole) => locateRing(shell, hole) < 0)) return 'has a hole outside its ring'
  return anyInside(holes.map((hole) => [hole])) ? 'has a hole inside another hole' : undefined
}

function overlapFault(polygons: readonly Polygon[]): string | undefined {
  return anyInside(polygons) ? 'has polygons that overlap or share an edge' : undefined
}

/** True if the exterior ring of one polygon lies in another polygon; the rings must not cross. */
function anyInside(polygons: readonly Polygon[]): boolean {
  if (polygons.length < 2) return false
  const members = polygons
    .map((polygon) => ({ polygon, exterior: polygon[0] ?? [], bounds: pathBounds(polygon[0] ?? []) }))
    .sort((a, b) => a.bounds.west - b.bounds.west)
  return members.some((outer, at) => {
    let region: Region | undefined
    // Sorted by west, so whatever fits into `outer` follows it, or begins at the same longitude.
    for (let i = 0; i < members.length; i++) {
      const inner = members[i]
      if (!inner || i === at || inner.bounds.west < outer.bounds.west) continue
      if (inner.bounds.west > outer.bounds.east) break
      if (!insideBox(inner.bounds, outer.bounds)) continue
      region ??= regionOf(outer.polygon, false)
      if (locateRing(region, inner.exterior) > 0) return true
    }
    return false
  })
}

/** Location of a ring that does not cross the border of the region and shares no edge with it. */
function locateRing(region: Region, ring: Ring): Location {
  let previous: Position | undefined
  for (const position of ring) {
    const [x = 0, y = 0] = position
    const [px = x, py = y] = previous ?? []
    const location = locate(region, x, y) || (previous ? locateMidpoint(region, px, py, x, y) : 0)
    if (location !== 0) return location
    previous = position
  }
  return 0
}
