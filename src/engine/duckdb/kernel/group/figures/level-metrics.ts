import type { MetricValue } from '../../../../../query/aggregation/bucket.ts'
import type { MetricPlan } from '../../../../../query/plan/aggregation-plan.ts'
import type { Field } from '../../../../../query/schema/field.ts'
import type { Column } from '../../../segment/column.ts'
import type { NumberedPart } from '../../numbered-part.ts'
import { FieldFigures, type NumberSource } from './field-figures.ts'
import type { FigureKinds, Figures } from './figures.ts'

type FigureMetric = MetricPlan & { readonly kind: Exclude<MetricPlan['kind'], 'cardinality'> }

export const isFigure = (metric: MetricPlan): metric is FigureMetric => metric.kind !== 'cardinality'

/** What is read of a field: its numbers, or one of its coordinates. */
type Component = 'number' | 'lon' | 'lat' | 'west' | 'south' | 'east' | 'north'

interface Need {
  readonly field: Field
  readonly component: Component
  kinds: FigureKinds
}

/** Returns what must be gathered for some metrics, each field once, and the value of each metric in a bucket. */
export function gatherFigures(
  metrics: readonly FigureMetric[],
  parts: readonly NumberedPart[],
): { readonly accumulators: readonly FieldFigures[]; readonly values: readonly ((bucket: number) => MetricValue)[] } {
  const needs = new Map<string, Need>()
  const nameOf = (field: Field, component: Component): string => `${component} ${field.path}`
  for (const { field, kind } of metrics) {
    for (const [component, kinds] of componentsOf(kind, field)) {
      const need = needs.get(nameOf(field, component))
      if (need) need.kinds = { ...need.kinds, ...kinds }
      else needs.set(nameOf(field, component), { field, component, kinds })
    }
  }
  const gathered = new Map<string, FieldFigures>()
  for (const [name, { field, component, kinds }] of needs) {
    const sources = parts.map(({ part }) => sourceOf(part.column(field), component))
    gathered.set(name, new FieldFigures(sources, kinds))
  }
  const values = metrics.map(({ field, kind }) => {
    const figures = componentsOf(kind, field).flatMap(
      ([component]) => gathered.get(nameOf(field, component))?.figures ?? [],
    )
    return metricValue(kind, field, figures)
  })
  return { accumulators: [...gathered.values()], values }
}

function componentsOf(kind: FigureMetric['kind'], { type }: Field): readonly (readonly [Component, FigureKinds])[] {
  const isShape = type === 'GEO_SHAPE'
  switch (kind) {
    case 'avg':
    case 'sum':
      return [['number', { sum: true }]]
    case 'min':
      return [['number', { min: true }]]
    case 'max':
      return [['number', { max: true }]]
    case 'centroid':
      return [
        ['lon', { sum: true }],
        ['lat', { sum: true }],
      ]
    case 'bounds':
      return isShape
        ? [
            ['west', { min: true }],
            ['south', { min: true }],
            ['east', { max: true }],
            ['north', { max: true }],
          ]
        : [
            ['lon', { min: true, max: true }],
            ['lat', { min: true, max: true }],
          ]
  }
}

function sourceOf(column: Column | undefined, component: Component): NumberSource | undefined {
  if (component === 'number') return column?.kind === 'number' ? column : undefined
  if (component === 'lon' || component === 'lat') {
    if (column?.kind === 'point') return { values: column[component], starts: column.starts }
    return column?.kind === 'shape' ? { values: column[component] } : undefined
  }
  return column?.kind === 'shape' ? { values: column[component] } : undefined
}

function metricValue(
  kind: FigureMetric['kind'],
  { type }: Field,
  figures: readonly Figures[],
): (bucket: number) => MetricValue {
  const [first, second, third, fourth] = figures
  switch (kind) {
    case 'avg':
      return (bucket) => first?.mean(bucket) ?? null
    case 'sum':
      return (bucket) => first?.sum(bucket) ?? null
    case 'min':
      return (bucket) => first?.min(bucket) ?? null
    case 'max':
      return (bucket) => first?.max(bucket) ?? null
    case 'centroid':
      return (bucket) => {
        const [lon, lat] = [first?.mean(bucket) ?? null, second?.mean(bucket) ?? null]
        return lon === null || lat === null ? null : [lon, lat]
      }
    case 'bounds': {
      const [ofEast, ofNorth] = type === 'GEO_SHAPE' ? [third, fourth] : [first, second]
      return (bucket) => {
        const [west, south] = [first?.min(bucket) ?? null, second?.min(bucket) ?? null]
        const [east, north] = [ofEast?.max(bucket) ?? null, ofNorth?.max(bucket) ?? null]
        return west === null || south === null || east === null || north === null ? null : { west, south, east, north }
      }
    }
  }
}
