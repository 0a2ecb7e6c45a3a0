import { problem } from '../../errors.ts'
import type { Box } from '../../geo/area.ts'
import type { ComputationRequest } from '../../model/aggregation.ts'
import type { Position } from '../../model/geometry.ts'
import { foldWord } from '../aggregation/aggregation-draft.ts'
import { functionTypes, unsuitable } from '../aggregation/aggregation-fields.ts'
import type { MetricValue } from '../aggregation/bucket.ts'
import type { MetricPlan } from '../plan/aggregation-plan.ts'
import { nothing, type Predicate } from '../plan/predicate.ts'
import type { CollectionView } from '../schema/collection-view.ts'
import type { Field } from '../schema/field.ts'

export const computationMetrics = [
  'AVG',
  'MAX',
  'MIN',
  'SUM',
  'SPANNING',
  'CARDINALITY',
  'GEOBBOX',
  'GEOCENTROID',
] as const
type ComputationMetric = (typeof computationMetrics)[number]

/** A syntactically valid computation; the field is not looked up yet. */
interface ParsedComputation {
  /** As requested, for the response. */
  readonly name: string
  /** The path of `name`. */
  readonly path: string
  readonly metric: ComputationMetric
}

interface ResolvedComputation extends ParsedComputation {
  /** Absent if the path is not in the schema. */
  readonly field?: Field
  /** Documents that have the field, to be added to the selection; `nothing` if the field is unknown. */
  readonly having: Predicate
  /** Metrics for the engine; `computedValue` combines the results. Empty if the field is unknown. */
  readonly metrics: readonly MetricPlan[]
}

const plans: Readonly<Record<ComputationMetric, readonly MetricPlan['kind'][]>> = {
  AVG: ['avg'],
  MAX: ['max'],
  MIN: ['min'],
  SUM: ['sum'],
  SPANNING: ['max', 'min'],
  CARDINALITY: ['cardinality'],
  GEOBBOX: ['bounds'],
  GEOCENTROID: ['centroid'],
}

const fieldTypesOf: Readonly<Record<ComputationMetric, ReturnType<typeof functionTypes>>> = {
  AVG: functionTypes('avg'),
  MAX: functionTypes('max'),
  MIN: functionTypes('min'),
  SUM: functionTypes('sum'),
  SPANNING: functionTypes('max'),
  CARDINALITY: functionTypes('cardinality'),
  GEOBBOX: functionTypes('geobbox'),
  GEOCENTROID: functionTypes('geocentroid'),
}

/** Checks every rule of spec 5.9. */
export function resolveComputation(request: ComputationRequest, collection: CollectionView): ResolvedComputation {
  return resolveParsedComputation(parseComputation(request, collection), collection)
}

/** Checks the syntax: `field` and `metric` are given, and the metric is known. */
export function parseComputation(
  { field = '', metric: word = '' }: Pick<ComputationRequest, 'field' | 'metric'>,
  { reference }: CollectionView,
): ParsedComputation {
  const name = field.trim()
  if (name === '') throw problem('INVALID_PARAMETER', { parameter: 'field', reason: 'is required' })
  const metric = computationMetrics.find((known) => known.toLowerCase() === foldWord(word))
  if (metric === undefined) {
    const reason = `must be one of ${computationMetrics.join(', ')}`
    throw problem('INVALID_PARAMETER', { parameter: 'metric', reason, value: word })
  }
  return { name, path: name === '$timestamp' ? reference.params.timestamp_path : name, metric }
}

export function resolveParsedComputation(parsed: ParsedComputation, collection: CollectionView): ResolvedComputation {
  const { path, metric } = parsed
  const field = collection.schema.lookup(path)
  if (field === undefined) return { ...parsed, having: nothing, metrics: [] }
  const reason = unsuitable(field, fieldTypesOf[metric])
  if (reason !== undefined) {
    throw problem('INVALID_PARAMETER', { parameter: 'field', reason: `${reason} for metric ${metric}`, value: path })
  }
  return {
    ...parsed,
    field,
    having: { kind: 'exists', field },
    metrics: plans[metric].map((kind) => ({ kind, field })),
  }
}

/** Computes the value from the results of the engine, in the order of the metrics; undefined if there is none. */
export function computedValue(
  metric: ComputationMetric,
  values: readonly MetricValue[],
): number | Box | Position | undefined {
  const [first, second] = values
  if (metric !== 'SPANNING') return first ?? undefined
  return typeof first === 'number' && typeof second === 'number' ? first - second : undefined
}
