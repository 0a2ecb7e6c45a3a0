import type { Box } from '../../geo/area.ts'
import type { Geometry, Position } from '../../model/geometry.ts'

/** Returns the smallest box around a geometry and the given box. */
export function growBox(known: Box | undefined, geometry: Geometry): Box | undefined {
  let [west, south, east, north] = known
    ? [known.west, known.south, known.east, known.north]
    : [Infinity, Infinity, -Infinity, -Infinity]
  for (const [x = Number.NaN, y = Number.NaN] of positionsOf(geometry)) {
    west = Math.min(west, x)
    south = Math.min(south, y)
    east = Math.max(east, x)
    north = Math.max(north, y)
  }
  return west <= east ? { west, south, east, north } : known
}

function positionsOf(geometry: Geometry): readonly Position[] {
  switch (geometry.type) {
    case 'Point':
      return [geometry.coordinates]
    case 'MultiPoint':
    case 'LineString':
      return geometry.coordinates
    case 'MultiLineString':
    case 'Polygon':
      return geometry.coordinates.flat()
    case 'MultiPolygon':
      return geometry.coordinates.flat(2)
    case 'GeometryCollection':
      return geometry.geometries.flatMap(positionsOf)
  }
}
