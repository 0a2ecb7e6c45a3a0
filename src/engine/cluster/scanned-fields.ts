import type { AggregationLevel, MetricPlan } from '../../query/aggregation-plan.ts'
import type { Field } from '../../query/field.ts'
import type { NeededFields } from './scanned-document.ts'

/** What must be read of the documents to group and measure them. */
export function neededFields(levels: readonly AggregationLevel[], metrics: readonly MetricPlan[] = []): NeededFields {
  const fields = new Map<string, Field>()
  const shapes = new Set<string>()
  const need = (field: Field): void => void fields.set(field.path, field)
  for (const { grouping, metrics: own, tops } of levels) {
    need(grouping.field)
    if (grouping.kind === 'geohash' || grouping.kind === 'geotile') shapes.add(grouping.field.path)
    for (const { field } of own) need(field)
    for (const { sort, having } of tops) {
      for (const { field } of sort) need(field)
      if (having !== undefined) need(having)
    }
  }
  for (const { field } of metrics) need(field)
  return { fields: [...fields.values()], shapes, names: levels.some(({ tops }) => tops.length > 0) }
}
