import { orientation } from '../orientation.ts'
import { edgeBox, someEdgeNear } from './edge-index.ts'
import type { Edge } from './edge-tree.ts'
import { type Location, locate, locateMidpoint, type Region } from './region.ts'

/** Relations of the parts of a segment to a region, combined as flags. */
export const CROSSES = 1
export const INSIDE = 2
export const OUTSIDE = 4
/** On an edge of the border in the same direction, so that both have the same left side. */
const ALONG = 8
export const AGAINST = 16

/**
 * Cuts the segment at vertices of the border that lie on it; every part is then wholly inside, outside or on the
 * border. Returns CROSSES at once if the segment and an edge of the border cross in their interiors. Exact: cuts are
 * given vertices, never computed points.
 */
export function edgeRelation(region: Region, segment: Edge): number {
  const { ax, ay, bx, by } = segment
  // Positions on the segment are compared on its longer axis.
  const byX = Math.abs(bx - ax) >= Math.abs(by - ay)
  const [from, to] = byX ? [ax, bx] : [ay, by]
  const sign = to > from ? 1 : -1
  const low = Math.min(from, to)
  const high = Math.max(from, to)
  const cuts: Cut[] = []
  const shared: Shared[] = []

  const crosses = someEdgeNear(region, edgeBox(segment), (edge) => {
    const c = orientation(ax, ay, bx, by, edge.ax, edge.ay)
    const d = orientation(ax, ay, bx, by, edge.bx, edge.by)
    if ((c > 0 && d > 0) || (c < 0 && d < 0)) return false
    const start = byX ? edge.ax : edge.ay
    const end = byX ? edge.bx : edge.by
    if (c === 0 && start > low && start < high) cuts.push({ at: start, x: edge.ax, y: edge.ay })
    if (d === 0 && end > low && end < high) cuts.push({ at: end, x: edge.bx, y: edge.by })
    if (c === 0 && d === 0) {
      shared.push({
        low: Math.min(start, end),
        high: Math.max(start, end),
        flag: end > start === sign > 0 ? ALONG : AGAINST,
      })
      return false
    }
    if (c === 0 || d === 0) return false
    const a = orientation(edge.ax, edge.ay, edge.bx, edge.by, ax, ay)
    const b = orientation(edge.ax, edge.ay, edge.bx, edge.by, bx, by)
    return (a > 0 && b < 0) || (a < 0 && b > 0)
  })
  if (crosses) return CROSSES

  cuts.sort((p, q) => sign * (p.at - q.at))
  cuts.push({ at: to, x: bx, y: by })
  let flags = 0
  let start: Cut = { at: from, x: ax, y: ay }
  for (const end of cuts) {
    if (end.at !== start.at) flags |= partRelation(region, shared, start, end)
    start = end
  }
  return flags
}

interface Cut {
  readonly at: number
  readonly x: number
  readonly y: number
}

interface Shared {
  readonly low: number
  readonly high: number
  readonly flag: number
}

function partRelation(region: Region, shared: readonly Shared[], start: Cut, end: Cut): number {
  const low = Math.min(start.at, end.at)
  const high = Math.max(start.at, end.at)
  const edge = shared.find((s) => s.low <= low && s.high >= high)
  if (edge) return edge.flag
  return locatePart(region, start, end) > 0 ? INSIDE : OUTSIDE
}

/** An end that is not on the border decides for the whole part; else its midpoint does. */
function locatePart(region: Region, start: Cut, end: Cut): Location {
  return (
    locate(region, start.x, start.y) ||
    locate(region, end.x, end.y) ||
    locateMidpoint(region, start.x, start.y, end.x, end.y)
  )
}
