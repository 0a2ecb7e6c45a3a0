import type { AggregationResult } from '../engine/engine.ts'
import { fillBuckets } from '../formats/empty-buckets.ts'
import type { Aggregation } from '../model/aggregation.ts'
import { cellPredicate, resolveAggregations } from '../query/aggregation/aggregation-resolver.ts'
import { type AggregationOperation, namedPaths, parseAggregations } from '../query/aggregation/aggregation-syntax.ts'
import type { ResolvedAggregation } from '../query/aggregation/resolved-aggregation.ts'
import { and, type Predicate } from '../query/plan/predicate.ts'
import { parseSelection, type RequestFilters } from '../query/request/effective-query.ts'
import type { Operation } from './operation.ts'
import { type Stopwatch, startStopwatch } from './stopwatch.ts'

export interface AggregationRequest extends RequestFilters {
  /** Values of the parameter `agg`, or the aggregations of the body. */
  readonly aggregations?: readonly string[] | readonly Aggregation[] | undefined
}

interface RunAggregation {
  readonly aggregations: readonly ResolvedAggregation[]
  /** Includes the empty buckets of histograms. */
  readonly result: AggregationResult
  readonly watch: Stopwatch
}

/** Validates an aggregation request in the order of spec 1.4 and fetches its buckets from the engine. */
export async function runAggregation(
  request: AggregationRequest,
  operation: Operation,
  asked: AggregationOperation,
): Promise<RunAggregation> {
  const watch = startStopwatch()
  const { engine, collection, limits, origin, signal } = operation
  const context = { collection, limits, origin, operation: asked }
  const selection = parseSelection(request, operation)
  const parsed = parseAggregations(request.aggregations, context)
  const filter = selection.resolve(namedPaths(parsed))
  const aggregations = resolveAggregations(parsed, context)

  const selected = { indices: collection.schema.indices, predicate: and([filter, ...located(aggregations)]) }
  const plan = { ...selected, levels: aggregations.flatMap(({ level }) => level ?? []), limits }
  const found = await watch.engine(async () =>
    plan.levels.length === 0
      ? { total: await engine.count(selected, signal), buckets: [], others: 0 }
      : engine.aggregate(plan, signal),
  )
  const result = fillBuckets(found, plan)
  return { aggregations, result, watch }

  function located([main]: readonly ResolvedAggregation[]): readonly Predicate[] {
    const cell = asked.kind === 'geoaggregate' ? asked.cell : undefined
    return cell === undefined || main === undefined ? [] : [cellPredicate(cell, main, collection)]
  }
}
