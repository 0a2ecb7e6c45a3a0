const EARTH_RADIUS = 6371008.7714
const RADIANS = Math.PI / 180

/** Great-circle distance in metres on a sphere of radius 6,371,008.7714 m (spec 2.3.5), by the haversine formula. */
export function greatCircle(lon1: number, lat1: number, lon2: number, lat2: number): number {
  const halfLat = Math.sin(((lat2 - lat1) * RADIANS) / 2)
  const halfLon = Math.sin(((lon2 - lon1) * RADIANS) / 2)
  const h = halfLat * halfLat + Math.cos(lat1 * RADIANS) * Math.cos(lat2 * RADIANS) * halfLon * halfLon
  return 2 * EARTH_RADIUS * Math.asin(Math.sqrt(Math.min(1, h)))
}
