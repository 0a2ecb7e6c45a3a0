import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadSample } from '../../../../test/conformance/fixtures.ts'
import { startEmbeddedServer } from '../../../../test/support/embedded-server.ts'
import { must, withQuery } from '../../../../test/support/http-client.ts'
import type { RunningServer } from '../../../../test/support/running-server.ts'

interface Features {
  readonly features: readonly { readonly properties: Readonly<Record<string, unknown>> }[]
}

let server: RunningServer

beforeAll(async () => {
  server = await startEmbeddedServer()
  await loadSample(server.base)
})
afterAll(() => server.stop())

const grid = async (path: string, ...query: readonly (readonly [string, string])[]) => {
  const answer = await must(server.base, { path: withQuery(`/explore/geodata/_geoaggregate${path}`, query) })
  return (answer as Features).features.map(({ properties }) => properties)
}
const cells = async (name: string, path: string, agg?: string) =>
  (await grid(path, ...(agg === undefined ? [] : [['agg', agg] as const]))).map((p) => [p[name], p.count])

describe('the documents of a geohash', () => {
  it('are one bucket unless asked otherwise', async () => {
    expect(await cells('geohash', '/s')).toEqual([['s', 25]])
  })

  it('are told in any case of the letters', async () => {
    const found = await grid('/YN', ['agg', 'geohash:geo_params.centroid:interval-3'])
    expect(found).toMatchObject([
      { geohash: 'yn0', count: 1, parent_geohash: 'yn' },
      { geohash: 'ynp', count: 1, parent_geohash: 'yn' },
    ])
  })

  it('are those of their centroid for other types', async () => {
    const found = await grid('/yn', ['agg', 'datehistogram:interval-1minute:aggregated_geometries-bbox'])
    expect(found).toEqual([
      {
        count: 2,
        key: '1970-01-01-00:19:00',
        feature_type: 'aggregation',
        geometry_ref: 'bbox',
        geometry_type: 'aggregated',
      },
    ])
  })
})

describe('the documents of a tile', () => {
  it('are in tiles three zooms finer unless asked otherwise', async () => {
    const found = await cells('tile', '/2/2/1')
    expect(found).toHaveLength(48)
    expect(found.reduce((sum, [, count]) => sum + Number(count), 0)).toBe(54)
    expect(found.every(([tile]) => /^5\//.test(String(tile)))).toBe(true)
  })

  it('are in the order of their cells', async () => {
    expect(await cells('tile', '/2/2/1', 'geotile:geo_params.centroid:interval-3')).toEqual([
      ['3/4/3', 20],
      ['3/5/3', 16],
      ['3/4/2', 10],
      ['3/5/2', 8],
    ])
  })

  it('with a shape are in every cell of it that touches the tile, and in no other', async () => {
    const tiles = await cells('tile', '/2/2/1', 'geotile:geo_params.geometry:interval-3')
    expect(tiles.map(([tile]) => tile).sort()).toEqual(['3/4/2', '3/4/3', '3/5/2', '3/5/3'])
  })

  it('know the tile whatever the grid', async () => {
    const [hexagon] = await grid('/2/2/1', ['agg', 'geohex:geo_params.geometry:interval-1'])
    expect(hexagon).toMatchObject({ geohex: expect.any(String), parent_cell: '2/2/1' })
    const [hash] = await grid('/3/1/1', ['agg', 'geohash:geo_params.centroid:interval-1'])
    expect(hash).toMatchObject({ parent_geohash: '3/1/1' })
  })

  it('show a fetched geometry once, as the feature', async () => {
    const agg =
      'term:params.job:size-1:raw_geometries-geo_params.geometry(-params.startdate)' +
      ':fetch_hits-1(-params.startdate,id,geo_params.geometry)'
    const [flat] = await grid('/2/2/1', ['agg', agg], ['flat', 'true'])
    expect(flat).toEqual({
      count: 6,
      key: 'Coach',
      key_as_string: 'Coach',
      hits_0_id: 'ID_30_30DI',
      hits_0_params_startdate: 1_060_900,
      feature_type: 'aggregation',
      geometry_ref: 'geo_params.geometry',
      geometry_type: 'raw',
      geometry_sort: '-params.startdate',
    })
    const [nested] = await grid('/2/2/1', ['agg', agg])
    expect(nested?.hits).toMatchObject([{ id: 'ID_30_30DI', geo_params: { geometry: { type: 'Polygon' } } }])
  })
})
