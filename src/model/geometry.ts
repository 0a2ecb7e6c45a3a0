/** GeoJSON geometries (RFC 7946), as plain readonly data. */

export type Position = readonly number[]

export interface Point {
  readonly type: 'Point'
  readonly coordinates: Position
}
interface MultiPoint {
  readonly type: 'MultiPoint'
  readonly coordinates: readonly Position[]
}
interface LineString {
  readonly type: 'LineString'
  readonly coordinates: readonly Position[]
}
interface MultiLineString {
  readonly type: 'MultiLineString'
  readonly coordinates: readonly (readonly Position[])[]
}
export interface Polygon {
  readonly type: 'Polygon'
  readonly coordinates: readonly (readonly Position[])[]
}
interface MultiPolygon {
  readonly type: 'MultiPolygon'
  readonly coordinates: readonly (readonly (readonly Position[])[])[]
}
interface GeometryCollection {
  readonly type: 'GeometryCollection'
  readonly geometries: readonly Geometry[]
}
export type Geometry = Point | MultiPoint | LineString | MultiLineString | Polygon | MultiPolygon | GeometryCollection
