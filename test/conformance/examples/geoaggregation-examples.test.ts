import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeEach } from '../../support/engines.ts'
import { call, must, withQuery } from '../../support/http-client.ts'
import type { RunningServer } from '../../support/running-server.ts'
import { decodedQuery } from '../decoded-query.ts'
import { near } from '../json-comparison.ts'
import { sampleLayouts } from '../sample-layouts.ts'
import { refusedExamples, tileExamples } from './aggregation-examples.ts'

interface Feature {
  readonly geometry: unknown
  readonly properties: Readonly<Record<string, unknown>>
}

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0)

/** Every example with numbers of aggregations-and-files 4. */
describeEach(sampleLayouts)('features of aggregations, $name', (layout) => {
  let server: RunningServer
  beforeAll(async () => {
    server = await layout.engine.start()
    await layout.load(server.base)
  })
  afterAll(() => server?.stop())

  const pathOf = (text: string): string => {
    const [route = '', query = ''] = text.split(/\?(.*)/s)
    return withQuery(`/explore/geodata/_geoaggregate${route}`, decodedQuery(query))
  }
  const features = async (path: string): Promise<readonly Feature[]> =>
    ((await must(server.base, { path: pathOf(path) })) as { readonly features: readonly Feature[] }).features

  test('features', async () => {
    const grid = 'geohash:geo_params.centroid:interval-1'
    const flat = await features(`?agg=${grid}:collect_field-params.startdate:collect_fct-sum&flat=true`)
    expect(flat).toHaveLength(32)
    expect(flat.find((f) => f.properties.geohash === 's')).toEqual({
      type: 'Feature',
      geometry: { type: 'Point', coordinates: [22.5, 22.5] },
      properties: {
        count: 25,
        geohash: 's',
        key: '22.5,22.5',
        key_as_string: 's',
        params_startdate_sum_: 26010000,
        feature_type: 'aggregation',
        geometry_ref: 'cell_center',
        geometry_type: 'aggregated',
      },
    })
    expect(await features(`?agg=${grid}:aggregated_geometries-bbox,centroid`)).toHaveLength(64)
    const jobs = await features('?agg=term:params.job:aggregated_geometries-centroid')
    expect(jobs).toHaveLength(10)
    for (const { geometry } of jobs) expect(near(geometry, { type: 'Point', coordinates: [0, 0] }, 1e-6)).toBe(true)
  })

  test.each(tileExamples)('_geoaggregate%s', async (path, expected) => {
    const found = await features(path)
    expect(found.map(({ properties: p }) => [p.geohash ?? p.tile, p.count])).toEqual(expected)
    const [, parent = ''] = /^\/([^?]*)/.exec(path) ?? []
    const name = parent.includes('/') ? 'parent_tile' : 'parent_geohash'
    for (const { properties } of found) expect(String(properties[name]).toLowerCase()).toBe(parent.toLowerCase())
  })

  test('the default of a tile is three levels deeper', async () => {
    const found = await features('/2/2/1')
    expect(found).toHaveLength(48)
    expect(sum(found.map((f) => Number(f.properties.count)))).toBe(54)
    expect(found.every((f) => String(f.properties.tile).startsWith('5/'))).toBe(true)
  })

  test('terms of a tile with the geometry of their newest document', async () => {
    const part = 'raw_geometries-geo_params.geometry(-params.startdate):fetch_hits-1(-params.startdate,id)'
    const found = await features(`/2/2/1?agg=term:params.job:size-3:${part}&flat=true`)
    const told = found.map(({ properties: p }) => [p.key, p.count, p.hits_0_id, p.geometry_type, p.geometry_sort])
    const raw = ['raw', '-params.startdate']
    expect(told).toEqual([
      ['Coach', 6, 'ID_30_30DI', ...raw],
      ['Coder', 6, 'ID_30_40DI', ...raw],
      ['Cost Estimator', 6, 'ID_40_40DI', ...raw],
    ])
  })

  test.each(refusedExamples)('_geoaggregate%s is refused: %s', async (path, error) => {
    const answer = await call(server.base, { path: pathOf(path) })
    expect(answer.json()).toMatchObject({ status: 400, error })
  })
})
