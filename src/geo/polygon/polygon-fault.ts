import { isFlat, type Ring } from '../ring.ts'
import { sweepRings } from './ring-sweep.ts'

type Polygon = readonly Ring[]

/**
 * Returns why the polygons are not one valid MULTIPOLYGON (spec 3.8), as a clause; undefined if they are. Different
 * rings may touch in single points. Rings are closed and have no equal neighbours.
 */
export function polygonFault(polygons: readonly Polygon[]): string | undefined {
  const rings = polygons.flat()
  if (rings.some((ring) => ring.length < 4 || isFlat(ring))) return 'has a ring without area'
  const owners = polygons.flatMap((polygon, owner) => polygon.map(() => owner))
  const { contact, around } = sweepRings(rings)
  if (contact?.kind === 'self') return 'has a ring that touches or crosses itself'
  if (contact) {
    return owners[contact.rings[0]] === owners[contact.rings[1]]
      ? 'has a hole that crosses another ring or shares an edge with it'
      : 'has polygons that overlap or share an edge'
  }
  return nestingFault(polygons, owners, around)
}

/** `around`: index of the innermost ring around each ring; rings do not cross. */
function nestingFault(
  polygons: readonly Polygon[],
  owners: readonly number[],
  around: readonly (number | undefined)[],
): string | undefined {
  let overlaps = false
  let exterior = 0
  for (const polygon of polygons) {
    let nested = false
    for (let hole = exterior + 1; hole < exterior + polygon.length; hole++) {
      if (around[hole] === exterior) continue
      // Innermost first; includes `exterior` if the hole lies inside it.
      const rings = ringsAround(around, hole)
      if (!rings.includes(exterior)) return 'has a hole outside its ring'
      if (rings.some((ring) => ring !== exterior && owners[ring] === owners[hole])) nested = true
      overlaps = true
    }
    if (nested) return 'has a hole inside another hole'
    exterior += polygon.length
  }
  const isExterior = (ring: number): boolean => owners[ring] !== owners[ring - 1]
  // An exterior ring inside a hole of another polygon is allowed; directly inside another exterior ring it overlaps.
  overlaps ||= around.some((outer, ring) => isExterior(ring) && outer !== undefined && isExterior(outer))
  return overlaps ? 'has polygons that overlap or share an edge' : undefined
}

function ringsAround(around: readonly (number | undefined)[], ring: number): readonly number[] {
  const rings: number[] = []
  for (let outer = around[ring]; outer !== undefined; outer = around[outer]) rings.push(outer)
  return rings
}
