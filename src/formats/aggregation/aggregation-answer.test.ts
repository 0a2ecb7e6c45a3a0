import { describe, expect, it } from 'vitest'
import type { BucketList } from '../../engine/engine.ts'
import type { AggregationBucket } from '../../model/answer/aggregation-response.ts'
import type { ResolvedAggregation } from '../../query/aggregation/resolved-aggregation.ts'
import { sampleView } from '../../query/request/sample-collection.fixture.ts'
import { aggregationName, writeAggregation } from './aggregation-answer.ts'
import { aggregationOf, bucketOf, documentOf, fieldOf } from './resolved-aggregation.fixture.ts'

const job = fieldOf('params.job', 'KEYWORD')
const centroid = fieldOf('geo_params.centroid', 'GEO_POINT')
const geometry = fieldOf('geo_params.geometry', 'GEO_SHAPE')
const jobs = (more: Partial<ResolvedAggregation> = {}) => aggregationOf({ kind: 'term', field: job }, more)
const hashes = (more: Partial<ResolvedAggregation> = {}) =>
  aggregationOf({ kind: 'geohash', field: centroid, level: 1 }, more)

const write = (list: BucketList, ...aggregations: ResolvedAggregation[]) =>
  writeAggregation(list, aggregations, { collection: sampleView })
const only = async (list: BucketList, ...aggregations: ResolvedAggregation[]): Promise<AggregationBucket | undefined> =>
  (await write(list, ...aggregations)).elements[0]

const square = {
  type: 'Polygon',
  coordinates: [
    [
      [0, 0],
      [40, 0],
      [40, 40],
      [0, 40],
      [0, 0],
    ],
  ],
}

