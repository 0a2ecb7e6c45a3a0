import type { WireObject } from '../../../cluster-client/cluster-client.ts'
import type { MetricValue } from '../../../query/aggregation/bucket.ts'
import type { AggregationLevel, AggregationPlan, MetricPlan } from '../../../query/plan/aggregation-plan.ts'
import { compileGrouping } from './grouping-query.ts'
import { compileMetrics, readMetrics } from './metric-query.ts'

/** The name of a level in the one above it. */
export const LEVEL = 'b'

/** Candidates each shard names for every bucket kept, and at least (spec 10 of aggregations). */
const CANDIDATES_PER_BUCKET = 10
const LEAST_CANDIDATES = 1000

/** Cells asked for at most where a size cuts them: with the buckets around them less than clusters make at once. */
const MOST_CELLS = 60_000

/** A field that no index has: every document has the value that stands in for a missing one. */
const NO_FIELD = '_periplus_no_such_field'
const HAS_VALUE = 'has'

/**
 * Metrics as sub-aggregations of a bucket. A least or a most that is alone, over a field that one of several indices
 * lacks, makes clusters pass over all documents of that index; a count beside it keeps them.
 */
export function compileBucketMetrics(metrics: readonly MetricPlan[], { indices }: AggregationPlan): WireObject {
  const compiled = compileMetrics(metrics)
  const isAtRisk = indices.length > 1 && metrics.some(({ kind }) => kind === 'min' || kind === 'max')
  return isAtRisk ? { ...compiled, all: { filter: { match_all: {} } } } : compiled
}

/** Whether buckets of a level are cut and asked about once more, by key: their counts are exact then. */
export function isAskedAgain({ levels }: AggregationPlan, depth: number): boolean {
  const level = levels[depth]
  return level?.size !== undefined && (depth < levels.length - 1 || level.tops.length > 0)
}

/** What is computed while candidates are many: every metric, or only what orders those that are asked about again. */
function firstMetrics({ order, metrics }: AggregationLevel, again: boolean): readonly MetricPlan[] {
  if (!again) return metrics
  return order.by === 'metric' ? metrics.slice(order.metric, order.metric + 1) : []
}

/** How many buckets a level is asked for inside each parent. `wide`: as many cells as possible. */
export function askedSize({ grouping, order, size }: AggregationLevel, most: number, wide: boolean): number {
  if (size === undefined) return most
  if (grouping.kind === 'term') return size
  // Cells come with the largest counts first; by another order the cluster cannot cut them.
  if (order.by !== 'count' || !order.descending) return most
  return wide ? Math.max(size, MOST_CELLS) : candidates(size)
}

const candidates = (size: number): number => Math.max(CANDIDATES_PER_BUCKET * size, LEAST_CANDIDATES)

/** A level whose buckets are sought, with `nested` in each. */
export function compileLevel(plan: AggregationPlan, depth: number, wide: boolean, nested: WireObject): WireObject {
  const level = plan.levels[depth]
  if (level === undefined) throw new Error(`there is no level ${depth}`)
  const size = askedSize(level, plan.limits.buckets + 1, wide)
  const again = isAskedAgain(plan, depth)
  const { order, aggs } = level.grouping.kind === 'term' ? compileOrder(level, again) : NO_ORDER
  const metrics = compileBucketMetrics(firstMetrics(level, again), plan)
  const perShard = Math.max(candidates(size), level.grouping.kind === 'term' ? 0 : MOST_CELLS)
  return {
    ...compileGrouping(level.grouping, { size, perShard, order }),
    aggs: { ...metrics, ...aggs, ...nested },
  }
}

interface Ordering {
  readonly order: readonly WireObject[]
  readonly aggs: WireObject
}

const NO_ORDER: Ordering = { order: [], aggs: {} }
const BY_KEY = { _key: 'asc' }

function compileOrder({ order, metrics }: AggregationLevel, again: boolean): Ordering {
  const direction = order.descending ? 'desc' : 'asc'
  switch (order.by) {
    case 'key':
      return { order: [{ _key: direction }], aggs: {} }
    case 'count':
      return { order: [{ _count: direction }, BY_KEY], aggs: {} }
    case 'metric': {
      const metric = metrics[order.metric]
      if (metric === undefined) throw new Error('buckets are ordered by a metric of their level')
      const byMetric = { [`m${again ? 0 : order.metric}`]: direction }
      // Without a value these are 0, a value like others.
      if (metric.kind === 'sum' || metric.kind === 'cardinality') return { order: [byMetric, BY_KEY], aggs: {} }
      // The cluster takes the least of nothing for infinite. 1 where there is a value is more than the most of nothing.
      const one = { max: { field: NO_FIELD, missing: 1 } }
      return {
        order: [{ [`${HAS_VALUE}>one`]: 'desc' }, byMetric, BY_KEY],
        aggs: { [HAS_VALUE]: { filter: { exists: { field: metric.field.path } }, aggs: { one } } },
      }
    }
  }
}

/** The metrics of a bucket of `compileLevel`, null for those that are computed later. */
export function readFirstMetrics(level: AggregationLevel, again: boolean, bucket: WireObject): readonly MetricValue[] {
  const { order, metrics } = level
  const values = readMetrics(firstMetrics(level, again), bucket)
  if (!again) return values
  return metrics.map((_, i) => (order.by === 'metric' && order.metric === i ? (values[0] ?? null) : null))
}
