import { writeAggregation } from '../formats/aggregation-answer.ts'
import { aggregationFeatures } from '../formats/aggregation-features.ts'
import type { Cell } from '../geo/grid/cell.ts'
import type { BucketFeatures } from '../model/aggregation-response.ts'
import type { Operation } from './operation.ts'
import { type AggregationRequest, runAggregation } from './run-aggregation.ts'

export interface GeoaggregateOptions {
  readonly flat: boolean
  /** Only documents in this cell are gathered. */
  readonly cell?: Cell
}

/** The documents that match, gathered into buckets that become features (spec 4). */
export async function aggregateFeatures(
  request: AggregationRequest,
  operation: Operation,
  { flat, cell }: GeoaggregateOptions,
): Promise<BucketFeatures> {
  const { collection } = operation
  const asked = { kind: 'geoaggregate', ...(cell === undefined ? {} : { cell }) } as const
  const { aggregations, result } = await runAggregation(request, operation, asked)
  const [main] = aggregations
  if (main === undefined) throw new Error('an aggregation request was let through without aggregation')
  const written = await writeAggregation(result, aggregations, { collection, hitsWithoutRaw: flat })
  const { type, fetched } = main
  return { type: 'FeatureCollection', features: await aggregationFeatures(written, { type, fetched, flat, cell }) }
}