describe('writeAggregation', () => {
  it('nests one aggregation in the buckets of another', async () => {
    const list: BucketList = {
      others: 0,
      buckets: [bucketOf('d', 25, { children: { others: 20, buckets: [bucketOf('Dancer', 5)] } })],
    }
    expect(await write(list, hashes({ aggregated: [{ form: 'cell_center' }] }), jobs())).toEqual({
      name: 'GeohashGrid',
      elements: [
        {
          count: 25,
          key: { lat: 22.5, lon: -67.5 },
          key_as_string: 'd',
          geometries: [
            { reference: 'cell_center', is_raw: false, geometry: { type: 'Point', coordinates: [-67.5, 22.5] } },
          ],
          elements: [
            {
              name: 'Sterms',
              sumotherdoccounts: 20,
              elements: [{ count: 5, key: 'Dancer', key_as_string: 'Dancer' }],
            },
          ],
        },
      ],
    })
  })

  it('gives unknown fields no bucket, at every level', async () => {
    const unknown: ResolvedAggregation = { type: 'term', metrics: [], aggregated: [], raw: [] }
    const unknownDates: ResolvedAggregation = { ...unknown, type: 'datehistogram' }
    expect(await write({ buckets: [], others: 0 }, unknown)).toEqual({
      name: 'Umterms',
      sumotherdoccounts: 0,
      elements: [],
    })
    const list = { others: 3, buckets: [bucketOf('Actor', 59)] }
    expect(await write(list, jobs(), unknownDates, unknown)).toEqual({
      name: 'Sterms',
      sumotherdoccounts: 3,
      elements: [
        { count: 59, key: 'Actor', key_as_string: 'Actor', elements: [{ name: 'DateHistogram', elements: [] }] },
      ],
    })
  })

  it('writes one metric per couple in request order, also those without value', async () => {
    const metrics = [
      { fct: 'max', path: 'params.age', place: 1 },
      { fct: 'sum', path: 'params.startdate', place: 0 },
      { fct: 'avg', path: 'params.weight', place: 2 },
      { fct: 'sum', path: 'params.none' },
      { fct: 'cardinality', path: 'params.weight', place: 3 },
      { fct: 'min', path: 'params.none' },
    ] as const
    const list = { others: 0, buckets: [bucketOf('Actor', 59, { metrics: [59_000_000, 3600, null, null] })] }
    expect((await only(list, jobs({ metrics })))?.metrics).toEqual([
      { type: 'max', field: 'params_age', value: 3600 },
      { type: 'sum', field: 'params_startdate', value: 59_000_000 },
      { type: 'avg', field: 'params_weight' },
      { type: 'sum', field: 'params_none', value: 0 },
      { type: 'cardinality', field: 'params_weight', value: 0 },
      { type: 'min', field: 'params_none' },
    ])
  })

  it('writes geobbox and geocentroid as features', async () => {
    const metrics = [
      { fct: 'geobbox', path: 'geo_params.centroid', place: 0 },
      { fct: 'geocentroid', path: 'geo_params.centroid', place: 1 },
      { fct: 'geocentroid', path: 'geo_params.centroid', place: 2 },
    ] as const
    const box = { west: 0, south: 0, east: 40, north: 40 }
    const list = { others: 0, buckets: [bucketOf('s', 25, { metrics: [box, [20, 10], null] })] }
    const feature = (geometry: unknown) => ({
      type: 'FeatureCollection',
      features: [{ type: 'Feature', properties: {}, geometry }],
    })
    expect((await only(list, hashes({ metrics })))?.metrics).toEqual([
      { type: 'geobbox', field: 'geo_params_centroid', value: feature(square) },
      {
        type: 'geocentroid',
        field: 'geo_params_centroid',
        value: feature({ type: 'Point', coordinates: [20, 10] }),
      },
      { type: 'geocentroid', field: 'geo_params_centroid' },
    ])
  })

  it('writes aggregated geometries in request order under the words asked for, raw ones after them', async () => {
    const aggregation = hashes({
      aggregated: [
        { form: 'geohash' },
        { form: 'bbox', place: 0 },
        { form: 'centroid', place: 1 },
        { form: 'geohash_center' },
      ],
      raw: [
        { field: geometry, sort: '-params.startdate', top: 1 },
        { field: centroid, sort: 'params.startdate', top: 0 },
        { field: geometry, sort: 'params.startdate', top: 2 },
      ],
    })
    const near = documentOf({ geo_params: { centroid: ['30,20', '1,1'] } })
    const far = documentOf({ geo_params: { geometry: 'POLYGON ((0 0, 40 0, 40 40, 0 40, 0 0))' } })
    const metrics = [{ west: 1, south: 2, east: 1, north: 2 }, [1, 2]]
    const list = { others: 0, buckets: [bucketOf('s', 25, { metrics, tops: [[near], [far], []] })] }
    const geometries = (await only(list, aggregation))?.geometries
    expect(geometries?.map(({ reference, sort, is_raw }) => [reference, sort, is_raw])).toEqual([
      ['geohash', undefined, false],
      ['bbox', undefined, false],
      ['centroid', undefined, false],
      ['geohash_center', undefined, false],
      ['geo_params.geometry', '-params.startdate', true],
      ['geo_params.centroid', 'params.startdate', true],
    ])
    expect(geometries?.map((one) => one.geometry)).toEqual([
      {
        type: 'Polygon',
        coordinates: [
          [
            [0, 0],
            [45, 0],
            [45, 45],
            [0, 45],
            [0, 0],
          ],
        ],
      },
      {
        type: 'Polygon',
        coordinates: [
          [
            [1, 2],
            [1, 2],
            [1, 2],
            [1, 2],
            [1, 2],
          ],
        ],
      },
      { type: 'Point', coordinates: [1, 2] },
      { type: 'Point', coordinates: [22.5, 22.5] },
      square,
      { type: 'Point', coordinates: [20, 30] },
    ])
  })

  it('closes the ring of a hexagon', async () => {
    const grouping = { kind: 'geohex', field: centroid, level: 0 } as const
    const list = { others: 0, buckets: [bucketOf('8001fffffffffff', 16)] }
    const [cell] = (await only(list, aggregationOf(grouping, { aggregated: [{ form: 'cell' }] })))?.geometries ?? []
    const ring = cell?.geometry.type === 'Polygon' ? cell.geometry.coordinates[0] : undefined
    expect(ring).toHaveLength(7)
    expect(ring?.at(-1)).toEqual(ring?.at(0))
  })

  it('gives an empty bucket no box, no centroid and no hits', async () => {
    const field = fieldOf('params.startdate', 'DATE', 'epoch_millis')
    const aggregation = aggregationOf(
      { kind: 'histogram', field, interval: 10 },
      { aggregated: [{ form: 'bbox', place: 0 }], hits: { top: 0 }, metrics: [] },
    )
    expect(await only({ others: 0, buckets: [bucketOf(10, 0, { metrics: [null], tops: [[]] })] }, aggregation)).toEqual(
      {
        count: 0,
        key: 10,
        key_as_string: '10',
        geometries: [],
        hits: [],
      },
    )
  })

  it('reduces hits to the named fields, objects with all below them', async () => {
    const document = documentOf({
      id: 'ID_0_0DI',
      fullname: 'My name is',
      params: { job: 'Actor', age: 3, city: 'Paris', tags: null },
      geo_params: { centroid: '0,0', geometry: { type: 'Point', coordinates: [0, 0] } },
    })
    const list = { others: 0, buckets: [bucketOf('Actor', 1, { tops: [[document]] })] }
    const hits = async (include?: string[]) =>
      (await only(list, jobs({ hits: { top: 0, ...(include === undefined ? {} : { include }) } })))?.hits
    expect(await hits(['params.age', 'geo_params'])).toEqual([
      {
        params: { age: 3 },
        geo_params: { centroid: '0,0', geometry: { type: 'Point', coordinates: [0, 0] } },
      },
    ])
    // params.city is in exclude_fields, so it stays hidden even if named.
    expect(await hits(['params'])).toEqual([{ params: { job: 'Actor', age: 3 } }])
    expect(await hits()).toEqual([
      {
        id: 'ID_0_0DI',
        fullname: 'My name is',
        params: { job: 'Actor', age: 3 },
        geo_params: { centroid: '0,0', geometry: { type: 'Point', coordinates: [0, 0] } },
      },
    ])
  })
})

describe('aggregationName', () => {
  it.each([
    ['KEYWORD', 'Sterms'],
    ['IP', 'Sterms'],
    ['LONG', 'Lterms'],
    ['BYTE', 'Lterms'],
    ['BOOLEAN', 'Lterms'],
    ['DATE', 'Lterms'],
    ['FLOAT', 'Dterms'],
    ['DOUBLE', 'Dterms'],
  ] as const)('calls terms of %s %s', (type, name) => {
    expect(aggregationName({ type: 'term', field: fieldOf('a', type) })).toBe(name)
  })

  it.each([
    ['histogram', 'Histogram'],
    ['datehistogram', 'DateHistogram'],
    ['geohash', 'GeohashGrid'],
    ['geotile', 'GeotileGrid'],
    ['geohex', 'GeohexGrid'],
    ['term', 'Umterms'],
  ] as const)('calls a %s of an unknown field %s', (type, name) => {
    expect(aggregationName({ type })).toBe(name)
  })
})
