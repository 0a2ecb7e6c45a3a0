import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeEach, engines } from '../support/engines.ts'
import { call, must } from '../support/http-client.ts'
import { createIndex, putCollection } from '../support/index-loading.ts'
import type { RunningServer } from '../support/running-server.ts'

/*
 * The requests that QGIS 3.40 sends when a layer is added, drawn and filtered, in its order and with its headers, as
 * its public tests of the OGC API provider record them.
 */
const headers = {
  json: 'application/json',
  api: 'application/vnd.oai.openapi+json;version=3.0, application/openapi+json;version=3.0, application/json',
  items: 'application/geo+json, application/json',
  schema: 'application/schema+json',
}

const mappings = {
  properties: {
    id: { type: 'keyword' },
    strfield: { type: 'keyword' },
    strfield2: { type: 'keyword' },
    intfield: { type: 'integer' },
    doublefield: { type: 'double' },
    boolfield: { type: 'boolean' },
    boolfield2: { type: 'boolean' },
    seen: { type: 'date' },
    place: { type: 'geo_point' },
  },
}

const known = {
  id: 'a',
  strfield: 'foo=bar',
  intfield: 1,
  doublefield: 1.5,
  boolfield: true,
  boolfield2: false,
  seen: '2023-04-19T12:34:56Z',
  place: [-70.5, 66.5],
}
const other = {
  id: 'b',
  strfield: 'bar',
  strfield2: 'x',
  intfield: 3,
  doublefield: 2.5,
  boolfield: false,
  boolfield2: true,
  seen: '2018-01-01T00:00:00Z',
  place: [20.25, -10.5],
}

/** What a layer filter becomes, and the documents it keeps. */
const filters: readonly (readonly [query: string, ids: readonly string[]])[] = [
  [`filter=((strfield%20%3D%20'foo%3Dbar')%20AND%20(intfield%20%3D%201))`, ['a']],
  ['filter=((doublefield%20%3D%202.5)%20OR%20(boolfield%20%3D%20TRUE))', ['a', 'b']],
  ['filter=(boolfield2%20%3D%20FALSE)', ['a']],
  ['filter=(NOT%20((intfield%20%3D%203)))', ['a']],
  ['filter=(intfield%20%3C%3E%203)', ['a']],
  ['filter=(intfield%20%3E%201)', ['b']],
  ['filter=(intfield%20%3E%3D%203)', ['b']],
  ['filter=(intfield%20%3C%203)', ['a']],
  ['filter=(intfield%20%3C%3D%201)', ['a']],
  ['filter=intfield%20IN%20(1,2)', ['a']],
  ['filter=intfield%20NOT%20IN%20(3,4)', ['a']],
  ['filter=intfield%20BETWEEN%200%20AND%202', ['a']],
  ['filter=intfield%20NOT%20BETWEEN%203%20AND%204', ['a']],
  ['filter=(strfield2%20IS%20NULL)', ['a']],
  ['filter=(strfield2%20IS%20NOT%20NULL)', ['b']],
  [`filter=(seen%20%3D%20TIMESTAMP('2023-04-19T12:34:56.000Z'))`, ['a']],
  [`filter=(seen%20%3D%20DATE('2023-04-19'))`, ['a']],
  [`filter=(strfield%20LIKE%20'foo%25')`, ['a']],
  [`filter=(strfield%20NOT%20LIKE%20'bar')`, ['a']],
  [`filter=(CASEI(strfield)%20LIKE%20CASEI('FO%25'))`, ['a']],
  [`filter=(CASEI(strfield)%20NOT%20LIKE%20CASEI('BAR'))`, ['a']],
  ['filter=S_INTERSECTS(place,BBOX(-180,0,180,90))', ['a']],
  ['filter=S_INTERSECTS(place,POINT(20.25%20-10.5))', ['b']],
  [`filter=((strfield%20%3C%3E%20'x'))%20AND%20((intfield%20%3D%203))`, ['b']],
]

