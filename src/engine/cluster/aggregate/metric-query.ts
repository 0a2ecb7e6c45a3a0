import type { WireJson, WireObject } from '../../../cluster-client/cluster-client.ts'
import type { MetricValue } from '../../../query/aggregation/bucket.ts'
import type { MetricPlan } from '../../../query/plan/aggregation-plan.ts'

/** Distinct values up to which a bucket's are counted one by one, by hashes; see exact-cardinality.ts. */
const COUNTED_IN_BUCKETS = 3000

/**
 * Metrics as sub-aggregations, named m0, m1, ... in their order. `counted`: distinct values up to which cardinality does
 * not estimate; the memory of every bucket grows with it.
 */
export function compileMetrics(metrics: readonly MetricPlan[], counted = COUNTED_IN_BUCKETS): WireObject {
  return Object.fromEntries(metrics.map((metric, i) => [nameOf(i), compileMetric(metric, counted)]))
}

/** Their values, from a bucket or from the aggregations of a whole answer. */
export function readMetrics(metrics: readonly MetricPlan[], answer: WireObject): readonly MetricValue[] {
  return metrics.map((metric, i) => readMetric(metric, memberOf(answer, nameOf(i))))
}

const nameOf = (place: number): string => `m${place}`

function compileMetric({ kind, field: { path } }: MetricPlan, counted: number): WireObject {
  switch (kind) {
    case 'cardinality':
      return { cardinality: { field: path, precision_threshold: counted } }
    case 'bounds':
      return { geo_bounds: { field: path, wrap_longitude: false } }
    case 'centroid':
      return { geo_centroid: { field: path } }
    default:
      return { [kind]: { field: path } }
  }
}

function readMetric({ kind }: MetricPlan, answer: WireJson | undefined): MetricValue {
  switch (kind) {
    case 'bounds':
      return readBox(memberOf(answer, 'bounds'))
    case 'centroid':
      return readPosition(memberOf(answer, 'location'))
    case 'sum':
      return readNumber(memberOf(answer, 'value') ?? 0)
    case 'cardinality':
      return readNumber(memberOf(answer, 'value')) ?? 0
    default:
      return readNumber(memberOf(answer, 'value'))
  }
}

/** Without a value the cluster answers null, or texts such as `Infinity`, also for a sum that no double holds. */
function readNumber(value: WireJson | undefined): number | null {
  if (typeof value !== 'number' && typeof value !== 'bigint') return null
  // Adding 0 to the negative zero of a cluster makes it the one there is here.
  const number = Number(value) + 0
  return Number.isFinite(number) ? number : null
}

function readBox(bounds: WireJson | undefined): MetricValue {
  const [northWest, southEast] = [
    readPosition(memberOf(bounds, 'top_left')),
    readPosition(memberOf(bounds, 'bottom_right')),
  ]
  if (northWest === null || southEast === null) return null
  const [[west, north], [east, south]] = [northWest, southEast]
  return { west, south, east, north }
}

function readPosition(place: WireJson | undefined): readonly [number, number] | null {
  const [lon, lat] = [readNumber(memberOf(place, 'lon')), readNumber(memberOf(place, 'lat'))]
  return lon === null || lat === null ? null : [lon, lat]
}

function memberOf(value: WireJson | undefined, key: string): WireJson | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  return (value as WireObject)[key]
}
