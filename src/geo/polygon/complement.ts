import { collapse, pathBounds, type Ring } from '../ring.ts'
import { turnLongitude } from './longitude-cut.ts'

/**
 * The longitudes of a ring taken round the other side of the globe (spec 3.9.2): what becomes of each of them. The same
 * change fits the holes of the polygon.
 */
export function otherSide(ring: Ring): (x: number) => number {
  const { west, east } = pathBounds(ring)
  if (east > 180 && west <= 180) return (x) => (x > 180 ? turnLongitude(x, -1) : x)
  if (west < -180 && east >= -180) return (x) => (x < -180 ? turnLongitude(x, 1) : x)
  if (east >= 0) return (x) => (x > west ? turnLongitude(x, -1) : x)
  return (x) => (x < east ? turnLongitude(x, 1) : x)
}

/** The ring with changed longitudes; positions that fall together become one. */
export function changeLongitudes(ring: Ring, change: (x: number) => number): Ring {
  return collapse(ring.map(([x = 0, y = 0]) => [change(x), y]))
}