describeEach(engines)('QGIS ($name)', (engine) => {
  let server: RunningServer
  beforeAll(async () => {
    server = await engine.start()
    const bulk = [known, other].map((d) => `{"index":{"_id":"${d.id}"}}\n${JSON.stringify(d)}\n`).join('')
    await createIndex(server.base, 'things', mappings, bulk)
    await putCollection(server.base, 'things', {
      index_name: 'things',
      id_path: 'id',
      geometry_path: 'place',
      centroid_path: 'place',
      timestamp_path: 'seen',
    })
  })
  afterAll(() => server?.stop())

  const get = async (path: string, accept: string): Promise<Json> =>
    (await must(server.base, { path, headers: { accept } })) as Json
  const idsOf = async (query: string): Promise<readonly unknown[]> => {
    const page = await get(`/ogc/collections/things/items?limit=1000&${query}`, headers.items)
    return page.features?.map(({ id }) => id) ?? []
  }

  test('it adds a layer', async () => {
    const landing = await get('/ogc', headers.json)
    const linked = (rel: string): string => {
      const { href = '' } = landing.links?.find((link) => link.rel === rel) ?? {}
      return href.slice(server.base.length)
    }
    // Page sizes are read from the description of the parameter `limit`.
    const api = await get(linked('service-desc'), headers.api)
    expect(api.components?.parameters.limit?.schema).toMatchObject({ maximum: 10_000, default: 10 })
    const { conformsTo } = await get(linked('conformance'), headers.json)
    for (const name of [
      'http://www.opengis.net/spec/ogcapi-features-2/1.0/conf/crs',
      'http://www.opengis.net/spec/ogcapi-features-3/1.0/conf/filter',
      'http://www.opengis.net/spec/ogcapi-features-3/1.0/conf/features-filter',
      'http://www.opengis.net/spec/cql2/1.0/conf/cql2-text',
      'http://www.opengis.net/spec/cql2/1.0/conf/basic-cql2',
      'http://www.opengis.net/spec/cql2/1.0/conf/advanced-comparison-operators',
      'http://www.opengis.net/spec/cql2/1.0/conf/case-insensitive-comparison',
      'http://www.opengis.net/spec/cql2/1.0/conf/basic-spatial-functions',
    ]) {
      expect(conformsTo).toContain(name)
    }
    const { collections } = await get(linked('data'), headers.json)
    expect(collections?.map(({ id }) => id)).toEqual(['things'])
    const collection = await get('/ogc/collections/things', headers.json)
    expect(collection.extent?.spatial.bbox).toEqual([
      [expect.closeTo(-70.5, 5), expect.closeTo(-10.5, 5), expect.closeTo(20.25, 5), expect.closeTo(66.5, 5)],
    ])
    const { properties } = await get('/ogc/collections/things/queryables', headers.schema)
    expect(properties).toMatchObject({
      strfield: { type: 'string' },
      intfield: { type: 'integer' },
      doublefield: { type: 'number' },
      boolfield: { type: 'boolean' },
      seen: { type: 'string', format: 'date-time' },
    })
    const options = await call(server.base, { method: 'OPTIONS', path: '/ogc/collections/things/items' })
    // It would offer to edit features.
    expect([options.status < 300, options.headers.allow ?? '']).toEqual([true, expect.not.stringMatching(/POST|PUT/)])
    const count = await get('/ogc/collections/things/items?limit=1', headers.items)
    expect([count.numberMatched, count.features?.length]).toEqual([2, 1])
    expect((await get('/ogc/collections/things/items?limit=10', headers.items)).features).toHaveLength(2)
  })

  test('it draws what is in view', async () => {
    expect(await idsOf('')).toEqual(['a', 'b'])
    expect(await idsOf('bbox=-71.123,66.33,-65.32,78.3')).toEqual(['a'])
    const crs = 'http://www.opengis.net/def/crs/OGC/1.3/CRS84'
    expect(await idsOf(`bbox=0,-20,30,0&bbox-crs=${crs}&crs=${crs}`)).toEqual(['b'])
    const one = await get('/ogc/collections/things/items/a', headers.items)
    expect([one.id, one.geometry]).toEqual(['a', { type: 'Point', coordinates: [-70.5, 66.5] }])
  })

  test.each([
    ['datetime=2019-05-15T00:00:00Z/9999-12-31T00:00:00Z', ['a']],
    ['datetime=0000-01-01T00:00:00Z/2019-01-01T00:34:00Z', ['b']],
    ['datetime=2023-04-19T12:34:56Z', ['a']],
    ['datetime=2019-01-01T00:34:00Z/2019-12-31T00:00:00Z', []],
  ])('it filters by time: %s', async (query, ids) => {
    expect(await idsOf(query)).toEqual(ids)
  })

  test('it filters by values of properties', async () => {
    expect(await idsOf('strfield=foo%3Dbar&intfield=1&doublefield=1.5&boolfield=true')).toEqual(['a'])
  })

  test.each(filters)('it filters by an expression: %s', async (query, ids) => {
    expect(await idsOf(`${query}&filter-lang=cql2-text`)).toEqual(ids)
  })
})

interface Json {
  readonly id?: unknown
  readonly links?: readonly { readonly rel: string; readonly href: string }[]
  readonly conformsTo?: readonly string[]
  readonly collections?: readonly { readonly id: string }[]
  readonly components?: { readonly parameters: { readonly limit?: { readonly schema: unknown } } }
  readonly extent?: { readonly spatial: { readonly bbox: unknown } }
  readonly properties?: unknown
  readonly geometry?: unknown
  readonly numberMatched?: number
  readonly features?: readonly { readonly id: unknown }[]
}
