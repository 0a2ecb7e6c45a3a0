import type { Area, Box } from '../area.ts'
import { pathBounds } from '../ring.ts'

const MOST_BOXES = 4

/** Returns at most four boxes, disjoint in longitude, that together cover the area. */
export function areaBounds(area: Area): readonly Box[] {
  const parts = [
    ...area.boxes,
    ...area.polygons.map(([exterior = []]) => pathBounds(exterior)),
    ...area.lines.map(pathBounds),
    ...area.points.map((point) => pathBounds([point])),
  ].sort((a, b) => a.west - b.west)
  const boxes: Box[] = []
  for (const part of parts) {
    const last = boxes.at(-1)
    if (last && part.west <= last.east) boxes[boxes.length - 1] = around(last, part)
    else boxes.push(part)
  }
  return boxes.length > MOST_BOXES ? joinNear(boxes) : boxes
}

function around(a: Box, b: Box): Box {
  return {
    west: Math.min(a.west, b.west),
    south: Math.min(a.south, b.south),
    east: Math.max(a.east, b.east),
    north: Math.max(a.north, b.north),
  }
}

/** Merges neighbours until only the widest gaps are left. */
function joinNear(boxes: readonly Box[]): readonly Box[] {
  const gapBefore = (i: number): number => (boxes[i]?.west ?? 0) - (boxes[i - 1]?.east ?? 0)
  const indices = boxes.map((_, i) => i).slice(1)
  const kept = new Set(indices.sort((a, b) => gapBefore(b) - gapBefore(a)).slice(0, MOST_BOXES - 1))
  const joined: Box[] = []
  boxes.forEach((box, i) => {
    const last = joined.at(-1)
    if (last && !kept.has(i)) joined[joined.length - 1] = around(last, box)
    else joined.push(box)
  })
  return joined
}
