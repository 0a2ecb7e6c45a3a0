/** What differs between the families and versions of clusters; found at start from the cluster's own answers. */
export interface Dialect {
  readonly family: 'opensearch' | 'elasticsearch'
  /** As the cluster prints it: `3.5.0`. */
  readonly version: string
  /** How messages name it: `OpenSearch 3.5.0`. */
  readonly label: string
  /** `geohex_grid` on points. */
  readonly geohex: boolean
  /** `geotile_grid` and `geohash_grid` on geo_shape. */
  readonly shapeGrids: boolean
  /** `geo_bounds` on geo_shape. */
  readonly shapeBounds: boolean
  /** Fields of type geo_shape at all. */
  readonly shapes: boolean
}
