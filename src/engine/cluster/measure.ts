import type { MeasurePlan, MetricPlan } from '../../query/aggregation-plan.ts'
import type { MetricValue } from '../../query/bucket.ts'
import type { MeasureResult } from '../engine.ts'
import type { Query, WireObject } from './cluster-client.ts'
import type { ClusterContext } from './cluster-context.ts'
import { exactCardinalities } from './exact-cardinality.ts'
import { compileMetrics, readMetrics } from './metric-query.ts'
import { missingPrimitive } from './missing-primitive.ts'
import { measureByScan } from './scanned-measure.ts'
import { sendSearch } from './search-call.ts'
import { compileSelection } from './selection-query.ts'

/** The highest a cluster knows. */
const DISTINCT_VALUES_COUNTED = 40_000

/** The number of documents of a selection and the metrics over all of them. */
export async function measure(
  context: ClusterContext,
  plan: MeasurePlan,
  signal?: AbortSignal,
): Promise<MeasureResult> {
  const missing = missingPrimitive(plan, context.dialect)
  if (missing !== undefined) return measureByScan(context, plan, missing, signal)
  const query = await compileSelection(context, plan, signal)
  const metrics = compileMetrics(plan.metrics, DISTINCT_VALUES_COUNTED)
  const body: WireObject = { size: 0, track_total_hits: true, query: { bool: { filter: [query] } } }
  const wanted = plan.metrics.length > 0 ? { ...body, aggs: metrics } : body
  const { hits, aggregations = {} } = await sendSearch(context, plan.indices, wanted, signal)
  const values = readMetrics(plan.metrics, aggregations)
  return { total: hits.total?.value ?? 0, values: await withExactCardinalities(context, plan, query, values, signal) }
}

async function withExactCardinalities(
  context: ClusterContext,
  { indices, metrics }: MeasurePlan,
  query: Query,
  values: readonly MetricValue[],
  signal: AbortSignal | undefined,
): Promise<readonly MetricValue[]> {
  const estimated = metrics.flatMap((metric, i) => {
    const estimate = values[i]
    return isCardinality(metric) && typeof estimate === 'number' ? [{ query, field: metric.field, estimate }] : []
  })
  const exact = (await exactCardinalities(context, indices, estimated, signal)).values()
  return values.map((value, i) => (isCardinality(metrics[i]) ? (exact.next().value ?? value) : value))
}

const isCardinality = (metric: MetricPlan | undefined): boolean => metric?.kind === 'cardinality'
