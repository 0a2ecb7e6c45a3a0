import type { AggregationLevel, AggregationPlan, MetricPlan } from '../../query/aggregation-plan.ts'
import type { MetricValue } from '../../query/bucket.ts'
import type { WireObject } from './cluster-client.ts'
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
export function compileLevel(
  level: AggregationLevel,
  options: { readonly most: number; readonly wide: boolean; readonly again: boolean },
  nested: WireObject,
): WireObject {
  const { grouping, order } = level
  const size = askedSize(level, options.most, options.wide)
  const metrics = firstMetrics(level, options.again)
  const ordering = grouping.kind === 'term' ? compileOrder(level, options.again) : NO_ORDER
  return {
    ...compileGrouping(grouping, { size, perShard: Math.max(size, candidates(size)), order: ordering.order }),
    aggs: { ...compileMetrics(metrics), ...(order.by === 'metric' ? ordering.aggs : {}), ...nested },
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
