import type { Geometry, Position } from '../model/geometry.ts'

type Change = (position: Position) => Position

/** Returns the geometry with each position replaced. */
export function mapPositions(geometry: Geometry, change: Change): Geometry {
  const path = (positions: readonly Position[]): readonly Position[] => positions.map(change)
  switch (geometry.type) {
    case 'Point':
      return { ...geometry, coordinates: change(geometry.coordinates) }
    case 'MultiPoint':
    case 'LineString':
      return { ...geometry, coordinates: path(geometry.coordinates) }
    case 'MultiLineString':
    case 'Polygon':
      return { ...geometry, coordinates: geometry.coordinates.map(path) }
    case 'MultiPolygon':
      return { ...geometry, coordinates: geometry.coordinates.map((rings) => rings.map(path)) }
    case 'GeometryCollection':
      return { ...geometry, geometries: geometry.geometries.map((member) => mapPositions(member, change)) }
  }
}
