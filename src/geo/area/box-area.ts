import type { Position } from '../../model/geometry.ts'
import type { Area, Box } from '../area.ts'
import { GeometryFault } from '../geometry-fault.ts'

/**
 * Returns the area of a bbox of four numbers, or of six, of which the heights are ignored. West > east crosses the
 * antimeridian; south = north is a line. Throws GeometryFault.
 */
export function boxArea(bounds: readonly number[], toLonLat: (position: Position) => Position = (p) => p): Area {
  if (bounds.length !== 4 && bounds.length !== 6) throw new GeometryFault('must have four or six numbers')
  if (!bounds.every(Number.isFinite)) throw new GeometryFault('must have finite numbers')
  const half = bounds.length / 2
  const [west = 0, south = 0] = toLonLat([bounds[0] ?? 0, bounds[1] ?? 0])
  const [east = 0, north = 0] = toLonLat([bounds[half] ?? 0, bounds[half + 1] ?? 0])
  const box = { west, south, east, north }
  checkDegrees(box)
  if (north < south) throw new GeometryFault('must not have south greater than north')
  return areaOfBox(box)
}

/** Throws GeometryFault for bounds outside the world. */
export function checkDegrees({ west, south, east, north }: Box): void {
  if (![west, east].every((x) => x >= -180 && x <= 180)) {
    throw new GeometryFault('must have west and east from -180 to 180')
  }
  if (![south, north].every((y) => y >= -90 && y <= 90)) {
    throw new GeometryFault('must have south and north from -90 to 90')
  }
}

/** Returns the area of a box; two boxes if it crosses the antimeridian. */
export function areaOfBox({ west, south, east, north }: Box): Area {
  const boxes =
    west <= east
      ? [{ west, south, east, north }]
      : [
          { west, south, east: 180, north },
          { west: -180, south, east, north },
        ]
  return { boxes, polygons: [], lines: [], points: [] }
}
