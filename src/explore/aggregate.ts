import type { AggregationResult } from '../engine/engine.ts'
import { writeAggregation } from '../formats/aggregation/aggregation-answer.ts'
import { aggregationFeatures } from '../formats/aggregation/aggregation-features.ts'
import { flattenAnswer } from '../formats/aggregation/aggregation-flat.ts'
import { printAggregation, printAggregationFeatures } from '../formats/aggregation/aggregation-text.ts'
import { fillBuckets } from '../formats/aggregation/empty-buckets.ts'
import type { Cell } from '../geo/grid/cell.ts'
import type { Aggregation } from '../model/aggregation.ts'
import type { AggregationAnswer, BucketFeatures } from '../model/answer/aggregation-response.ts'
import { PrintedJson } from '../model/json/printed-json.ts'
import { cellPredicate, resolveAggregations } from '../query/aggregation/aggregation-resolver.ts'
import { type AggregationOperation, namedPaths, parseAggregations } from '../query/aggregation/aggregation-syntax.ts'
import type { ResolvedAggregation } from '../query/aggregation/resolved-aggregation.ts'
import { and, type Predicate } from '../query/plan/predicate.ts'
import { parseSelection } from '../query/request/effective-query.ts'
import type { RequestFilters } from '../query/request/selection-context.ts'
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

/** Prints what `aggregateDocuments` returns, in nested form. */
export async function printAggregated(request: AggregationRequest, operation: Operation): Promise<PrintedJson> {
  const { aggregations, result, watch } = await runAggregation(request, operation, { kind: 'aggregate' })
  const members = await printAggregation(result, aggregations, operation.collection)
  return new PrintedJson(`"totalnb":${result.total},${members}`, watch.times())
}

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
  const { aggregations, result } = await runAggregation(request, operation, geoaggregation(cell))
  const [main] = aggregations
  if (main === undefined) throw new Error('the request has no aggregation')
  const written = await writeAggregation(result, aggregations, { collection, hitsWithoutRaw: flat })
  const { type, fetched } = main
  return { type: 'FeatureCollection', features: await aggregationFeatures(written, { type, fetched, flat, cell }) }
}

/** Prints what `aggregateFeatures` returns, in nested form. */
export async function printAggregatedFeatures(
  request: AggregationRequest,
  operation: Operation,
  cell?: Cell,
): Promise<PrintedJson> {
  const { collection } = operation
  const { aggregations, result } = await runAggregation(request, operation, geoaggregation(cell))
  const features = await printAggregationFeatures(result, aggregations, { collection, cell })
  return new PrintedJson(`"type":"FeatureCollection","features":[${features}]`)
}

const geoaggregation = (cell: Cell | undefined): AggregationOperation => ({
  kind: 'geoaggregate',
  ...(cell === undefined ? {} : { cell }),
})
