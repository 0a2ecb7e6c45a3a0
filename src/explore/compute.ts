import { metricGeometry } from '../formats/aggregation/aggregation-metrics.ts'
import type { ComputationRequest } from '../model/aggregation.ts'
import type { ComputationResponse } from '../model/answer/aggregation-response.ts'
import { and } from '../query/plan/predicate.ts'
import { computedValue, parseComputation, resolveParsedComputation } from '../query/request/computation-request.ts'
import { parseSelection } from '../query/request/effective-query.ts'
import type { Operation } from './operation.ts'
import { startStopwatch } from './stopwatch.ts'

/** Computes one metric over the matching documents that have the field (spec 5.9). */
export async function computeFigure(request: ComputationRequest, operation: Operation): Promise<ComputationResponse> {
  const watch = startStopwatch()
  const { engine, collection, signal } = operation
  const selection = parseSelection(request, operation)
  const parsed = parseComputation(request, collection)
  const filter = selection.resolve([parsed.path])
  const computation = resolveParsedComputation(parsed, collection)
  const predicate = and([filter, computation.having])
  const { total, values } =
    predicate.kind === 'nothing'
      ? { total: 0, values: [] }
      : await watch.engine(() =>
          engine.measure({ indices: collection.schema.indices, predicate, metrics: computation.metrics }, signal),
        )
  const { name, metric } = computation
  const value = total === 0 ? undefined : computedValue(metric, values)
  return { ...watch.times(), totalnb: total, field: name, metric, ...written(value) }
}

function written(value: ReturnType<typeof computedValue>): Pick<ComputationResponse, 'value' | 'geometry'> {
  if (value === undefined) return {}
  return typeof value === 'number' ? { value } : { geometry: metricGeometry(value) }
}
