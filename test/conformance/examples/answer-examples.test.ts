import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeEach } from '../../support/engines.ts'
import { call, must, withQuery } from '../../support/http-client.ts'
import type { RunningServer } from '../../support/running-server.ts'
import { decodedQuery } from '../decoded-query.ts'
import { sampleLayouts } from '../sample-layouts.ts'

const ring = (lon: number, lat: number) => ({
  type: 'Polygon',
  coordinates: [
    [
      [lon - 1, lat + 1],
      [lon + 1, lat + 1],
      [lon + 1, lat - 1],
      [lon - 1, lat - 1],
      [lon - 1, lat + 1],
    ],
  ],
})
const point = (lon: number, lat: number) => ({ type: 'Point', coordinates: [lon, lat] })

/** Whole answers of spec 5.6, 5.7 and 5.11. */
describeEach(sampleLayouts)('whole answers, $name', (layout) => {
  let server: RunningServer
  beforeAll(async () => {
    server = await layout.engine.start()
    await layout.load(server.base)
  })
  afterAll(() => server?.stop())

  const get = (path: string, query = ''): Promise<unknown> =>
    must(server.base, { path: withQuery(`/explore/geodata${path}`, decodedQuery(query)) })
  const statusOf = async (path: string): Promise<number> =>
    (await call(server.base, { path: `/explore/geodata${path}` })).status

  test('GET _search with a projection', async () => {
    const self = `${server.base}/explore/geodata/_search?size=1&sort=params.startdate,id&include=params.job`
    const answer = await must(server.base, { path: self.slice(server.base.length) })
    expect(answer).toEqual({
      collection: 'geodata',
      hits: [
        {
          md: {
            id: 'ID__170__80DI',
            timestamp: 763600,
            geometry: ring(-170, -80),
            centroid: point(-170, -80),
          },
          data: {
            id: 'ID__170__80DI',
            params: { job: 'Chemist', startdate: 763600 },
            geo_params: { geometry: ring(-170, -80), centroid: '-80,-170' },
          },
        },
      ],
      nbhits: 1,
      totalnb: 595,
      links: { self: { href: self, method: 'GET' }, next: { href: expect.any(String), method: 'GET' } },
    })
    const { links } = answer as { readonly links: { readonly next: { readonly href: string } } }
    const next = new URL(links.next.href)
    expect(next.origin + next.pathname).toBe(`${server.base}/explore/geodata/_search`)
    expect([...next.searchParams].sort()).toEqual([
      ['after', '763600,ID__170__80DI'],
      ['include', 'params.job'],
      ['size', '1'],
      ['sort', 'params.startdate,id'],
    ])
  })

  test('POST _search, flat, with a returned geometry', async () => {
    const body = {
      filter: { f: [[{ field: 'params.job', op: 'eq', value: 'Actor' }]] },
      page: { size: 1, sort: '-params.startdate,id' },
      projection: { includes: 'params.job' },
      form: { flat: true },
      returned_geometries: 'geo_params.other_geopoint',
    }
    const href = `${server.base}/explore/geodata/_search`
    const corners = [119, 81, 121, 81, 121, 79, 119, 79, 119, 81].map((v, i) => [
      `geo_params_geometry_coordinates_0_${Math.floor(i / 2)}_${i % 2}`,
      v,
    ])
    const page = { size: 1, from: 0, sort: '-params.startdate,id' }
    expect(await must(server.base, { method: 'POST', path: '/explore/geodata/_search', body })).toEqual({
      collection: 'geodata',
      hits: [
        {
          md: {
            id: 'ID_120_80DI',
            timestamp: 1209600,
            geometry: ring(120, 80),
            centroid: point(120, 80),
            returned_geometries: [{ path: 'geo_params.other_geopoint', geometry: point(126, 86) }],
          },
          data: {
            id: 'ID_120_80DI',
            params_job: 'Actor',
            params_startdate: 1209600,
            geo_params_geometry_type: 'Polygon',
            ...Object.fromEntries(corners),
            geo_params_centroid: '80,120',
            geo_params_other_geopoint: '86,126',
          },
        },
      ],
      nbhits: 1,
      totalnb: 59,
      links: {
        self: { href, method: 'POST', body: { ...body, page } },
        next: { href, method: 'POST', body: { ...body, page: { ...page, after: '1209600,ID_120_80DI' } } },
      },
    })
  })

  const feature = {
    id: 'ID__10_20DI',
    params: { job: 'Architect', startdate: 1009800 },
    geo_params: { centroid: '20,-10' },
    md: { id: 'ID__10_20DI', timestamp: 1009800, centroid: point(-10, 20) },
    feature_type: 'hit',
    geometry_path: 'geo_params.geometry',
  }
  const flatFeature = {
    id: 'ID__10_20DI',
    params_job: 'Architect',
    params_startdate: 1009800,
    geo_params_centroid: '20,-10',
    md: 'id=ID__10_20DI-timestamp=1009800-centroid=-10 20',
    feature_type: 'hit',
    geometry_path: 'geo_params.geometry',
  }
  const collectionOf = (properties: unknown) => ({
    type: 'FeatureCollection',
    features: [{ type: 'Feature', geometry: ring(-10, 20), properties }],
  })

  test('GET _geosearch, nested and flat', async () => {
    const query = 'f=id:eq:ID__10_20DI&include=params.job'
    expect(await get('/_geosearch', query)).toEqual(collectionOf(feature))
    expect(await get('/_geosearch', `${query}&flat=true`)).toEqual(collectionOf(flatFeature))
  })

  test('POST _geosearch, flat in the form', async () => {
    const filter = { f: [[{ field: 'id', op: 'eq', value: 'ID__10_20DI' }]] }
    const body = { filter, projection: { includes: 'params.job' }, form: { flat: true } }
    const answer = await must(server.base, { method: 'POST', path: '/explore/geodata/_geosearch', body })
    expect(answer).toEqual(collectionOf(flatFeature))
  })

  test('one feature per returned geometry', async () => {
    const query = 'returned_geometries=geo_params.geometry,geo_params.second_geometry'
    const { features } = (await get('/_geosearch', query)) as { readonly features: readonly unknown[] }
    expect(features).toHaveLength(20)
  })

  test.each([
    ['2/2/1', 'size=100', 54],
    ['1/0/0', 'size=200', 136],
    ['1/1/0', 'size=200', 144],
    ['1/0/1', 'size=200', 153],
    ['1/1/1', 'size=200', 162],
    ['2/2/0', 'f=geo_params.centroid:within:-30,60,50,80&size=100', 12],
    ['28/134217728/134217728', 'size=100', 1],
  ])('tile %s?%s has %d features', async (tile, query, expected) => {
    const { features } = (await get(`/_geosearch/${tile}`, query)) as { readonly features: readonly unknown[] }
    expect(features).toHaveLength(expected)
  })

  test('the sixteen tiles of zoom 2 hold every document once', async () => {
    const tiles = Array.from({ length: 16 }, (_, i) => `/_geosearch/2/${i % 4}/${Math.floor(i / 4)}`)
    const answers = await Promise.all(tiles.map((tile) => get(tile, 'size=100')))
    const found = answers.flatMap((a) =>
      (a as { features: readonly { properties: { id: string } }[] }).features.map((f) => f.properties.id),
    )
    expect(found).toHaveLength(595)
    expect(new Set(found).size).toBe(595)
  })

  test.each(['0/1/0', '29/1/0', '1/0/2', 'a/0/0', '-1/0/0'])('tile %s is refused', async (tile) => {
    expect(await statusOf(`/_geosearch/${tile}`)).toBe(400)
  })

  test('one document', async () => {
    expect(await get('/ID__170__20DI')).toEqual({
      md: { id: 'ID__170__20DI', timestamp: 813400, geometry: ring(-170, -20), centroid: point(-170, -20) },
      data: {
        id: 'ID__170__20DI',
        fullname: 'My name is ID__170__20DI',
        text_search: 'Search the word Donut',
        params: { job: 'Dancer', country: 'Armenia', age: 3400, startdate: 813400, stopdate: 813500 },
        geo_params: {
          geometry: ring(-170, -20),
          wktgeometry: 'POLYGON ((-171 -19, -169 -19, -169 -21, -171 -21, -171 -19))',
          centroid: '-20,-170',
          second_geometry: ring(-164, -14),
          other_geopoint: '-14,-164',
        },
        properties: {},
      },
    })
  })

  test('one document, flat', async () => {
    const { data } = (await get('/ID__170__20DI', 'flat=true')) as { readonly data: Record<string, unknown> }
    expect(Object.keys(data)).toHaveLength(33)
    expect(data).toMatchObject({
      params_startdate: 813400,
      geo_params_centroid: '-20,-170',
      geo_params_geometry_type: 'Polygon',
      geo_params_geometry_coordinates_0_4_1: -19,
    })
    expect(Object.keys(data).filter((k) => k.startsWith('properties'))).toEqual([])
  })

  test('a document that the collection hides does not exist', async () => {
    const answer = await call(server.base, { path: '/explore/geodata_actor/ID__170__20DI' })
    expect(answer.json()).toMatchObject({ status: 404, error: 'DOCUMENT_NOT_FOUND' })
  })
})
