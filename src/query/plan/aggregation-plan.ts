import type { Cell } from '../../geo/grid/cell.ts'
import type { KeywordPattern } from '../pattern/keyword-pattern.ts'
import type { Field } from '../schema/field.ts'
import type { FieldSortKey, Selection } from './plan.ts'
import type { Scalar } from './predicate.ts'

/** What documents are gathered by. A document is once in the bucket of each distinct key its values have. */
export type Grouping = TermGrouping | HistogramGrouping | DateHistogramGrouping | GridGrouping

/** By value: KEYWORD, IP, BOOLEAN, DATE and numbers. */
export interface TermGrouping {
  readonly kind: 'term'
  readonly field: Field
  /** Only these terms get buckets; the documents of others count nowhere. */
  readonly include?: TermInclude
}

export type TermInclude =
  | { readonly kind: 'values'; readonly values: readonly Scalar[] }
  /** KEYWORD only; tied to both ends of the term. */
  | { readonly kind: 'pattern'; readonly pattern: KeywordPattern }

/** Numbers and DATE (ms): key = floor(v / interval) * interval, in doubles. */
export interface HistogramGrouping {
  readonly kind: 'histogram'
  readonly field: Field
  readonly interval: number
}

export interface DateHistogramGrouping {
  readonly kind: 'datehistogram'
  readonly field: Field
  readonly interval: DateInterval
}

export type DateInterval =
  | { readonly kind: 'calendar'; readonly unit: 'year' | 'quarter' | 'month' | 'week' }
  /** `length` in ms, aligned on the epoch. */
  | { readonly kind: 'fixed'; readonly length: number }

/** By cell: of the points of a GEO_POINT; of a GEO_SHAPE every cell it shares a point with, for geohex its centroid's. */
export interface GridGrouping {
  readonly kind: 'geohash' | 'geotile' | 'geohex'
  readonly field: Field
  /** Characters of a geohash (1..12), zoom of a tile (0..29), resolution of H3 (0..15). */
  readonly level: number
  /**
   * Counted are only points in this cell, of a GEO_SHAPE only cells that share a point with it. The selection demands
   * it already of the document; this concerns its other values.
   */
  readonly scope?: Cell
}

/**
 * avg, sum, min, max: numbers and DATE (ms), over all values of the bucket's documents. cardinality: distinct values.
 * bounds, centroid: GEO_POINT over all its points, GEO_SHAPE by its envelope and planar centroid.
 */
export interface MetricPlan {
  readonly kind: 'avg' | 'sum' | 'min' | 'max' | 'cardinality' | 'bounds' | 'centroid'
  readonly field: Field
}

/** Documents to pick from each bucket: the first `size` in the order of `sort`, of those that have a value for `having`. */
export interface TopPlan {
  readonly size: number
  /** Ends with the id field where there is one. */
  readonly sort: readonly FieldSortKey[]
  readonly having?: Field
  /** Documents without a value for the first key of `sort` are passed over. */
  readonly keyed?: true
}

/** The fields that a picked document has values for. */
export const demandedFields = ({ having, keyed, sort }: TopPlan): readonly Field[] => [
  ...(having === undefined ? [] : [having]),
  ...(keyed ? sort.slice(0, 1).map(({ field }) => field) : []),
]

/** Ties are broken by key ascending; buckets without the metric's value come last in both directions. */
export type BucketOrder =
  | { readonly by: 'key'; readonly descending: boolean }
  | { readonly by: 'count'; readonly descending: boolean }
  /** `metric`: place in the metrics of the level. */
  | { readonly by: 'metric'; readonly metric: number; readonly descending: boolean }

/** One aggregation; the next level is nested in its buckets. */
export interface AggregationLevel {
  readonly grouping: Grouping
  readonly order: BucketOrder
  /** Buckets kept inside each parent; absent: all. */
  readonly size?: number
  readonly metrics: readonly MetricPlan[]
  readonly tops: readonly TopPlan[]
}

export interface AggregationPlan extends Selection {
  /** At least one; each nested in the one before. */
  readonly levels: readonly AggregationLevel[]
  /** More buckets than this, all levels together, are a LIMIT_EXCEEDED; see bucket-limits.ts. */
  readonly limits: { readonly buckets: number; readonly bucketHits: number }
}

/** Figures over a whole selection. */
export interface MeasurePlan extends Selection {
  readonly metrics: readonly MetricPlan[]
  /** Distinct values up to which cardinality is exact, 100,000 unless told; above, it is within 2 %. */
  readonly exactDistinct?: number
}

/** Terms of KEYWORD and TEXT fields whose text, or one of whose words, begins with `prefix`. */
export interface SuggestPlan extends Selection {
  readonly fields: readonly Field[]
  /** Lower case; empty: every term. */
  readonly prefix: string
  /** The first so many: count descending, text by code point, then place of the field in `fields`. */
  readonly size: number
}
