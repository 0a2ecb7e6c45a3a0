import type { Grouping, MetricPlan } from '../../query/plan/aggregation-plan.ts'
import type { Predicate } from '../../query/plan/predicate.ts'
import { type Field, isNumber } from '../../query/schema/field.ts'
import type { Members } from './members.ts'

/** An aggregation of a request, translated. A field that no index has is undefined: there are no values then. */
export type AskedAggregation = Named & (BucketAggregation | FilterAggregation | MetricAggregation)

interface Named {
  readonly name: string
  readonly meta?: unknown
}

export interface BucketAggregation {
  readonly kind: 'buckets'
  readonly type: 'terms' | 'histogram' | 'date_histogram' | 'geohash_grid' | 'geotile_grid'
  readonly field: Field | undefined
  readonly grouping: Grouping | undefined
  readonly order: AskedOrder
  readonly size?: number
  readonly minCount: number
  readonly isKeyed: boolean
  /** Date format of `key_as_string`. */
  readonly format?: string
  readonly children: readonly AskedAggregation[]
}

export interface AskedOrder {
  readonly by: 'key' | 'count' | { readonly metric: string }
  readonly descending: boolean
}

/** Buckets of documents that match, one for each filter. */
export interface FilterAggregation {
  readonly kind: 'filters'
  readonly type: 'filter' | 'filters' | 'range' | 'date_range' | 'missing'
  /** One bucket without a list; a list; or an object by key. */
  readonly form: 'single' | 'list' | 'keyed'
  readonly filters: readonly AskedFilter[]
  readonly children: readonly AskedAggregation[]
}

export interface AskedFilter {
  readonly key?: string
  /** Further members of the bucket. */
  readonly more: Members
  readonly predicate: Predicate
}

export type MetricType =
  | 'min'
  | 'max'
  | 'avg'
  | 'sum'
  | 'stats'
  | 'cardinality'
  | 'value_count'
  | 'geo_bounds'
  | 'geo_centroid'

export interface MetricAggregation {
  readonly kind: 'metric'
  readonly type: MetricType
  readonly field: Field | undefined
  readonly format?: string
}

/** The metrics of a plan that a metric of a request needs. */
export function plannedMetrics({ type, field }: MetricAggregation): readonly MetricPlan[] {
  if (field === undefined) return []
  const kinds = type === 'value_count' && !isNumber(field.type) && field.type !== 'DATE' ? [] : KINDS[type]
  return kinds.map((kind) => ({ kind, field }))
}

const KINDS: Readonly<Record<MetricType, readonly MetricPlan['kind'][]>> = {
  min: ['min'],
  max: ['max'],
  avg: ['avg'],
  sum: ['sum'],
  stats: ['min', 'max', 'avg', 'sum'],
  cardinality: ['cardinality'],
  value_count: ['avg', 'sum'],
  geo_bounds: ['bounds'],
  geo_centroid: ['centroid'],
}
