import {
  type AggregationPlan,
  demandedFields,
  type Grouping,
  type MeasurePlan,
  type MetricPlan,
} from '../../../../query/plan/aggregation-plan.ts'
import { type Field, isGeo } from '../../../../query/schema/field.ts'
import type { PartOutline } from '../../segment/part.ts'
import { MOST_TERM_TESTS, termsOf } from '../filter/filter-coverage.ts'
import type { NumberedPart } from '../numbered-part.ts'

/** Returns why kernels cannot execute a plan; undefined if they can. Ignores its predicate. */
export function groupGap(
  plan: AggregationPlan | MeasurePlan,
  parts: readonly NumberedPart<PartOutline>[],
): string | undefined {
  const { levels, metrics, tops } = partsOf(plan)
  const sorted = tops.flatMap((top) => top.sort.map(({ field }) => field))
  return (
    first(levels, ({ grouping }) => groupingGap(grouping) ?? includeGap(grouping, parts)) ??
    first(metrics, metricGap) ??
    first(sorted, ({ type }) => (isText(type) || isGeo(type) ? `sort by ${type}` : undefined)) ??
    first(groupedFields(plan), (field) => inexactGap(field, parts))
  )
}

/** Returns the fields a plan reads besides those of its predicate. */
export function groupedFields(plan: AggregationPlan | MeasurePlan): readonly Field[] {
  const { levels, metrics, tops } = partsOf(plan)
  return [
    ...levels.map(({ grouping }) => grouping.field),
    ...metrics.map(({ field }) => field),
    ...tops.flatMap(demandedFields),
    ...tops.flatMap((top) => top.sort.map(({ field }) => field)),
  ]
}

function partsOf(plan: AggregationPlan | MeasurePlan) {
  const levels = 'levels' in plan ? plan.levels : []
  const metrics = 'levels' in plan ? plan.levels.flatMap((level) => level.metrics) : plan.metrics
  return { levels, metrics, tops: levels.flatMap((level) => level.tops) }
}

function first<T>(items: readonly T[], gapOf: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const gap = gapOf(item)
    if (gap !== undefined) return gap
  }
  return undefined
}

const isText = (type: Field['type']): boolean => type === 'TEXT'

function groupingGap({ kind, field: { type } }: Grouping): string | undefined {
  const isGrid = kind === 'geohash' || kind === 'geotile' || kind === 'geohex'
  return isText(type) || isGeo(type) !== isGrid ? `${kind} of ${type}` : undefined
}

/** The pattern is tested on all terms without yielding. */
function includeGap(grouping: Grouping, parts: readonly NumberedPart<PartOutline>[]): string | undefined {
  if (grouping.kind !== 'term' || grouping.include?.kind !== 'pattern') return undefined
  const own = parts.map(({ part }) => part)
  return termsOf(grouping.field, own) > MOST_TERM_TESTS ? 'patterns over many terms' : undefined
}

function metricGap({ kind, field: { type } }: MetricPlan): string | undefined {
  const isPlace = kind === 'bounds' || kind === 'centroid'
  return isText(type) || isGeo(type) !== isPlace ? `${kind} of ${type}` : undefined
}

/** Integers beyond 2^53 are not exact as doubles. */
function inexactGap(field: Field, parts: readonly NumberedPart<PartOutline>[]): string | undefined {
  const isInexact = parts.some(({ part }) => part.column(field)?.inexact)
  return isInexact ? 'integers beyond 2^53' : undefined
}
