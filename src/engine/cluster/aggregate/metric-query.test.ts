import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { WireObject } from '../../../cluster-client/cluster-client.ts'
import type { FieldType } from '../../../model/field-type.ts'
import type { MetricValue } from '../../../query/aggregation/bucket.ts'
import type { MetricPlan } from '../../../query/plan/aggregation-plan.ts'
import { clusterUnderTest } from '../cluster-under-test.fixture.ts'
import { sendSearch } from '../request/search-call.ts'
import { dropTestIndices, fieldOf, makeTestIndex } from '../test-index.fixture.ts'
import { compileMetrics, readMetrics } from './metric-query.ts'

const types: Readonly<Record<string, readonly [string, FieldType]>> = {
  long: ['long', 'LONG'],
  double: ['double', 'DOUBLE'],
  seen: ['date', 'DATE'],
  tag: ['keyword', 'KEYWORD'],
  yes: ['boolean', 'BOOLEAN'],
  address: ['ip', 'IP'],
  point: ['geo_point', 'GEO_POINT'],
  shape: ['geo_shape', 'GEO_SHAPE'],
}

const documents: readonly WireObject[] = [
  {
    group: 'full',
    long: [1, 1, 2],
    double: 0.5,
    seen: '2020-01-01T00:00:00.001Z',
    tag: ['a', 'b'],
    yes: true,
    address: '10.0.0.1',
    point: [
      { lon: 170, lat: 10 },
      { lon: -170, lat: -20 },
    ],
    shape: {
      type: 'LineString',
      coordinates: [
        [170.5, 1.25],
        [175, 3],
      ],
    },
  },
  {
    group: 'full',
    long: 9_007_199_254_740_995n,
    double: [-2.25, 0.5],
    seen: 1_577_836_800_003,
    tag: 'b',
    yes: false,
    address: '::ffff:10.0.0.1',
    point: { lon: 30, lat: 40 },
    shape: {
      type: 'Polygon',
      coordinates: [
        [
          [-175, -10],
          [-165, -10],
          [-165, 5],
          [-175, 5],
          [-175, -10],
        ],
      ],
    },
  },
  { group: 'empty' },
  { group: 'huge', double: [1.7e308, 1.7e308] },
  { group: 'zero', double: '-0.0' },
]

describe('metrics of buckets', () => {
  const context = clusterUnderTest()
  let index = ''
  let values = new Map<unknown, readonly MetricValue[]>()

  const metrics: readonly MetricPlan[] = [
    ...(['avg', 'sum', 'min', 'max', 'cardinality'] as const).flatMap((kind) =>
      ['long', 'double', 'seen'].map((path) => ({ kind, path })),
    ),
    ...['tag', 'yes', 'address'].map((path) => ({ kind: 'cardinality' as const, path })),
    { kind: 'bounds' as const, path: 'point' },
    { kind: 'centroid' as const, path: 'point' },
    { kind: 'bounds' as const, path: 'shape' },
  ].map(({ kind, path }) => ({ kind, field: fieldOf(path, types[path]?.[1] ?? 'UNKNOWN') }))

  beforeAll(async () => {
    const properties = Object.entries(types).map(([path, [type]]) => [path, { type }])
    const mapping = { group: { type: 'keyword' }, ...Object.fromEntries(properties) }
    index = await makeTestIndex(context, 'metric-query', mapping, documents, 3)
    const groups = { terms: { field: 'group' }, aggs: compileMetrics(metrics) }
    const { aggregations = {} } = await sendSearch(context, [index], { size: 0, aggs: { groups } })
    const { buckets } = aggregations.groups as unknown as { buckets: readonly WireObject[] }
    values = new Map(buckets.map((bucket) => [bucket.key, readMetrics(metrics, bucket)]))
  })
  afterAll(() => dropTestIndices(context, [index]))

  const figure = (group: string, kind: MetricPlan['kind'], path: string): MetricValue | undefined =>
    values.get(group)?.[metrics.findIndex((metric) => metric.kind === kind && metric.field.path === path)]

  it.each([
    ['avg', 'double', -1.25 / 3],
    ['sum', 'double', -1.25],
    ['min', 'double', -2.25],
    ['max', 'double', 0.5],
    ['cardinality', 'double', 2],
    ['min', 'long', 1],
    ['max', 'long', Number(9_007_199_254_740_995n)],
    ['cardinality', 'long', 3],
    ['min', 'seen', 1_577_836_800_001],
    ['max', 'seen', 1_577_836_800_003],
    ['avg', 'seen', 1_577_836_800_002],
    ['cardinality', 'seen', 2],
    ['cardinality', 'tag', 2],
    ['cardinality', 'yes', 2],
    ['cardinality', 'address', 1],
  ] as const)('%s of %s', (kind, path, expected) => {
    expect(figure('full', kind, path)).toBeCloseTo(expected, 9)
  })

  it('frame points without wrapping, and centre them by the mean', () => {
    expect(figure('full', 'bounds', 'point')).toEqual({
      west: expect.closeTo(-170, 6),
      south: expect.closeTo(-20, 6),
      east: expect.closeTo(170, 6),
      north: expect.closeTo(40, 6),
    })
    expect(figure('full', 'centroid', 'point')).toEqual([expect.closeTo(10, 6), expect.closeTo(10, 6)])
  })

  it('frame shapes by their envelopes', () => {
    expect(figure('full', 'bounds', 'shape')).toEqual({
      west: expect.closeTo(-175, 6),
      south: expect.closeTo(-10, 6),
      east: expect.closeTo(175, 6),
      north: expect.closeTo(5, 6),
    })
  })

  it('of nothing are 0 or no value', () => {
    const figures = metrics.map(({ kind, field }) => [kind, figure('empty', kind, field.path)])
    const expected = metrics.map(({ kind }) => [kind, kind === 'sum' || kind === 'cardinality' ? 0 : null])
    expect(figures).toEqual(expected)
  })

  it('have no value where no double holds it, and know one zero only', () => {
    expect(figure('huge', 'sum', 'double')).toBeNull()
    expect(figure('huge', 'avg', 'double')).toBeNull()
    expect(figure('huge', 'max', 'double')).toBe(1.7e308)
    expect(figure('zero', 'min', 'double')).toBe(0)
  })
})
