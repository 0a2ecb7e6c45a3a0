import type { Position } from '../../model/geometry.ts'
import { pathBounds } from '../ring.ts'
import type { Shape } from './shape.ts'

type Paths = readonly (readonly Position[])[]
type Origin = readonly [number, number]

/** Weighted sums of offsets from an origin. */
interface Sums {
  weight: number
  x: number
  y: number
}

/**
 * Returns the planar centroid: the mean weighted by area (holes subtracted), by length or by count, of the parts of the
 * highest dimension. Summed relative to the centre of the bounding box, so that a symmetric shape has exactly that
 * centre.
 */
export function planarCentroid(shape: Shape): Position {
  const rings = shape.polygons.flat()
  return (
    meanOf(rings, areaSums) ??
    // Only used for a ring that encloses equal areas counter-clockwise and clockwise.
    meanOf(rings, lengthSums) ??
    meanOf(shape.lines, lengthSums) ??
    meanOf([shape.points], countSums) ?? [0, 0]
  )
}

function meanOf(paths: Paths, sumsOf: (paths: Paths, origin: Origin) => Sums): Position | undefined {
  const { west, south, east, north } = pathBounds(paths.flat())
  const [ox, oy] = [(west + east) / 2, (south + north) / 2]
  const { weight, x, y } = sumsOf(paths, [ox, oy])
  // Rounding must not move the centroid out of the bounding box.
  return weight > 0 ? [clamp(ox + x / weight, west, east), clamp(oy + y / weight, south, north)] : undefined
}

function areaSums(rings: Paths, [ox, oy]: Origin): Sums {
  const sums = { weight: 0, x: 0, y: 0 }
  for (const ring of rings) {
    let ax = 0
    let ay = 0
    ring.forEach(([x = 0, y = 0], i) => {
      const bx = x - ox
      const by = y - oy
      if (i > 0) {
        const cross = ax * by - bx * ay
        sums.weight += cross * 3
        sums.x += (ax + bx) * cross
        sums.y += (ay + by) * cross
      }
      ax = bx
      ay = by
    })
  }
  return sums
}

function lengthSums(paths: Paths, [ox, oy]: Origin): Sums {
  const sums = { weight: 0, x: 0, y: 0 }
  for (const path of paths) {
    path.forEach(([bx = 0, by = 0], i) => {
      const [ax = bx, ay = by] = path[i - 1] ?? []
      const length = Math.hypot(bx - ax, by - ay)
      sums.weight += length
      sums.x += length * ((ax - ox + bx - ox) / 2)
      sums.y += length * ((ay - oy + by - oy) / 2)
    })
  }
  return sums
}

function countSums(paths: Paths, [ox, oy]: Origin): Sums {
  const points = paths.flat()
  const sums = { weight: points.length, x: 0, y: 0 }
  for (const [x = 0, y = 0] of points) {
    sums.x += x - ox
    sums.y += y - oy
  }
  return sums
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), high)
}
