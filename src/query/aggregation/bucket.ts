import type { Box } from '../../geo/area.ts'
import type { Position } from '../../model/geometry.ts'
import type { Scalar } from '../plan/predicate.ts'

/** Column and row of a geotile cell at the level of its grid. */
export interface TileKey {
  readonly x: number
  readonly y: number
}

/**
 * Key by grouping: term as in Predicate; histogram number; datehistogram number (ms, start of the bucket); geotile
 * TileKey; geohash string; geohex the H3 index in lower-case hexadecimal.
 */
export type BucketKey = Scalar | TileKey

/** A number, or the box or point of bounds and centroid; null if no document of the bucket has a value. */
export type MetricValue = number | Box | Position | null

/** The members that determine the order of buckets. */
export interface ComparableBucket {
  readonly key: BucketKey
  readonly count: number
  /** In the order of the level's metrics. */
  readonly metrics: readonly MetricValue[]
}
