import type { DateFormat } from '../date/date-format.ts'
import type { AggregationLevel } from '../plan/aggregation-plan.ts'
import type { Field } from '../schema/field.ts'

export const aggregationTypes = ['datehistogram', 'histogram', 'term', 'geohash', 'geotile', 'geohex'] as const
export type AggregationType = (typeof aggregationTypes)[number]

/** Values of aggregated_geometries; the last two are aliases of `cell` and `cell_center`. */
export const aggregatedForms = ['bbox', 'centroid', 'cell', 'cell_center', 'geohash', 'geohash_center'] as const
export type AggregatedForm = (typeof aggregatedForms)[number]

/** One resolved aggregation of a request: the plan for the engine, and how the response is printed. */
export interface ResolvedAggregation {
  readonly type: AggregationType
  /** Absent if the path is not in the schema: no buckets. */
  readonly field?: Field
  /** Plan for the engine; absent in the first aggregation with an unknown field and all nested ones. */
  readonly level?: AggregationLevel
  /** Print format of the keys of a datehistogram. */
  readonly format?: DateFormat
  /** Each gives one entry of `metrics` in every bucket, in order. */
  readonly metrics: readonly ResolvedMetric[]
  /** Aggregated geometries in request order, without duplicates, including the default of geo types. */
  readonly aggregated: readonly ResolvedAggregated[]
  readonly raw: readonly ResolvedRaw[]
  /** The geometry of fetch_geometry; it excludes the other geometries. */
  readonly fetched?: ResolvedFetched
  readonly hits?: ResolvedHits
}

export interface ResolvedMetric {
  readonly fct: 'avg' | 'cardinality' | 'max' | 'min' | 'sum' | 'geobbox' | 'geocentroid'
  /** As requested, or the default path of geobbox and geocentroid; dots not yet replaced. */
  readonly path: string
  /** Index in the metrics of the level; absent if the field is unknown, so no document has a value. */
  readonly place?: number
}

export interface ResolvedAggregated {
  readonly form: AggregatedForm
  /** bbox and centroid: index of the bounds or centroid in the metrics of the level. */
  readonly place?: number
}

export interface ResolvedRaw {
  readonly field: Field
  /** As shown in the response: the string sent, or the timestamp path. */
  readonly sort: string
  /** Index in the tops of the level. */
  readonly top: number
}

export type ResolvedFetched =
  | ({ readonly kind: 'bucket' } & ResolvedAggregated)
  | ({ readonly kind: 'document' } & Omit<ResolvedRaw, 'sort'>)

export interface ResolvedHits {
  readonly top: number
  /** Paths to return of each document; absent: whole documents. */
  readonly include?: readonly string[]
}
