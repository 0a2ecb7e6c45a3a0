import { writeAggregation } from '../formats/aggregation-answer.ts'
import { aggregationFeatures } from '../formats/aggregation-features.ts'
import type { Cell } from '../geo/grid/cell.ts'
import type { BucketFeatures } from '../model/aggregation-response.ts'
import type { Operation } from './operation.ts'
import { type AggregationRequest, runAggregation } from './run-aggregation.ts'

interface GeoaggregateOptions {
  readonly flat: boolean
  /** Restricts the aggregation to documents in this cell. */
  readonly cell?: Cell
}

/** Aggregates the matching documents into buckets and returns these as features (spec 4). */
export async function aggregateFeatures(
  request: AggregationRequest,
  operation: Operation,
  { flat, cell }: GeoaggregateOptions,
): Promise<BucketFeatures> {
  const { collection } = operation
  const asked = { kind: 'geoaggregate', ...(cell === undefined ? {} : { cell }) } as const
  const { aggregations, result } = await runAggregation(request, operation, asked)
  const [main] = aggregations
  if (main === undefined) throw new Error('the request has no aggregation')
  const written = await writeAggregation(result, aggregations, { collection, hitsWithoutRaw: flat })
  const { type, fetched } = main
  return { type: 'FeatureCollection', features: await aggregationFeatures(written, { type, fetched, flat, cell }) }
}
