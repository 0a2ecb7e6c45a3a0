import type { Cell } from '../../geo/grid/cell.ts'
import type { KeywordPattern } from '../pattern/keyword-pattern.ts'
import type { Field } from '../schema/field.ts'
import type { FieldSortKey, Selection } from './plan.ts'
import type { Scalar } from './predicate.ts'

/** How documents are grouped. A document is counted once in the bucket of each distinct key of its values. */
export type Grouping = TermGrouping | HistogramGrouping | DateHistogramGrouping | GridGrouping

/** By value: KEYWORD, IP, BOOLEAN, DATE and numbers. */
export interface TermGrouping {
  readonly kind: 'term'
  readonly field: Field
  /** Only these terms get buckets; documents with other terms are not counted. */
  readonly include?: TermInclude
}

export type TermInclude =
  | { readonly kind: 'values'; readonly values: readonly Scalar[] }
  /** KEYWORD only; anchored at both ends of the term. */
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
  /** `length` in ms, aligned to the epoch. */
  | { readonly kind: 'fixed'; readonly length: number }

/**
 * By cell: of each point of a GEO_POINT; for a GEO_SHAPE every cell it intersects, for geohex the cell of its centroid.
 */
export interface GridGrouping {
  readonly kind: 'geohash' | 'geotile' | 'geohex'
  readonly field: Field
  /** Characters of a geohash (1..12), zoom of a tile (0..29), resolution of H3 (0..15). */
  readonly level: number
  /**
   * Counts only points in this cell; for a GEO_SHAPE only cells that intersect it. The selection already requires this
   * of the document; `scope` excludes its other values.
   */
  readonly scope?: Cell
}

/**
 * avg, sum, min, max: numbers and DATE (ms), over all values of the documents of the bucket. cardinality: distinct
 * values. bounds, centroid: all points of a GEO_POINT; envelope and planar centroid of a GEO_SHAPE.
 */
export interface MetricPlan {
  readonly kind: 'avg' | 'sum' | 'min' | 'max' | 'cardinality' | 'bounds' | 'centroid'
  readonly field: Field
}

/** Documents to pick from each bucket: the first `size` in the order of `sort` that have a value for `having`. */
export interface TopPlan {
  readonly size: number
  /** Ends with the id field, if it exists. */
  readonly sort: readonly FieldSortKey[]
  readonly having?: Field
  /** Skips documents without a value for the first key of `sort`. */
  readonly keyed?: true
}

/** Returns the fields a picked document must have values for. */
export const demandedFields = ({ having, keyed, sort }: TopPlan): readonly Field[] => [
  ...(having === undefined ? [] : [having]),
  ...(keyed ? sort.slice(0, 1).map(({ field }) => field) : []),
]

/** Ties are broken by key ascending; buckets without a value for the metric come last in both directions. */
export type BucketOrder =
  | { readonly by: 'key'; readonly descending: boolean }
  | { readonly by: 'count'; readonly descending: boolean }
  /** `metric`: index in the metrics of the level. */
  | { readonly by: 'metric'; readonly metric: number; readonly descending: boolean }

/** One aggregation; the next level is nested in its buckets. */
export interface AggregationLevel {
  readonly grouping: Grouping
  readonly order: BucketOrder
  /** Maximum buckets in each parent; absent: all. */
  readonly size?: number
  readonly metrics: readonly MetricPlan[]
  readonly tops: readonly TopPlan[]
}

export interface AggregationPlan extends Selection {
  /** At least one; each is nested in the one before. */
  readonly levels: readonly AggregationLevel[]
  /** LIMIT_EXCEEDED if there are more buckets, all levels together; see bucket-limits.ts. */
  readonly limits: { readonly buckets: number; readonly bucketHits: number }
}

/** Metrics over a whole selection. */
export interface MeasurePlan extends Selection {
  readonly metrics: readonly MetricPlan[]
  /**
   * Number of distinct values up to which cardinality is exact, by default 100,000; above, the error is at most 2 %.
   */
  readonly exactDistinct?: number
}

/** Terms of KEYWORD and TEXT fields that begin with `prefix` or have a word that does. */
export interface SuggestPlan extends Selection {
  readonly fields: readonly Field[]
  /** Lower case; empty: every term. */
  readonly prefix: string
  /**
   * Maximum number of terms, in this order: count descending, text by code point, then index of the field in `fields`.
   */
  readonly size: number
}
