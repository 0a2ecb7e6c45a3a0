import type { Bucket } from '../api/answers.ts'
import { explorePath } from '../api/explore-path.ts'
import { type Chip, filterParameters, type Parameter } from '../filters/chip.ts'
import type { Metric } from './explorer-state.ts'

/** Returns the part of an aggregation that requests the chosen metric. */
export const metricPart = (metric: Metric | undefined): string =>
  metric === undefined ? '' : `:collect_field-${metric.field}:collect_fct-${metric.fct}`

/** Returns the value of a bucket: its count, or the chosen metric once the answer contains it. */
export const bucketValue = ({ count, metrics }: Bucket, metric: Metric | undefined): number | undefined =>
  metric === undefined || metrics === undefined ? count : metrics[0]?.value

export const aggregatePath = (
  collection: string,
  agg: string,
  chips: readonly Chip[],
  more: readonly Parameter[] = [],
): string => explorePath(collection, '_aggregate', [['agg', agg], ...filterParameters(chips), ...more])

export const countPath = (collection: string, chips: readonly Chip[]): string =>
  explorePath(collection, '_count', filterParameters(chips))
