/** GeoJSON geometries (RFC 7946), as plain readonly data. Type aliases, so that they are assignable to JsonObject. */

export type Position = readonly number[]

export type Point = {
  readonly type: 'Point'
  readonly coordinates: Position
}
type MultiPoint = {
  readonly type: 'MultiPoint'
  readonly coordinates: readonly Position[]
}
type LineString = {
  readonly type: 'LineString'
  readonly coordinates: readonly Position[]
}
type MultiLineString = {
  readonly type: 'MultiLineString'
  readonly coordinates: readonly (readonly Position[])[]
}
export type Polygon = {
  readonly type: 'Polygon'
  readonly coordinates: readonly (readonly Position[])[]
}
type MultiPolygon = {
  readonly type: 'MultiPolygon'
  readonly coordinates: readonly (readonly (readonly Position[])[])[]
}
type GeometryCollection = {
  readonly type: 'GeometryCollection'
  readonly geometries: readonly Geometry[]
}
export type Geometry = Point | MultiPoint | LineString | MultiLineString | Polygon | MultiPolygon | GeometryCollection
