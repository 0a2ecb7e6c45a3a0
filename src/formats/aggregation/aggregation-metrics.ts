import type { Box } from '../../geo/area.ts'
import { boxPolygon } from '../../geo/box.ts'
import type { AggregationMetric } from '../../model/answer/aggregation-response.ts'
import type { FeatureCollection } from '../../model/answer/responses.ts'
import type { Geometry, Position } from '../../model/geometry.ts'
import type { MetricValue } from '../../query/aggregation/bucket.ts'
import type { ResolvedMetric } from '../../query/aggregation/resolved-aggregation.ts'
import { pointAt } from './cell-geometry.ts'

/**
 * Writes one entry per metric of the request, in order. Entries without value stay, so that positions match (spec
 * 2.10).
 */
export function writeMetrics(metrics: readonly ResolvedMetric[], values: readonly MetricValue[]): AggregationMetric[] {
  return metrics.map(({ fct, path, place }) => {
    const value = writeValue(fct, place === undefined ? null : (values[place] ?? null))
    const entry = { type: fct, field: path.replaceAll('.', '_') }
    return value === undefined ? entry : { ...entry, value }
  })
}

/** Returns the value of a metric as it is written; undefined if there is none. */
export function writeValue(fct: ResolvedMetric['fct'], value: MetricValue): number | FeatureCollection | undefined {
  if (value === null) return fct === 'sum' || fct === 'cardinality' ? 0 : undefined
  if (typeof value === 'number') return value
  return oneFeature(metricGeometry(value))
}

/** Returns bounds as a polygon, a centroid as a point. */
export function metricGeometry(value: Box | Position): Geometry {
  return isPosition(value) ? pointAt(value) : boxPolygon(value)
}

const isPosition = (value: Box | Position): value is Position => Array.isArray(value)

const oneFeature = (geometry: Geometry): FeatureCollection => ({
  type: 'FeatureCollection',
  features: [{ type: 'Feature', properties: {}, geometry }],
})
