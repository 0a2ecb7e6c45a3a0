import type { WireObject } from '../../../cluster-client/cluster-client.ts'
import type { MetricValue } from '../../../query/aggregation/bucket.ts'
import type { AggregationLevel, AggregationPlan, MetricPlan } from '../../../query/plan/aggregation-plan.ts'
import { compileGrouping } from './grouping-query.ts'
import { compileMetrics, readMetrics } from './metric-query.ts'

/** Name of the aggregation of a level. */
export const LEVEL = 'b'

/** Candidates per shard: for each kept bucket, and at least (spec aggregations 10). */
const CANDIDATES_PER_BUCKET = 10
const LEAST_CANDIDATES = 1000

/**
 * Maximum number of cells requested if they are cut by size. With the buckets of the levels above this stays below the
 * limit of clusters.
 */
const MOST_CELLS = 60_000

/** A field that no index has, so that every document gets the `missing` value. */
const NO_FIELD = '_periplus_no_such_field'
const HAS_VALUE = 'has'

/**
 * Compiles metrics as sub-aggregations of a bucket. If min or max is the only metric, and one of several indices lacks
 * the field, clusters skip all documents of that index; an additional count prevents this.
 */
export function compileBucketMetrics(metrics: readonly MetricPlan[], { indices }: AggregationPlan): WireObject {
  const compiled = compileMetrics(metrics)
  const isAtRisk = indices.length > 1 && metrics.some(({ kind }) => kind === 'min' || kind === 'max')
  return isAtRisk ? { ...compiled, all: { filter: { match_all: {} } } } : compiled
}

/** True if the buckets of a level are cut and then requested again by key, which makes their counts exact. */
export function isAskedAgain({ levels }: AggregationPlan, depth: number): boolean {
  const level = levels[depth]
  return level?.size !== undefined && (depth < levels.length - 1 || level.tops.length > 0)
}

/**
 * Returns the metrics to compute for all candidates: every metric, or only the sort metric if buckets are requested
 * again.
 */
function firstMetrics({ order, metrics }: AggregationLevel, again: boolean): readonly MetricPlan[] {
  if (!again) return metrics
  return order.by === 'metric' ? metrics.slice(order.metric, order.metric + 1) : []
}

/** Returns the number of buckets to request per parent. `wide`: request as many cells as possible. */
export function askedSize({ grouping, order, size }: AggregationLevel, most: number, wide: boolean): number {
  if (size === undefined) return most
  if (grouping.kind === 'term') return size
  // Cells are returned by descending count. The cluster cannot cut them in another order.
  if (order.by !== 'count' || !order.descending) return most
  return wide ? Math.max(size, MOST_CELLS) : candidates(size)
}

const candidates = (size: number): number => Math.max(CANDIDATES_PER_BUCKET * size, LEAST_CANDIDATES)

/** Compiles the first request for the buckets of a level, with `nested` in each. */
export function compileLevel(plan: AggregationPlan, depth: number, wide: boolean, nested: WireObject): WireObject {
  const level = plan.levels[depth]
  if (level === undefined) throw new Error(`level ${depth} does not exist`)
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
      if (metric === undefined) throw new Error('the order must be by a metric of the same level')
      const byMetric = { [`m${again ? 0 : order.metric}`]: direction }
      // Without a value these are 0, which sorts like any other value.
      if (metric.kind === 'sum' || metric.kind === 'cardinality') return { order: [byMetric, BY_KEY], aggs: {} }
      // Without a value the cluster sorts min as infinity. `one` is 1 if there is a value, which sorts before a max of
      // nothing.
      const one = { max: { field: NO_FIELD, missing: 1 } }
      return {
        order: [{ [`${HAS_VALUE}>one`]: 'desc' }, byMetric, BY_KEY],
        aggs: { [HAS_VALUE]: { filter: { exists: { field: metric.field.path } }, aggs: { one } } },
      }
    }
  }
}

/** Reads the metrics of a bucket of `compileLevel`; null for those computed later. */
export function readFirstMetrics(level: AggregationLevel, again: boolean, bucket: WireObject): readonly MetricValue[] {
  const { order, metrics } = level
  const values = readMetrics(firstMetrics(level, again), bucket)
  if (!again) return values
  return metrics.map((_, i) => (order.by === 'metric' && order.metric === i ? (values[0] ?? null) : null))
}
