import type { Bucket, FoundDocument } from '../../engine/engine.ts'
import type { FieldType } from '../../model/field-type.ts'
import type { JsonObject } from '../../model/json/document.ts'
import type { ResolvedAggregation } from '../../query/aggregation/resolved-aggregation.ts'
import type { AggregationLevel, Grouping } from '../../query/plan/aggregation-plan.ts'
import type { Field } from '../../query/schema/field.ts'

export const fieldOf = (path: string, type: FieldType, format?: string): Field => ({
  path,
  type,
  indexed: true,
  nested: false,
  ...(format === undefined ? {} : { format }),
})

const levelOf = (grouping: Grouping, more: Partial<AggregationLevel> = {}): AggregationLevel => ({
  grouping,
  order: { by: 'count', descending: true },
  metrics: [],
  tops: [],
  ...more,
})

/** A resolved aggregation that requests only its buckets. */
export const aggregationOf = (grouping: Grouping, more: Partial<ResolvedAggregation> = {}): ResolvedAggregation => ({
  type: grouping.kind,
  field: grouping.field,
  level: levelOf(grouping),
  metrics: [],
  aggregated: [],
  raw: [],
  ...more,
})

export const bucketOf = (key: Bucket['key'], count: number, more: Partial<Bucket> = {}): Bucket => ({
  key,
  count,
  metrics: [],
  tops: [],
  ...more,
})

export const documentOf = (source: JsonObject): FoundDocument => ({ index: 'dataset', source })
