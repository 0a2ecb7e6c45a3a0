import { problem } from '../../errors.ts'
import type { Cell } from '../../geo/grid/cell.ts'
import type { BucketOrder, Grouping, MetricPlan } from '../plan/aggregation-plan.ts'
import type { CellPredicate } from '../plan/predicate.ts'
import type { CollectionView } from '../schema/collection-view.ts'
import type { Field } from '../schema/field.ts'
import { type CollectFunction, isGeoFunction } from './aggregation-couples.ts'
import {
  checkExistence,
  checkSuitable,
  existing,
  functionTypes,
  GEO,
  geometryPath,
  groupingTypes,
  needsValues,
  unsuitable,
} from './aggregation-fields.ts'
import { isGrid } from './aggregation-geometries.ts'
import { resolveInclude } from './aggregation-include.ts'
import type { AggregationContext, ParsedAggregation } from './aggregation-syntax.ts'
import { resolveTops } from './aggregation-tops.ts'
import type {
  AggregatedForm,
  ResolvedAggregated,
  ResolvedAggregation,
  ResolvedFetched,
  ResolvedMetric,
} from './resolved-aggregation.ts'

const DEFAULT_TERMS = 10

const metricKinds: Readonly<Record<CollectFunction, MetricPlan['kind']>> = {
  avg: 'avg',
  cardinality: 'cardinality',
  max: 'max',
  min: 'min',
  sum: 'sum',
  geobbox: 'bounds',
  geocentroid: 'centroid',
}

/**
 * Resolves the fields, one aggregation after the other: first that required fields exist (404), then their types (400).
 */
export function resolveAggregations(
  parsed: readonly ParsedAggregation[],
  context: AggregationContext,
): readonly ResolvedAggregation[] {
  const { collection, operation } = context
  for (const aggregation of parsed) checkExistence(aggregation, collection)
  const cell = operation.kind === 'geoaggregate' ? operation.cell : undefined
  let isKnown = true
  return parsed.map((aggregation) => {
    const { level, ...resolved } = resolveAggregation(
      aggregation,
      context,
      aggregation.position === 1 ? cell : undefined,
    )
    isKnown = isKnown && level !== undefined
    return isKnown && level !== undefined ? { ...resolved, level } : resolved
  })
}

function resolveAggregation(
  aggregation: ParsedAggregation,
  { collection, limits }: AggregationContext,
  scope: Cell | undefined,
): ResolvedAggregation {
  const { type, path, bucketing, position, size } = aggregation
  const field = collection.schema.lookup(path)
  if (field !== undefined) checkSuitable(field, groupingTypes(type), 'field', position)
  const { plans, metrics, aggregated, fetched } = resolveMetrics(aggregation, collection)
  const grouping = field && groupingOf(aggregation, field, scope)
  const { tops, raw, hits, picked } = resolveTops(aggregation, collection)
  const geometry = fetched ?? picked
  const kept = size ?? (type === 'term' ? Math.min(DEFAULT_TERMS, limits.buckets) : undefined)
  return {
    type,
    ...(field === undefined ? {} : { field }),
    ...(grouping === undefined
      ? {}
      : {
          level: {
            grouping,
            order: orderOf(aggregation, metrics),
            ...(kept === undefined ? {} : { size: kept }),
            metrics: plans,
            tops,
          },
        }),
    ...(bucketing.kind === 'datehistogram' ? { format: bucketing.format } : {}),
    metrics,
    aggregated,
    raw,
    ...(geometry === undefined ? {} : { fetched: geometry }),
    ...(hits === undefined ? {} : { hits }),
  }
}

function groupingOf({ bucketing }: ParsedAggregation, field: Field, scope: Cell | undefined): Grouping {
  switch (bucketing.kind) {
    case 'term': {
      const { include } = bucketing
      return { kind: 'term', field, ...(include === undefined ? {} : { include: resolveInclude(include, field) }) }
    }
    case 'histogram':
      return { kind: 'histogram', field, interval: bucketing.interval }
    case 'datehistogram':
      return { kind: 'datehistogram', field, interval: bucketing.interval }
    default:
      return { kind: bucketing.kind, field, level: bucketing.level, ...(scope === undefined ? {} : { scope }) }
  }
}

interface ResolvedMetrics {
  readonly plans: readonly MetricPlan[]
  readonly metrics: readonly ResolvedMetric[]
  readonly aggregated: readonly ResolvedAggregated[]
  readonly fetched?: ResolvedFetched
}

/** Resolves the metrics of the couples and of bbox and centroid; a metric needed twice is computed once. */
function resolveMetrics(aggregation: ParsedAggregation, collection: CollectionView): ResolvedMetrics {
  const { couples, aggregated, fetched, position } = aggregation
  const plans: MetricPlan[] = []
  const place = (kind: MetricPlan['kind'], field: Field): number => {
    const known = plans.findIndex((plan) => plan.kind === kind && plan.field === field)
    return known < 0 ? plans.push({ kind, field }) - 1 : known
  }
  const metrics = couples.map(({ fct, path }): ResolvedMetric => {
    const field = collection.schema.lookup(path)
    if (field === undefined) return { fct, path }
    checkSuitable(field, functionTypes(fct), 'collect_field', position)
    return { fct, path, place: place(metricKinds[fct], field) }
  })
  const geometryOf = (form: AggregatedForm, part: string): ResolvedAggregated => {
    if (!needsValues(form)) return { form }
    const field = existing(geometryPath(aggregation, collection), collection)
    checkSuitable(field, GEO, part, position)
    return { form, place: place(form === 'bbox' ? 'bounds' : 'centroid', field) }
  }
  const geometries = aggregated.map((form) => geometryOf(form, 'aggregated_geometries'))
  if (fetched?.kind !== 'bucket') return { plans, metrics, aggregated: geometries }
  const geometry = geometryOf(fetched.form, 'fetch_geometry')
  return { plans, metrics, aggregated: geometries, fetched: { kind: 'bucket', ...geometry } }
}

/** Order of buckets (spec 2.1, 2.8). If no metric has a field, all results are equal and the order is by key. */
function orderOf({ type, order }: ParsedAggregation, metrics: readonly ResolvedMetric[]): BucketOrder {
  if (order === undefined) {
    return type === 'term' || isGrid(type) ? { by: 'count', descending: true } : { by: 'key', descending: false }
  }
  const { on, descending } = order
  if (on !== 'result') return { by: on === 'field' ? 'key' : 'count', descending }
  const metric = metrics.find(({ fct }) => !isGeoFunction(fct))?.place
  return metric === undefined ? { by: 'key', descending: false } : { by: 'metric', metric, descending }
}

/** Predicate "located in the tile", added to the filter of the two cell forms (spec 4.2). */
export function cellPredicate(cell: Cell, main: ResolvedAggregation, collection: CollectionView): CellPredicate {
  if (isGrid(main.type) && main.field !== undefined) {
    const isByShape = main.field.type === 'GEO_SHAPE' && main.type !== 'geohex'
    return { kind: 'cell', field: main.field, cell, by: isByShape ? 'shape' : 'point' }
  }
  const field = existing(collection.reference.params.centroid_path, collection)
  const reason = unsuitable(field, GEO)
  if (reason !== undefined) {
    throw problem('INVALID_AGGREGATION', { parameter: 'centroid_path', reason, value: field.path })
  }
  return { kind: 'cell', field, cell, by: 'point' }
}
