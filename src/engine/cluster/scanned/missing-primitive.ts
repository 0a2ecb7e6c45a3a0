import type { AggregationLevel, Grouping, MetricPlan } from '../../../query/plan/aggregation-plan.ts'
import type { Dialect } from '../request/dialect.ts'

/** Parts of a plan to check. */
interface PlanParts {
  readonly levels?: readonly AggregationLevel[]
  readonly metrics?: readonly MetricPlan[]
}

/** Grids of the cells that a shape intersects. Never computed from documents (spec aggregations 2.6). */
export const SHAPE_GRIDS = 'grids of shapes'

/**
 * Returns the first primitive that a plan needs and the cluster lacks, as a readable name; undefined if none. Grids of
 * shapes come first, because a plan that needs them cannot be executed at all.
 */
export function missingPrimitive({ levels = [], metrics = [] }: PlanParts, dialect: Dialect): string | undefined {
  const groupings = levels.map(({ grouping }) => grouping)
  if (!dialect.shapeGrids && groupings.some(isShapeGrid)) return SHAPE_GRIDS
  for (const { grouping, metrics: own } of levels) {
    const missing = missingGrouping(grouping, dialect) ?? missingMetric(own, dialect)
    if (missing !== undefined) return missing
  }
  return missingMetric(metrics, dialect)
}

const isShapeGrid = ({ kind, field }: Grouping): boolean =>
  (kind === 'geotile' || kind === 'geohash') && field.type === 'GEO_SHAPE'

function missingGrouping({ kind, field }: Grouping, dialect: Dialect): string | undefined {
  if (kind !== 'geohex') return undefined
  if (field.type === 'GEO_SHAPE') return 'H3 cells of shapes'
  return dialect.geohex ? undefined : 'H3 cells'
}

function missingMetric(metrics: readonly MetricPlan[], dialect: Dialect): string | undefined {
  for (const { kind, field } of metrics) {
    if (field.type !== 'GEO_SHAPE') continue
    if (kind === 'centroid') return 'centroids of shapes'
    if (kind === 'bounds' && !dialect.shapeBounds) return 'bounds of shapes'
  }
  return undefined
}
