import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeEach } from '../../support/engines.ts'
import { must, withQuery } from '../../support/http-client.ts'
import type { RunningServer } from '../../support/running-server.ts'
import { decodedQuery } from '../decoded-query.ts'
import { near } from '../json-comparison.ts'
import { sampleLayouts } from '../sample-layouts.ts'
import { bucketExamples, gridExamples } from './aggregation-examples.ts'

interface Bucket {
  readonly count: number
  readonly key: string | number | { readonly lat: number; readonly lon: number }
  readonly key_as_string: string
  readonly elements?: readonly [Level]
  readonly metrics: readonly { readonly value?: number }[]
  readonly geometries: readonly { readonly reference: string; readonly geometry: unknown; readonly sort?: string }[]
  readonly hits: readonly { readonly params: unknown; readonly id?: string }[]
  readonly flattened_elements: unknown
}
interface Level {
  readonly name: string
  readonly sumotherdoccounts?: number
  readonly elements: readonly Bucket[]
}

const keyOf = ({ key, key_as_string }: Bucket): string | number => (typeof key === 'object' ? key_as_string : key)
const pairs = (level: Level): unknown[] => level.elements.map((b) => [keyOf(b), b.count])
const inside = (bucket: Bucket | undefined): Level => bucket?.elements?.[0] ?? { name: '', elements: [] }
const countsOf = (level: Level): number[] => level.elements.map((b) => b.count)
const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0)

