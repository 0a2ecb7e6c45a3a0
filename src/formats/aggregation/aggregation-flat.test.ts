import { describe, expect, it } from 'vitest'
import type { AggregationBucket } from '../../model/answer/aggregation-response.ts'
import { flattenAnswer, flattenBucket } from './aggregation-flat.ts'

const nested: AggregationBucket = {
  count: 64,
  key: 'Cost Estimator',
  key_as_string: 'Cost Estimator',
  metrics: [
    { type: 'avg', field: 'params_age', value: 3300 },
    { type: 'min', field: 'params_weight' },
  ],
  hits: [{ id: 'a', params: { tags: ['x', null, 'y'], empty: {}, none: null } }, { id: 'b' }],
  geometries: [{ reference: 'centroid', geometry: { type: 'Point', coordinates: [0, 0] }, is_raw: false }],
  elements: [
    {
      name: 'Sterms',
      sumotherdoccounts: 0,
      elements: [
        {
          count: 32,
          key: 'Argentina',
          key_as_string: 'Argentina',
          hits: [{ id: 'c' }],
          elements: [{ name: 'Histogram', elements: [{ count: 3, key: 0.5 }] }],
        },
        {
          count: 30,
          key: 'Armenia',
          key_as_string: 'Armenia',
          metrics: [{ type: 'max', field: 'params_age', value: 7 }],
          elements: [{ name: 'Histogram', elements: [] }],
        },
      ],
    },
  ],
}

describe('flattenBucket', () => {
  it('puts everything below a bucket into one level', () => {
    expect(flattenBucket(nested)).toEqual({
      count: 64,
      key: 'Cost Estimator',
      key_as_string: 'Cost Estimator',
      params_age_avg_: 3300,
      hits_0_id: 'a',
      hits_0_params_tags_0: 'x',
      hits_0_params_tags_2: 'y',
      hits_1_id: 'b',
      '0_name': 'Sterms',
      '0_sumotherdoccounts': 0,
      '0_0_count': 32,
      '0_0_key': 'Argentina',
      '0_0_key_as_string': 'Argentina',
      '0_0_hits_0_id': 'c',
      '0_0_0_name': 'Histogram',
      '0_0_0_0_count': 3,
      '0_0_0_0_key': '0.5',
      '0_1_count': 30,
      '0_1_key': 'Armenia',
      '0_1_key_as_string': 'Armenia',
      '0_1_params_age_max_': 7,
      '0_1_0_name': 'Histogram',
    })
  })

  it('writes keys as texts, places latitude first', () => {
    expect(flattenBucket({ count: 1, key: 700_000, key_as_string: '700000' }).key).toBe('700000')
    expect(flattenBucket({ count: 1, key: { lat: 22.5, lon: -67.5 }, key_as_string: 'd' }).key).toBe('22.5,-67.5')
  })

  it('writes boxes and centroids as texts', () => {
    const feature = (
      geometry: { type: 'Point'; coordinates: number[] } | { type: 'Polygon'; coordinates: number[][][] },
    ) => ({
      type: 'FeatureCollection' as const,
      features: [{ type: 'Feature' as const, properties: {}, geometry }],
    })
    const ring = [
      [-10, -20],
      [30, -20],
      [30, 40],
      [-10, 40],
      [-10, -20],
    ]
    const flat = flattenBucket({
      count: 1,
      key: 'a',
      metrics: [
        { type: 'geobbox', field: 'p', value: feature({ type: 'Polygon', coordinates: [ring] }) },
        { type: 'geocentroid', field: 'p', value: feature({ type: 'Point', coordinates: [5, 7.5] }) },
      ],
    })
    expect(flat).toMatchObject({ p_geobbox_: '-10,-20,30,40', p_geocentroid_: '7.5,5' })
  })

  it('keeps the first of two equal keys', () => {
    const metrics = [
      { type: 'avg', field: 'a_b', value: 1 },
      { type: 'avg', field: 'a_b', value: 2 },
    ]
    const hits = [{ a_b: 1, a: { b: 2 } }]
    expect(flattenBucket({ count: 1, key: 'k', metrics, hits })).toEqual({
      count: 1,
      key: 'k',
      a_b_avg_: 1,
      hits_0_a_b: 1,
    })
  })
})

describe('flattenAnswer', () => {
  it('leaves key, count, hits and geometries beside the flat map', async () => {
    const { elements, metrics, ...rest } = nested
    const answer = { name: 'Sterms', sumotherdoccounts: 3, elements: [nested] }
    expect(await flattenAnswer(answer)).toEqual({
      name: 'Sterms',
      sumotherdoccounts: 3,
      elements: [{ ...rest, flattened_elements: flattenBucket(nested) }],
    })
  })
})
