import type { AggregationLevel, MetricPlan } from '../../../query/plan/aggregation-plan.ts'
import type { Selection } from '../../../query/plan/plan.ts'
import type { Field } from '../../../query/schema/field.ts'
import { readFieldSources } from '../catalog/field-sources.ts'
import type { ClusterContext } from '../request/cluster-context.ts'
import { readMatching } from '../selection/selection-scan.ts'
import type { NeededFields, ScannedBatches } from './scanned-document.ts'

/** Returns the parts of the documents needed to group and measure them. */
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

/** Reads the documents of a selection, restricted to the needed parts. */
export async function readNeeded(
  context: ClusterContext,
  selection: Selection,
  primitive: string,
  { fields }: NeededFields,
  signal?: AbortSignal,
): Promise<ScannedBatches> {
  const sources = await readFieldSources(context, selection.indices, fields, signal)
  const paths = [...new Set([...sources.values()].flatMap((source) => source.paths))]
  return { sources, batches: readMatching(context, selection, { primitive, paths }, signal) }
}
