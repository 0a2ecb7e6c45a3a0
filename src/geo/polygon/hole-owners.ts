import { pathBounds, type Ring } from '../ring.ts'
import { locate, locateMidpoint, regionOf } from './region.ts'
import { sweepRings } from './ring-sweep.ts'

/** Returns for each hole the index of the innermost exterior ring around it, or -1. Rings do not cross. */
export function ownersOfHoles(holes: readonly Ring[], exteriors: readonly Ring[]): readonly number[] {
  if (holes.length === 0) return []
  const { around } = sweepRings([...exteriors, ...holes])
  // Rounding can make rings share an edge that was not shared before.
  if (!around) return holes.map((hole) => innermostByPairs(hole, exteriors))
  return holes.map((_, i) => {
    let outer = around[exteriors.length + i]
    while (outer !== undefined && outer >= exteriors.length) outer = around[outer]
    return outer ?? -1
  })
}

function innermostByPairs(hole: Ring, exteriors: readonly Ring[]): number {
  let innermost = -1
  exteriors.forEach((exterior, i) => {
    if (!ringHolds(exterior, hole)) return
    const before = exteriors[innermost]
    if (!before || ringHolds(before, exterior)) innermost = i
  })
  return innermost
}

/** True if the ring contains another one that does not cross it. */
function ringHolds(outer: Ring, inner: Ring): boolean {
  const box = pathBounds(inner)
  const around = pathBounds(outer)
  if (box.west < around.west || box.east > around.east || box.south < around.south || box.north > around.north)
    return false
  const region = regionOf([outer], false)
  for (const [i, [x = 0, y = 0]] of inner.entries()) {
    const [px = x, py = y] = inner[i - 1] ?? []
    const location = locate(region, x, y) || locateMidpoint(region, px, py, x, y)
    if (location !== 0) return location > 0
  }
  return false
}
