import type { Area, Box } from '../../../geo/area.ts'
import { boxRing } from '../../../geo/box.ts'
import type { Ring } from '../../../geo/ring.ts'
import type { Position } from '../../../model/geometry.ts'
import { storedBox } from './geo-quantum.ts'

/** Degrees. Larger than the rounding of stored coordinates, smaller than the required precision (spec 2.5). */
const HALF_WIDTH = 1.5e-7

/**
 * Converts an area to polygons only, as a cluster stores them. Lines become slivers and points become squares of one
 * quantum, because for a cluster nothing lies within a line or a point.
 */
export function polygonsOf({ boxes, polygons, lines, points }: Area): readonly (readonly Ring[])[] {
  return [
    ...boxes.map((box) => [boxRing(storedBox(box))]),
    ...polygons,
    ...lines.flatMap((line) => line.slice(1).map((end, i) => [sliver(line[i] ?? end, end)])),
    ...points.map((point) => [boxRing(storedBox(boxAt(point)))]),
  ]
}

const boxAt = ([lon = 0, lat = 0]: Position): Box => ({ west: lon, south: lat, east: lon, north: lat })

/** Returns the segment buffered by HALF_WIDTH with square ends, as a counter-clockwise ring. */
function sliver([ax = 0, ay = 0]: Position, [bx = 0, by = 0]: Position): Ring {
  const length = Math.hypot(bx - ax, by - ay)
  const dx = ((bx - ax) / length) * HALF_WIDTH
  const dy = ((by - ay) / length) * HALF_WIDTH
  const first = inWorld(ax - dx + dy, ay - dy - dx)
  return [
    first,
    inWorld(bx + dx + dy, by + dy - dx),
    inWorld(bx + dx - dy, by + dy + dx),
    inWorld(ax - dx - dy, ay - dy + dx),
    first,
  ]
}

const inWorld = (lon: number, lat: number): Position => [
  Math.min(Math.max(lon, -180), 180),
  Math.min(Math.max(lat, -90), 90),
]
