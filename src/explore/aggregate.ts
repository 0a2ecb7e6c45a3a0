import { writeAggregation } from '../formats/aggregation-answer.ts'
import { flattenAnswer } from '../formats/aggregation-flat.ts'
import type { AggregationAnswer } from '../model/aggregation-response.ts'
import type { Operation } from './operation.ts'
import { type AggregationRequest, runAggregation } from './run-aggregation.ts'

interface AggregateOptions {
  readonly flat: boolean
}

/** Aggregates the matching documents into buckets (spec 3). */
export async function aggregateDocuments(
  request: AggregationRequest,
  operation: Operation,
  { flat }: AggregateOptions,
): Promise<AggregationAnswer> {
  const { aggregations, result, watch } = await runAggregation(request, operation, { kind: 'aggregate' })
  const nested = await writeAggregation(result, aggregations, operation)
  const written = flat ? await flattenAnswer(nested) : nested
  return { ...watch.times(), totalnb: result.total, ...written }
}
