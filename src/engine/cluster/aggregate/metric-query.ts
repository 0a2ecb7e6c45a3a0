import type { WireJson, WireObject } from '../../../cluster-client/cluster-client.ts'
import type { MetricValue } from '../../../query/aggregation/bucket.ts'
import type { MetricPlan } from '../../../query/plan/aggregation-plan.ts'

/** Distinct values per bucket up to which the cluster counts hashes one by one; see exact-cardinality.ts. */
const COUNTED_IN_BUCKETS = 3000

/**
 * Compiles metrics as sub-aggregations named m0, m1, ... `counted`: number of distinct values up to which cardinality
 * is not estimated; increases the memory of every bucket.
 */
export function compileMetrics(metrics: readonly MetricPlan[], counted = COUNTED_IN_BUCKETS): WireObject {
  return Object.fromEntries(metrics.map((metric, i) => [nameOf(i), compileMetric(metric, counted)]))
}

/** Reads the values from a bucket or from the aggregations of a response. */
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

/** Without a value the cluster returns null or strings such as `Infinity`, also for a sum that overflows a double. */
function readNumber(value: WireJson | undefined): number | null {
  if (typeof value !== 'number' && typeof value !== 'bigint') return null
  // Adding 0 converts -0 to 0.
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
