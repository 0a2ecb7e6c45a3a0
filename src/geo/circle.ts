import type { Geometry, Position } from '../model/geometry.ts'

const EARTH_RADIUS = 6371008.7714
const RADIANS = Math.PI / 180
const CORNERS = 720

/**
 * Returns a polygon with 720 corners on the circle of places with a great-circle distance from a point, on the sphere
 * of `greatCircle`. Between the corners, its border is off by about a hundred thousandth of the radius.
 */
export function circleAround(lon: number, lat: number, metres: number): Geometry {
  if (metres <= 0) return { type: 'Point', coordinates: [lon, lat] }
  const angle = metres / EARTH_RADIUS
  const degrees = angle / RADIANS
  const hasNorth = lat + degrees >= 90
  const hasSouth = lat - degrees <= -90
  if (angle >= Math.PI) return polygon(box(0, -90, 90))
  if (hasNorth && hasSouth) {
    // All but a circle around the antipode.
    const opposite = lon > 0 ? lon - 180 : lon + 180
    return polygon(box(opposite, -90, 90), ringAround(opposite, -lat, Math.PI - angle))
  }
  if (!hasNorth && !hasSouth) return polygon(ringAround(lon, lat, angle))
  if (Math.abs(lat) === 90) return polygon(hasNorth ? box(0, 90 - degrees, 90) : box(0, -90, degrees - 90))
  return polygon(withPole(ringAround(lon, lat, angle), hasNorth ? 90 : -90))
}

const polygon = (...coordinates: readonly (readonly Position[])[]): Geometry => ({ type: 'Polygon', coordinates })

/** All longitudes, around a middle one. */
const box = (middle: number, south: number, north: number): readonly Position[] => [
  [middle - 180, south],
  [middle + 180, south],
  [middle + 180, north],
  [middle - 180, north],
  [middle - 180, south],
]

function ringAround(lon: number, lat: number, angle: number): readonly Position[] {
  const corners = Array.from({ length: CORNERS }, (_, i) => placeAt(lon, lat, angle, (2 * Math.PI * i) / CORNERS))
  return [...corners, ...corners.slice(0, 1)]
}

/** The place at an angle from a point, in a direction clockwise from north. The longitude is near that of the point. */
function placeAt(lon: number, lat: number, angle: number, bearing: number): Position {
  const sinLat = Math.sin(lat * RADIANS)
  const cosLat = Math.cos(lat * RADIANS)
  const sin = sinLat * Math.cos(angle) + cosLat * Math.sin(angle) * Math.cos(bearing)
  const turn = Math.atan2(Math.sin(bearing) * Math.sin(angle) * cosLat, Math.cos(angle) - sinLat * sin)
  return [lon + turn / RADIANS, Math.asin(Math.max(-1, Math.min(1, sin))) / RADIANS]
}

/** What is between a ring around a pole, which passes every longitude once, and the pole. */
function withPole(ring: readonly Position[], pole: number): readonly Position[] {
  const wrapped = ring.slice(1).map(([x = 0, y = 0]): Position => [x > 180 ? x - 360 : x < -180 ? x + 360 : x, y])
  const border = wrapped.toSorted(([a = 0], [b = 0]) => a - b)
  const edge = ((border[0]?.[1] ?? 0) + (border.at(-1)?.[1] ?? 0)) / 2
  const start: Position = [-180, edge]
  return [start, ...border.filter(([x = 0]) => Math.abs(x) < 180), [180, edge], [180, pole], [-180, pole], start]
}
