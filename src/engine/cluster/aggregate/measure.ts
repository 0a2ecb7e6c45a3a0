import type { Query, WireObject } from '../../../cluster-client/cluster-client.ts'
import type { MetricValue } from '../../../query/aggregation/bucket.ts'
import type { MeasurePlan, MetricPlan } from '../../../query/plan/aggregation-plan.ts'
import type { MeasureResult } from '../../engine.ts'
import { readFieldSources } from '../catalog/field-sources.ts'
import type { ClusterContext } from '../request/cluster-context.ts'
import { sendSearch } from '../request/search-call.ts'
import { missingPrimitive } from '../scanned/missing-primitive.ts'
import { measureByScan } from '../scanned/scanned-measure.ts'
import { compileSelection } from '../selection/selection-query.ts'
import { exactCardinalities } from './exact-cardinality.ts'
import { compileMetrics, readMetrics } from './metric-query.ts'

/** Maximum `precision_threshold` of clusters. */
const DISTINCT_VALUES_COUNTED = 40_000

/** Returns the number of documents in a selection and the metrics over all of them. */
export async function measure(
  context: ClusterContext,
  plan: MeasurePlan,
  signal?: AbortSignal,
): Promise<MeasureResult> {
  const missing = missingPrimitive(plan, context.dialect)
  if (missing !== undefined) return measureByScan(context, plan, missing, signal)
  const query = await compileSelection(context, plan, signal)
  const parts = await partsOf(context, plan, signal)
  const [all, ...others] = await Promise.all(parts.map((part) => measurePart(context, part, query, signal)))
  const figures = new Map([all, ...others].flatMap((part) => [...(part?.figures ?? [])]))
  return {
    total: all?.total ?? 0,
    values: plan.metrics.map((metric) => figures.get(metric) ?? readMetrics([metric], {})[0] ?? null),
  }
}

/** Metrics over the documents of some of the indices. */
interface Part {
  readonly indices: readonly string[]
  readonly metrics: readonly MetricPlan[]
}

/**
 * Splits the metrics by the indices their field has the same type in. The part with all indices is first and always
 * present. In indices where a field has another type it counts as missing; a cluster would reject it or count values it
 * should not.
 */
async function partsOf(
  context: ClusterContext,
  { indices, metrics }: MeasurePlan,
  signal: AbortSignal | undefined,
): Promise<readonly Part[]> {
  if (indices.length === 1 || metrics.length === 0) return [{ indices, metrics }]
  const fields = metrics.map(({ field }) => field)
  const sources = await readFieldSources(context, indices, fields, signal)
  const indicesOf = ({ field }: MetricPlan): readonly string[] => {
    const homes = sources.get(field.path)?.indices
    return homes ? indices.filter((index) => homes.has(index)) : indices
  }
  const byIndices = Map.groupBy(metrics, (metric) => indicesOf(metric).join(','))
  const everywhere = byIndices.get(indices.join(',')) ?? []
  const others = [...byIndices.values()].filter((group) => group !== everywhere)
  const elsewhere = others.flatMap((group): readonly Part[] => {
    const [first] = group
    return first && indicesOf(first).length > 0 ? [{ indices: indicesOf(first), metrics: group }] : []
  })
  return [{ indices, metrics: everywhere }, ...elsewhere]
}

interface MeasuredPart {
  readonly total: number
  readonly figures: ReadonlyMap<MetricPlan, MetricValue>
}

async function measurePart(
  context: ClusterContext,
  { indices, metrics }: Part,
  query: Query,
  signal: AbortSignal | undefined,
): Promise<MeasuredPart> {
  const body: WireObject = { size: 0, track_total_hits: true, query: { bool: { filter: [query] } } }
  const wanted = metrics.length > 0 ? { ...body, aggs: compileMetrics(metrics, DISTINCT_VALUES_COUNTED) } : body
  const { hits, aggregations = {} } = await sendSearch(context, indices, wanted, signal)
  const figures = new Map(readMetrics(metrics, aggregations).map((value, i) => [metrics[i], value] as const))
  const counted = metrics.filter(({ kind }) => kind === 'cardinality')
  const estimated = counted.map((metric) => ({ query, field: metric.field, estimate: Number(figures.get(metric)) }))
  const exact = await exactCardinalities(context, indices, estimated, signal)
  return {
    total: hits.total?.value ?? 0,
    figures: new Map(
      metrics.map((metric) => [metric, exact[counted.indexOf(metric)] ?? figures.get(metric) ?? null] as const),
    ),
  }
}
