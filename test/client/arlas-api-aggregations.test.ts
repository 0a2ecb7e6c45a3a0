import {
  Aggregation,
  type AggregationResponse,
  ComputationRequest,
  ExploreApi,
  Expression,
  Interval,
  Metric,
} from 'arlas-api/api.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadSample } from '../conformance/fixtures.ts'
import { describeEach, engines } from '../support/engines.ts'
import type { RunningServer } from '../support/running-server.ts'

const actor = { f: [[{ field: 'params.job', op: Expression.OpEnum.Eq, value: 'Actor' }]] }
const none = undefined

/** What a widget draws: key and count of every bucket. */
const drawn = (answer: AggregationResponse | undefined): unknown[] =>
  (answer?.elements ?? []).map(({ key, count }) => [key, count])

/** The requests of a dashboard's widgets through the generated client, read the way the widgets read them. */
describeEach(engines)('aggregations of npm arlas-api against the $name engine', (engine) => {
  let server: RunningServer
  let explore: ExploreApi
  beforeAll(async () => {
    server = await engine.start()
    await loadSample(server.base)
    explore = new ExploreApi(undefined, `${server.base}/arlas`, (url: string, init?: RequestInit) => fetch(url, init))
  })
  afterAll(() => server?.stop())

  test('aggregate: the bars of a date histogram', async () => {
    const agg = ['datehistogram:params.startdate:interval-2minute']
    const answer = await explore.aggregate('geodata', agg, none, none, none, false, false, false, 120)
    expect(drawn(answer)).toEqual([
      [720000, 46],
      [840000, 187],
      [960000, 202],
      [1080000, 139],
      [1200000, 21],
    ])
    expect(answer).toMatchObject({ name: 'DateHistogram', totalnb: 595 })
  })

  test('aggregate: the lanes of a swimlane are inside the buckets of the first aggregation', async () => {
    const agg = ['term:params.job:size-2', 'datehistogram:params.startdate:interval-7day']
    const answer = await explore.aggregate('geodata', agg, ['params.age:gte:0'])
    expect(answer.elements?.map((e) => drawn(e.elements?.[0]))).toEqual([[[0, 64]], [[0, 62]]])
    expect(answer.sumotherdoccounts).toBe(469)
  })

  test('aggregate: power bars by a result, with the search box', async () => {
    const parts = 'collect_field-params.age:collect_fct-avg:order-desc:on-result:size-10:include-.*ch.*'
    const answer = await explore.aggregate('geodata', [`term:params.job:${parts}`], ['params.job:like:.*ch.*'])
    const values = answer.elements?.map((e) => Number(e.metrics?.[0]?.value)) ?? []
    expect(answer.elements?.map((e) => e.key)).toEqual(expect.arrayContaining(['Archeologists', 'Architect', 'Coach']))
    expect(values).toEqual(values.toSorted((a, b) => b - a))
  })

  test('aggregate flat, with everything the package can send', async () => {
    const agg = ['term:params.job:collect_field-params.age:collect_fct-max:fetch_hits-1(-params.startdate,id)']
    const f = ['params.startdate:lte:01-01-1970 00:21:55', 'params.job:ne:Nobody;params.job:eq:Actor']
    const q = ['My name is']
    const answer = await explore.aggregate('geodata', agg, f, q, 'dd-MM-yyyy HH:mm:ss', false, true, true, 30)
    const [first] = answer.elements ?? []
    expect(first?.flattened_elements).toMatchObject({ key: 'Cost Estimator', count: 64, hits_0_id: expect.any(String) })
    expect(first?.flattened_elements).toHaveProperty('params_age_max_')
  })

  test('aggregatePost: a body of the typings, constants in their case', async () => {
    const answer = await explore.aggregatePost('geodata', {
      partition_filter: [actor],
      filter: {},
      form: { pretty: true, flat: false },
      aggregations: [
        {
          type: Aggregation.TypeEnum.Datehistogram,
          field: 'params.startdate',
          interval: { value: 2, unit: Interval.UnitEnum.Minute },
          metrics: [{ collect_field: 'params.age', collect_fct: Metric.CollectFctEnum.AVG }],
          order: Aggregation.OrderEnum.Desc,
          on: Aggregation.OnEnum.Count,
          aggregated_geometries: [Aggregation.AggregatedGeometriesEnum.BBOX],
        },
        {
          type: Aggregation.TypeEnum.Term,
          field: 'params.country',
          size: '1',
          raw_geometries: [{ geometry: 'geo_params.geometry', signed_sort: '-params.startdate' }],
          fetch_hits: { size: 1, include: ['-params.startdate', 'id'] },
        },
      ],
    })
    expect(answer.totalnb).toBe(59)
    const counts = answer.elements?.map((e) => e.count ?? 0) ?? []
    expect(counts.reduce((a, b) => a + b, 0)).toBe(59)
    expect(counts).toEqual(counts.toSorted((a, b) => b - a))
    const [outer] = answer.elements ?? []
    expect(outer?.geometries?.[0]).toMatchObject({ reference: 'bbox', is_raw: false })
    expect(outer?.elements?.[0]?.elements?.[0]).toMatchObject({
      geometries: [{ reference: 'geo_params.geometry', sort: '-params.startdate', is_raw: true }],
      hits: [{ id: expect.any(String), params: { startdate: expect.any(Number) } }],
    })
  })

  test('geoaggregate: an export of the cells', async () => {
    const agg = ['geohash:geo_params.centroid:interval-1:aggregated_geometries-cell']
    const { features = [] } = await explore.geoaggregate('geodata', agg, none, none, none, none, false, true, 10)
    expect(features).toHaveLength(32)
    expect(features[0]?.properties).toMatchObject({ count: 25, geohash: 'd', key: '22.5,-67.5', geometry_ref: 'cell' })
  })

  test('geoaggregatePost, every geometry of the enumeration', async () => {
    const { BBOX, CENTROID, CELL, CELLCENTER, GEOHASH, GEOHASHCENTER } = Aggregation.AggregatedGeometriesEnum
    const { features = [] } = await explore.geoaggregatePost('geodata', {
      filter: actor,
      aggregations: [
        {
          type: Aggregation.TypeEnum.Geotile,
          field: 'geo_params.centroid',
          interval: { value: 1 },
          aggregated_geometries: [BBOX, CENTROID, CELL, CELLCENTER, GEOHASH, GEOHASHCENTER],
        },
      ],
    })
    const references = ['bbox', 'centroid', 'cell', 'cell_center', 'geohash', 'geohash_center']
    expect(features).toHaveLength(4 * references.length)
    expect(features.slice(0, 6).map((f) => f.properties?.geometry_ref)).toEqual(references)
  })

  test('geohashgeoaggregate, with and without an aggregation', async () => {
    const one = await explore.geohashgeoaggregate('geodata', 's')
    expect(one.features?.map((f) => f.properties?.count)).toEqual([25])
    const agg = ['geohash:geo_params.centroid:interval-3']
    const two = await explore.geohashgeoaggregate('geodata', 'yn', agg, none, none, none, false, false, true, 60)
    expect(two.features?.map((f) => [f.properties?.geohash, f.properties?.parent_geohash])).toEqual([
      ['yn0', 'yn'],
      ['ynp', 'yn'],
    ])
  })

  test('geotilegeoaggregate takes z, x, y in the order of the path', async () => {
    const agg = ['geotile:geo_params.centroid:interval-3:collect_field-params.age:collect_fct-avg']
    const tile = await explore.geotilegeoaggregate('geodata', 2, 2, 1, agg, none, none, none, false, false, true, 120)
    expect(tile.features?.map((f) => [f.properties?.tile, f.properties?.count])).toEqual([
      ['3/4/3', 20],
      ['3/5/3', 16],
      ['3/4/2', 10],
      ['3/5/2', 8],
    ])
    expect(tile.features?.[0]?.properties).toMatchObject({ parent_tile: '2/2/1', params_age_avg_: expect.any(Number) })
    const hexes = await explore.geotilegeoaggregate('geodata', 2, 2, 1, ['geohex:geo_params.centroid:interval-3'])
    expect(hexes.features?.every((f) => f.properties?.parent_cell === '2/2/1')).toBe(true)
  })

  test('geotilegeoaggregate: the tracks of a network layer', async () => {
    const parts = 'size-10000:raw_geometries-geo_params.geometry(-params.startdate)'
    const agg = [`term:params.job:collect_field-params.age:collect_fct-max:${parts}:fetch_hits-1(-params.startdate,id)`]
    const { features = [] } = await explore.geotilegeoaggregate(
      'geodata',
      3,
      4,
      2,
      agg,
      none,
      none,
      none,
      false,
      false,
      true,
    )
    expect(features).toHaveLength(6)
    expect(features[0]?.properties).toMatchObject({
      key: expect.any(String),
      params_age_max_: expect.any(Number),
      hits_0_id: expect.any(String),
      geometry_type: 'raw',
      geometry_sort: '-params.startdate',
    })
  })

  test('compute: figures, and the extent to zoom to', async () => {
    const spanning = await explore.compute('geodata', 'params.startdate', 'spanning', none, none, none, false, false, 9)
    expect(spanning).toMatchObject({ field: 'params.startdate', metric: 'SPANNING', totalnb: 595, value: 500000 })
    const extent = await explore.compute('geodata', 'geo_params.centroid', 'geobbox', ['params.job:eq:Chemist'])
    expect(extent.geometry).toMatchObject({ type: 'Polygon' })
    expect(extent.value).toBeUndefined()
    const refused: unknown = await explore
      .compute('geodata', 'params.job', 'avg')
      .catch((response: unknown) => response)
    expect(refused).toMatchObject({ status: 400 })
  })

  test('computePost', async () => {
    const answer = await explore.computePost('geodata', {
      filter: actor,
      field: 'params.age',
      metric: ComputationRequest.MetricEnum.MAX,
    })
    expect(answer).toMatchObject({ field: 'params.age', metric: 'MAX', totalnb: 59 })
  })

  test('suggest resolves to the response', async () => {
    const response = await explore.suggest('geodata', ['params.job:ne:Coder'], 'co', false, 1, 1, 'params.job', 60)
    expect(await response.json()).toEqual({
      suggestions: [{ field: 'params.job', text: 'Coach', count: 58, collection: 'geodata' }],
    })
  })
})
