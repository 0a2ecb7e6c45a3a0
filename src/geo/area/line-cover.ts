import { orientation } from '../orientation.ts'
import { type EdgeIndex, edgeBox, someEdgeNear } from '../polygon/edge-index.ts'
import type { Edge } from '../polygon/edge-tree.ts'

/** Returns the parts of a segment that lie on none of the lines. */
export function uncoveredParts(segment: Edge, lines: EdgeIndex): readonly Edge[] {
  const { ax, ay, bx, by } = segment
  const byX = Math.abs(bx - ax) >= Math.abs(by - ay)
  const sign = (byX ? bx > ax : by > ay) ? 1 : -1
  const along = (x: number, y: number): number => sign * (byX ? x : y)
  const covered: Edge[] = []
  someEdgeNear(lines, edgeBox(segment), (line) => {
    if (orientation(ax, ay, bx, by, line.ax, line.ay) === 0 && orientation(ax, ay, bx, by, line.bx, line.by) === 0) {
      const forward = along(line.ax, line.ay) <= along(line.bx, line.by)
      covered.push(forward ? line : { ax: line.bx, ay: line.by, bx: line.ax, by: line.ay })
    }
    return false
  })
  covered.sort((p, q) => along(p.ax, p.ay) - along(q.ax, q.ay))
  const parts: Edge[] = []
  let x = ax
  let y = ay
  for (const line of covered) {
    if (along(line.ax, line.ay) > along(x, y)) parts.push({ ax: x, ay: y, bx: line.ax, by: line.ay })
    if (along(line.bx, line.by) > along(x, y)) {
      x = line.bx
      y = line.by
    }
  }
  if (along(bx, by) > along(x, y)) parts.push({ ax: x, ay: y, bx, by })
  return parts
}