/** Every example with numbers of aggregations-and-files 2 and 3. */
describeEach(sampleLayouts)('aggregations, $name', (layout) => {
  let server: RunningServer
  beforeAll(async () => {
    server = await layout.engine.start()
    await layout.load(server.base)
  })
  afterAll(() => server?.stop())

  const get = (path: string): Promise<unknown> => {
    const [route = '', query = ''] = path.split(/\?(.*)/s)
    return must(server.base, { path: withQuery(`/explore/geodata/${route}`, decodedQuery(query)) })
  }
  const aggregate = async (agg: string): Promise<Level & { readonly totalnb: number }> =>
    (await get(`_aggregate?agg=${agg}`)) as Level & { readonly totalnb: number }
  const bucket = async (agg: string, name: string): Promise<Bucket | undefined> =>
    (await aggregate(agg)).elements.find((b) => b.key_as_string === name)

  test.each(bucketExamples)('$agg', async ({ agg, name, buckets, sumotherdoccounts }) => {
    const answer = await aggregate(agg)
    expect(answer).toMatchObject({ totalnb: 595, name })
    expect(answer.sumotherdoccounts).toBe(sumotherdoccounts)
    expect(pairs(answer)).toEqual(buckets)
  })

  test.each(gridExamples)('%s: %d cells, together %d', async (agg, cells, total) => {
    const counts = countsOf(await aggregate(agg))
    expect([counts.length, sum(counts)]).toEqual([cells, total])
  })

  test('texts of date keys', async () => {
    const texts = async (agg: string): Promise<string[]> => (await aggregate(agg)).elements.map((b) => b.key_as_string)
    const minutes = await texts('datehistogram:params.startdate:interval-1minute')
    expect([minutes[0], minutes.at(-1)]).toEqual(['1970-01-01-00:12:00', '1970-01-01-00:21:00'])
    expect((await texts('datehistogram:params.startdate:interval-1minute:format-HH:mm'))[0]).toBe('00:12')
    expect(await texts('datehistogram:params.startdate:interval-1week')).toEqual(['1969-12-29-00:00:00'])
    expect((await texts('histogram:params.startdate:interval-100000'))[0]).toBe('700000')
    const { elements } = await aggregate('histogram:params.weight:interval-5000')
    expect(elements[0]).toEqual({ count: 6, key: -15000 })
  })

  test('seconds: the empty ones are there', async () => {
    const { elements } = await aggregate('datehistogram:params.startdate:interval-1second')
    expect(elements).toHaveLength(501)
    expect(elements.filter((b) => b.count > 0)).toHaveLength(329)
    expect([elements[0]?.key, elements.at(-1)?.key]).toEqual([763000, 1263000])
  })

  test('keys of cells are their centres', async () => {
    const tile = await bucket('geotile:geo_params.centroid:interval-1', '1/1/0')
    expect(near(tile?.key, { lat: 42.5255643899033, lon: 90 }, 1e-6)).toBe(true)
    const hexes = (await aggregate('geohex:geo_params.centroid:interval-0')).elements
    const first = ['8001fffffffffff', '8003fffffffffff', '80effffffffffff', '80f1fffffffffff']
    expect(hexes.slice(0, 4).map((b) => [b.key_as_string, b.count])).toEqual(first.map((name) => [name, 16]))
    expect((await aggregate('geohex:geo_params.geometry:interval-0')).elements).toEqual(hexes)
  })

  test('order by a result', async () => {
    const top = await aggregate('term:params.job:collect_field-params.age:collect_fct-avg:order-desc:on-result:size-3')
    const averages = top.elements.map((b) => b.metrics[0]?.value)
    expect(near(averages, [4358.620689655172, 4324.137931034483, 4183.050847457627], 1e-6)).toBe(true)
    const agg = 'datehistogram:params.startdate:interval-1minute:collect_field-params.weight:collect_fct-avg'
    const upwards = await aggregate(`${agg}:order-asc:on-result`)
    const none = [720000, 780000, 840000, 900000]
    const some = [960000, 1020000, 1080000, 1140000, 1200000, 1260000]
    expect(upwards.elements.map((b) => b.key)).toEqual([...some, ...none])
    expect(upwards.elements[0]?.metrics[0]?.value).toBeCloseTo(-2230.769, 3)
    expect(upwards.elements[1]?.metrics[0]?.value).toBeCloseTo(-2212.2449, 3)
    expect(upwards.elements.at(-1)?.metrics).toEqual([{ type: 'avg', field: 'params_weight' }])
    const downwards = await aggregate(`${agg}:order-desc:on-result`)
    expect(downwards.elements.map((b) => b.key)).toEqual([...some.toReversed(), ...none])
  })

  test('three levels', async () => {
    const answer = await aggregate(
      'term:params.job:size-2&agg=term:params.country:size-2&agg=datehistogram:params.startdate:interval-2minute',
    )
    expect(answer.sumotherdoccounts).toBe(469)
    const [estimator, coder] = answer.elements
    expect([estimator?.key, estimator?.count, coder?.key, coder?.count]).toEqual(['Cost Estimator', 64, 'Coder', 62])
    const [argentina, armenia] = inside(estimator).elements
    expect([argentina?.key, argentina?.count, armenia?.key, armenia?.count]).toEqual(['Argentina', 32, 'Armenia', 32])
    expect(pairs(inside(argentina))).toEqual([
      [720000, 9],
      [840000, 6],
      [960000, 5],
      [1080000, 12],
    ])
    expect(pairs(inside(armenia))).toEqual([
      [840000, 13],
      [960000, 10],
      [1080000, 9],
    ])
    const [barbuda, other] = inside(coder).elements
    expect([barbuda?.key, barbuda?.count, other?.key, other?.count]).toEqual(['Barbuda', 34, 'Argentina', 28])
    expect(countsOf(inside(barbuda))).toEqual([9, 6, 6, 13])
    expect(pairs(inside(other))).toEqual([
      [840000, 10],
      [960000, 18],
    ])
  })

  test('metrics of a bucket', async () => {
    const parts = 'collect_field-params.startdate:collect_fct-sum:collect_field-params.country:collect_fct-cardinality'
    expect((await bucket(`term:params.job:${parts}`, 'Actor'))?.metrics).toEqual([
      { type: 'sum', field: 'params_startdate', value: 59000000 },
      { type: 'cardinality', field: 'params_country', value: 3 },
    ])
  })

  const square = (west: number, south: number, east: number, north: number) => ({
    type: 'Polygon',
    coordinates: [
      [
        [west, south],
        [east, south],
        [east, north],
        [west, north],
        [west, south],
      ],
    ],
  })

  test('geometries of a bucket', async () => {
    const grid = 'geohash:geo_params.centroid:interval-1'
    const cell = await bucket(`${grid}:aggregated_geometries-bbox,centroid,cell`, 's')
    const expected = [
      { reference: 'bbox', is_raw: false, geometry: square(0, 0, 40, 40) },
      { reference: 'centroid', is_raw: false, geometry: { type: 'Point', coordinates: [20, 20] } },
      { reference: 'cell', is_raw: false, geometry: square(0, 0, 45, 45) },
    ]
    expect(near(cell?.geometries, expected, 1e-6), JSON.stringify(cell?.geometries)).toBe(true)
    const job = await bucket('term:params.job:raw_geometries-geo_params.geometry(-params.startdate)', 'Actor')
    const around = [
      [119, 81],
      [121, 81],
      [121, 79],
      [119, 79],
      [119, 81],
    ]
    expect(job?.geometries).toEqual([
      {
        reference: 'geo_params.geometry',
        geometry: { type: 'Polygon', coordinates: [around] },
        sort: '-params.startdate',
        is_raw: true,
      },
    ])
    const raw = 'raw_geometries-geo_params.centroid(-params.startdate);geo_params.centroid'
    const reference = 'geo_params.centroid'
    expect((await bucket(`${grid}:${raw}`, 's'))?.geometries).toEqual([
      { reference, geometry: { type: 'Point', coordinates: [40, 40] }, sort: '-params.startdate', is_raw: true },
      { reference, geometry: { type: 'Point', coordinates: [0, 0] }, sort: 'params.startdate', is_raw: true },
    ])
  })

  test('hits of a bucket', async () => {
    const part = 'geohash:geo_params.centroid:interval-1:fetch_hits-3(-params.startdate,params.country'
    const expected = [
      { startdate: 1081600, country: 'Armenia' },
      { startdate: 1071200, country: 'Argentina' },
      { startdate: 1071200, country: 'Argentina' },
    ]
    expect((await bucket(`${part})`, 's'))?.hits).toEqual(expected.map((params) => ({ params })))
    const ids = (await bucket(`${part},id)`, 's'))?.hits.map((h) => h.id)
    expect(ids).toEqual(['ID_40_40DI', 'ID_30_40DI', 'ID_40_30DI'])
  })

  test('a whole answer', async () => {
    const answer = await aggregate(
      'geohash:geo_params.centroid:interval-1:size-1:collect_field-params.age:collect_fct-max&agg=term:params.job:size-1',
    )
    const point = { type: 'Point', coordinates: [-67.5, 22.5] }
    const inner = [{ count: 5, key: 'Dancer', key_as_string: 'Dancer' }]
    expect(answer).toEqual({
      query_time: expect.any(Number),
      total_time: expect.any(Number),
      totalnb: 595,
      name: 'GeohashGrid',
      elements: [
        {
          count: 25,
          key: { lat: 22.5, lon: -67.5 },
          key_as_string: 'd',
          metrics: [{ type: 'max', field: 'params_age', value: 3600 }],
          geometries: [{ reference: 'cell_center', is_raw: false, geometry: point }],
          elements: [{ name: 'Sterms', sumotherdoccounts: 20, elements: inner }],
        },
      ],
    })
  })

  test('a flat answer', async () => {
    const { elements } = await aggregate('term:params.job:size-1&agg=term:params.country:size-2&flat=true')
    const flattened = {
      count: 64,
      key: 'Cost Estimator',
      key_as_string: 'Cost Estimator',
      '0_name': 'Sterms',
      '0_sumotherdoccounts': 0,
      '0_0_count': 32,
      '0_0_key': 'Argentina',
      '0_0_key_as_string': 'Argentina',
      '0_1_count': 32,
      '0_1_key': 'Armenia',
      '0_1_key_as_string': 'Armenia',
    }
    const kept = { count: 64, key: 'Cost Estimator', key_as_string: 'Cost Estimator' }
    expect(elements).toEqual([{ ...kept, flattened_elements: flattened }])
  })
})
