import { describe, expect, it } from 'vitest'
import type { FieldType } from '../../../model/field-type.ts'
import type { AggregationLevel, Grouping, MetricPlan } from '../../../query/plan/aggregation-plan.ts'
import type { Field } from '../../../query/schema/field.ts'
import type { Dialect } from '../request/dialect.ts'
import { missingPrimitive } from './missing-primitive.ts'

const dialect = (features: Partial<Dialect> = {}): Dialect => ({
  family: 'opensearch',
  version: '3.5.0',
  label: 'OpenSearch 3.5.0',
  geohex: false,
  shapeGrids: true,
  shapeBounds: true,
  shapes: true,
  ...features,
})

const field = (type: FieldType): Field => ({ path: 'f', type, indexed: true, nested: false })

const level = (grouping: Grouping, metrics: readonly MetricPlan[] = []): AggregationLevel => ({
  grouping,
  order: { by: 'count', descending: true },
  metrics,
  tops: [],
})

const term = level({ kind: 'term', field: field('KEYWORD') })
const grid = (kind: 'geohash' | 'geotile' | 'geohex', type: 'GEO_POINT' | 'GEO_SHAPE'): AggregationLevel =>
  level({ kind, field: field(type), level: 3 })
const centroid: MetricPlan = { kind: 'centroid', field: field('GEO_SHAPE') }
const bounds: MetricPlan = { kind: 'bounds', field: field('GEO_SHAPE') }

describe('what a cluster lacks for a plan', () => {
  it.each([
    [[term, grid('geotile', 'GEO_POINT'), grid('geohash', 'GEO_POINT')], {}, undefined],
    [[term, grid('geohex', 'GEO_POINT')], {}, 'H3 cells'],
    [[term, grid('geohex', 'GEO_POINT')], { geohex: true }, undefined],
    [[grid('geohex', 'GEO_SHAPE')], { geohex: true }, 'H3 cells of shapes'],
    [[grid('geotile', 'GEO_SHAPE'), grid('geohash', 'GEO_SHAPE')], {}, undefined],
    [[term, grid('geohash', 'GEO_SHAPE')], { shapeGrids: false }, 'grids of shapes'],
    // Primitives that cannot be replaced are named first.
    [[grid('geohex', 'GEO_POINT'), grid('geotile', 'GEO_SHAPE')], { shapeGrids: false }, 'grids of shapes'],
    [[{ ...term, metrics: [bounds, centroid] }], {}, 'centroids of shapes'],
    [[{ ...term, metrics: [bounds, centroid] }], { shapeBounds: false }, 'bounds of shapes'],
    [[{ ...term, metrics: [{ kind: 'centroid', field: field('GEO_POINT') }] }], {}, undefined],
  ] as const)('levels %#', (levels, features, expected) => {
    expect(missingPrimitive({ levels }, dialect(features))).toBe(expected)
  })

  it('looks at figures without buckets too', () => {
    expect(missingPrimitive({ metrics: [bounds] }, dialect())).toBeUndefined()
    expect(missingPrimitive({ metrics: [bounds] }, dialect({ shapeBounds: false }))).toBe('bounds of shapes')
    expect(missingPrimitive({ metrics: [centroid] }, dialect())).toBe('centroids of shapes')
    expect(missingPrimitive({}, dialect())).toBeUndefined()
  })
})
