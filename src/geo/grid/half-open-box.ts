import { orientation } from '../orientation.ts'
import type { Edge } from '../polygon/edge-tree.ts'

/**
 * A box that includes two of its edges: the western one, and the one at latitude `held` (the southern edge of a
 * geohash, the northern one of a tile). The edges at `east` and at latitude `open` belong to its neighbours.
 */
export interface HalfOpenBox {
  readonly west: number
  readonly east: number
  readonly held: number
  readonly open: number
}

export function halfOpenHolds({ west, east, held, open }: HalfOpenBox, x: number, y: number): boolean {
  return x >= west && x < east && (held < open ? y >= held && y < open : y <= held && y > open)
}

/**
 * True if the closed segment and the box share a point. The box is the union of closed boxes whose open edges are moved
 * inwards by ever smaller steps. These are disjoint from the segment if x, y or the normal of the segment separates
 * them. A corner exactly on the line of the segment is therefore tested at its position after such a step.
 */
export function halfOpenMeets({ west, east, held, open }: HalfOpenBox, edge: Edge): boolean {
  const { ax, ay, bx, by } = edge
  if ((ax < west && bx < west) || (ax >= east && bx >= east)) return false
  if (held < open) {
    if ((ay < held && by < held) || (ay >= open && by >= open)) return false
  } else if ((ay > held && by > held) || (ay <= open && by <= open)) return false

  const corner = orientation(ax, ay, bx, by, west, held)
  if (corner === 0) return true
  const left = corner > 0
  // How the side of a corner changes when it moves west, and when it moves from the open latitude to the held one.
  const westwards = by - ay
  const inwards = held < open ? ax - bx : bx - ax
  return (
    isAcross(left, orientation(ax, ay, bx, by, east, held) || westwards) ||
    isAcross(left, orientation(ax, ay, bx, by, west, open) || inwards) ||
    // The step to the west is much longer than the other.
    isAcross(left, orientation(ax, ay, bx, by, east, open) || westwards || inwards)
  )
}

/** A corner exactly on the line counts as across. */
function isAcross(left: boolean, side: number): boolean {
  return left ? side <= 0 : side >= 0
}
