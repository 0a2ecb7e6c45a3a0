import type { DateFormat } from '../date/date-format.ts'
import type { AggregationLevel } from '../plan/aggregation-plan.ts'
import type { Field } from '../schema/field.ts'

export const aggregationTypes = ['datehistogram', 'histogram', 'term', 'geohash', 'geotile', 'geohex'] as const
export type AggregationType = (typeof aggregationTypes)[number]

/** The words of aggregated_geometries; two are other names of `cell` and `cell_center`. */
export const aggregatedForms = ['bbox', 'centroid', 'cell', 'cell_center', 'geohash', 'geohash_center'] as const
export type AggregatedForm = (typeof aggregatedForms)[number]

/** One aggregation of a request, resolved: what the engine is asked, and how the answer is written from it. */
export interface ResolvedAggregation {
  readonly type: AggregationType
  /** Absent when the schema does not know the path: no bucket. */
  readonly field?: Field
  /** What the engine is asked; absent, for this and all nested ones, from the first unknown field on. */
  readonly level?: AggregationLevel
  /** Of a datehistogram: how its keys are printed. */
  readonly format?: DateFormat
  /** One entry of `metrics` in every bucket per entry here, in order. */
  readonly metrics: readonly ResolvedMetric[]
  /** Aggregated geometries in request order, without duplicates; the default of geo types is among them. */
  readonly aggregated: readonly ResolvedAggregated[]
  readonly raw: readonly ResolvedRaw[]
  /** The one geometry of fetch_geometry; there are no others then. */
  readonly fetched?: ResolvedFetched
  readonly hits?: ResolvedHits
}

export interface ResolvedMetric {
  readonly fct: 'avg' | 'cardinality' | 'max' | 'min' | 'sum' | 'geobbox' | 'geocentroid'
  /** As asked, or the one a lone geobbox or geocentroid uses; dots not yet replaced. */
  readonly path: string
  /** Place in the level's metrics; absent when the field is unknown: no document has a value. */
  readonly place?: number
}

export interface ResolvedAggregated {
  readonly form: AggregatedForm
  /** bbox and centroid: place of the bounds or centroid in the level's metrics. */
  readonly place?: number
}

export interface ResolvedRaw {
  readonly field: Field
  /** As the answer shows it: the text sent, or the timestamp path. */
  readonly sort: string
  /** Place in the level's tops. */
  readonly top: number
}

export type ResolvedFetched =
  | ({ readonly kind: 'bucket' } & ResolvedAggregated)
  | ({ readonly kind: 'document' } & Omit<ResolvedRaw, 'sort'>)

export interface ResolvedHits {
  readonly top: number
  /** Paths to keep of each document; absent: whole documents. */
  readonly include?: readonly string[]
}
