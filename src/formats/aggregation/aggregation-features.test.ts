import { describe, expect, it } from 'vitest'
import type { AggregationBucket, BucketGeometry } from '../../model/answer/aggregation-response.ts'
import { aggregationFeatures } from './aggregation-features.ts'

const centre: BucketGeometry = {
  reference: 'cell_center',
  geometry: { type: 'Point', coordinates: [22.5, 22.5] },
  is_raw: false,
}
const raw: BucketGeometry = {
  reference: 'geo_params.centroid',
  geometry: { type: 'Point', coordinates: [1, 2] },
  is_raw: true,
  sort: '-params.startdate',
}
const hash: AggregationBucket = {
  count: 25,
  key: { lat: 22.5, lon: 22.5 },
  key_as_string: 's',
  metrics: [{ type: 'sum', field: 'params_startdate', value: 26_010_000 }],
  geometries: [centre],
}
const answer = (...elements: AggregationBucket[]) => ({ name: 'any', elements })
const properties = async (bucket: AggregationBucket, options: Parameters<typeof aggregationFeatures>[1]) =>
  (await aggregationFeatures(answer(bucket), options)).map((feature) => feature.properties)

const aggregated = { feature_type: 'aggregation', geometry_ref: 'cell_center', geometry_type: 'aggregated' }

describe('aggregationFeatures', () => {
  it('makes one feature per geometry, in bucket order', async () => {
    const features = await aggregationFeatures(
      answer({ ...hash, geometries: [centre, raw] }, { ...hash, geometries: [] }, hash),
      {
        type: 'geohash',
        flat: false,
      },
    )
    expect(features.map(({ geometry }) => geometry)).toEqual([centre.geometry, raw.geometry, centre.geometry])
    expect(features[0]).toEqual({
      type: 'Feature',
      geometry: centre.geometry,
      properties: { count: 25, geohash: 's', metrics: hash.metrics, ...aggregated },
    })
    expect(features[1]?.properties).toEqual({
      count: 25,
      geohash: 's',
      metrics: hash.metrics,
      feature_type: 'aggregation',
      geometry_ref: 'geo_params.centroid',
      geometry_type: 'raw',
      geometry_sort: '-params.startdate',
    })
  })

  it('adds the flat map instead of what is nested', async () => {
    expect(await properties({ ...hash, hits: [{ id: 'a' }] }, { type: 'geohash', flat: true })).toEqual([
      {
        count: 25,
        geohash: 's',
        key: '22.5,22.5',
        key_as_string: 's',
        params_startdate_sum_: 26_010_000,
        hits_0_id: 'a',
        ...aggregated,
      },
    ])
  })

  it.each([
    ['geohash', 'geohash', 'parent_geohash'],
    ['geotile', 'tile', 'parent_tile'],
    ['geohex', 'geohex', 'parent_cell'],
  ] as const)('names the cell of the path of a %s', async (type, cell, parent) => {
    const { metrics, ...bucket } = hash
    expect(await properties(bucket, { type, flat: false, cell: { kind: 'tile', z: 3, x: 1, y: 2 } })).toEqual([
      { count: 25, [cell]: 's', ...aggregated, [parent]: '3/1/2' },
    ])
    const [flat] = await properties(bucket, { type, flat: true, cell: { kind: 'geohash', hash: 'yn' } })
    expect(flat).toMatchObject({ [cell]: 's', [parent]: 'yn' })
  })

  it('gives other types their key, as text where there is one, and no parent', async () => {
    const bucket = { count: 3, key: 720_000, key_as_string: '00:12', geometries: [centre] }
    const number = { count: 3, key: 2.5, geometries: [centre] }
    const cell = { kind: 'geohash', hash: 'yn' } as const
    const options = { type: 'datehistogram', cell } as const
    expect(await properties(bucket, { ...options, flat: false })).toEqual([{ count: 3, key: '00:12', ...aggregated }])
    expect(await properties(number, { type: 'histogram', flat: false })).toEqual([
      { count: 3, key: 2.5, ...aggregated },
    ])
    expect(await properties(bucket, { ...options, flat: true })).toEqual([
      { count: 3, key: '720000', key_as_string: '00:12', ...aggregated },
    ])
    expect(await properties(number, { type: 'histogram', flat: true })).toEqual([
      { count: 3, key: '2.5', ...aggregated },
    ])
  })

  it('keeps nested buckets and their geometries in the properties', async () => {
    const elements: AggregationBucket['elements'] = [{ name: 'GeohashGrid', elements: [hash] }]
    const { metrics, ...bucket } = hash
    expect(await properties({ ...bucket, elements }, { type: 'geohash', flat: false })).toEqual([
      { count: 25, geohash: 's', elements, ...aggregated },
    ])
  })
})
