import type { Box } from '../../geo/area.ts'
import type { Position } from '../../model/geometry.ts'
import type { Scalar } from '../plan/predicate.ts'

/** The place of a geotile cell at the level of its grid. */
export interface TileKey {
  readonly x: number
  readonly y: number
}

/**
 * By grouping: term as in Predicate; histogram number; datehistogram number (ms, start of the bucket); geotile TileKey;
 * geohash its text; geohex the H3 index in lower-case hexadecimal.
 */
export type BucketKey = Scalar | TileKey

/** A number, or the box or point of bounds and centroid; null when no document of the bucket has a value. */
export type MetricValue = number | Box | Position | null

/** What buckets are compared by. */
export interface ComparableBucket {
  readonly key: BucketKey
  readonly count: number
  /** In the order of the level's metrics. */
  readonly metrics: readonly MetricValue[]
}
