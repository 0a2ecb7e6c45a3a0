import { collapse, pathBounds, type Ring } from '../ring.ts'
import { turnLongitude } from './longitude-cut.ts'

/**
 * Returns the change of longitudes that makes a ring go round the other side of the globe (spec 3.9.2). The same change
 * applies to the holes of the polygon.
 */
export function otherSide(ring: Ring): (x: number) => number {
  const { west, east } = pathBounds(ring)
  if (east > 180 && west <= 180) return (x) => (x > 180 ? turnLongitude(x, -1) : x)
  if (west < -180 && east >= -180) return (x) => (x < -180 ? turnLongitude(x, 1) : x)
  if (east >= 0) return (x) => (x > west ? turnLongitude(x, -1) : x)
  return (x) => (x < east ? turnLongitude(x, 1) : x)
}

/** Returns the ring with changed longitudes; consecutive equal positions are merged. */
export function changeLongitudes(ring: Ring, change: (x: number) => number): Ring {
  return collapse(ring.map(([x = 0, y = 0]) => [change(x), y]))
}
