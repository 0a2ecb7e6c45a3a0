import { Problem } from '../../errors.ts'
import type { Cell } from '../../geo/grid/cell.ts'
import type { Aggregation } from '../../model/aggregation.ts'
import type { RequestOrigin } from '../page/request-origin.ts'
import { limits, sampleView } from '../request/sample-collection.fixture.ts'
import type { CollectionView } from '../schema/collection-view.ts'
import { resolveAggregations } from './aggregation-resolver.ts'
import { type AggregationContext, type AggregationOperation, parseAggregations } from './aggregation-syntax.ts'
import type { ResolvedAggregation } from './resolved-aggregation.ts'

export const aggregate: AggregationOperation = { kind: 'aggregate' }
export const geoaggregate: AggregationOperation = { kind: 'geoaggregate' }

export const aggregationContext = (
  origin: RequestOrigin,
  operation: AggregationOperation,
  collection = sampleView,
): AggregationContext => ({ collection, limits, origin, operation })

/** Returns the code and message of the problem thrown by a call. */
export function faultOf(call: () => unknown): string {
  try {
    call()
  } catch (error) {
    if (error instanceof Problem) return `${error.code}: ${error.message}`
    throw error
  }
  throw new Error('no fault')
}

export type AggregationsOfRequest = readonly string[] | readonly Aggregation[] | undefined

/** Parses the aggregations of a query or a body; checks the syntax. */
export function parse(
  request: AggregationsOfRequest,
  operation: AggregationOperation = aggregate,
  origin?: RequestOrigin,
) {
  const isBody = typeof request?.[0] === 'object'
  return parseAggregations(request, aggregationContext(origin ?? (isBody ? 'body' : 'query'), operation))
}

interface Circumstances {
  readonly collection?: CollectionView
  readonly cell?: Cell
}

export function resolve(texts: readonly string[], { collection, cell }: Circumstances = {}) {
  const operation = cell === undefined ? aggregate : ({ kind: 'geoaggregate', cell } as const)
  const context = aggregationContext('query', operation, collection)
  return resolveAggregations(parseAggregations(texts, context), context)
}

/** Resolves one aggregation. */
export function resolveOne(text: string, circumstances?: Circumstances): ResolvedAggregation {
  const [first] = resolve([text], circumstances)
  if (first === undefined) throw new Error('no aggregation')
  return first
}

/** The sample collection with other paths. */
export const withPaths = (paths: Partial<CollectionView['reference']['params']>): CollectionView => ({
  ...sampleView,
  reference: { ...sampleView.reference, params: { ...sampleView.reference.params, ...paths } },
})
