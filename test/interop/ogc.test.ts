import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeEach, engines } from '../support/engines.ts'
import { call, must, withQuery } from '../support/http-client.ts'
import { createIndex, putCollection } from '../support/index-loading.ts'
import type { RunningServer } from '../support/running-server.ts'

const mappings = {
  dynamic: false,
  properties: {
    id: { type: 'integer' },
    name: { type: 'keyword' },
    title: { type: 'text' },
    seen: { type: 'date' },
    part: { properties: { n: { type: 'integer' }, on: { type: 'boolean' } } },
    secret: { type: 'keyword' },
    place: { type: 'geo_point' },
  },
}

const COUNT = 60
/** Points from west to east, one day after another; the last one has neither a place nor a time. */
const documents = Array.from({ length: COUNT }, (_, i) => ({
  id: i,
  name: [`name ${i % 4}`, ...(i % 10 === 0 ? ['tenth'] : [])],
  title: `Document ${i}`,
  part: { n: i % 7, on: i % 2 === 0 },
  secret: 'hidden',
  ...(i === COUNT - 1
    ? {}
    : { seen: new Date(Date.UTC(2024, 0, 1 + i, 12)).toISOString(), place: [-177 + i * 6, i - 30] }),
}))

interface Feature {
  readonly id: number
  readonly geometry: { readonly coordinates: readonly number[] } | null
  readonly properties: Readonly<Record<string, unknown>>
}
interface Features {
  readonly numberMatched: number
  readonly numberReturned: number
  readonly features: readonly Feature[]
  readonly links: readonly Link[]
}
interface Link {
  readonly rel: string
  readonly href: string
}

type Given = readonly (readonly [string, string | number])[]

const items = '/ogc/collections/things/items'
const hrefOf = ({ links }: { readonly links: readonly Link[] }, rel: string): string | undefined =>
  links.find((link) => link.rel === rel)?.href
const pathOf = (href: string): string => href.slice(new URL(href).origin.length)

describeEach(engines)('OGC API Features ($name)', (engine) => {
  let server: RunningServer
  beforeAll(async () => {
    server = await engine.start()
    const bulk = documents.map((d) => `{"index":{"_id":"${d.id}"}}\n${JSON.stringify(d)}\n`).join('')
    await createIndex(server.base, 'things', mappings, bulk)
    await putCollection(server.base, 'things', {
      index_name: 'things',
      id_path: 'id',
      geometry_path: 'place',
      centroid_path: 'place',
      timestamp_path: 'seen',
      exclude_fields: 'secret',
      display_names: { collection: 'Some things', fields: { 'part.n': 'Number' } },
    })
  })
  afterAll(() => server?.stop())

  const get = (path: string): Promise<unknown> => must(server.base, { path })
  const features = async (...parameters: Given): Promise<Features> =>
    (await get(withQuery(items, parameters))) as Features
  const ids = async (...parameters: Given): Promise<readonly number[]> =>
    (await features(['limit', 100], ...parameters)).features.map(({ id }) => id)
  const refused = async (...parameters: Given) => {
    const answer = await call(server.base, { path: withQuery(items, parameters) })
    return [answer.status, answer.json()]
  }

  test('every link of the landing page and of a collection leads somewhere', async () => {
    const landing = (await get('/ogc')) as { readonly links: readonly Link[] }
    const collection = (await get('/ogc/collections/things')) as { readonly links: readonly Link[] }
    const links = [...landing.links, ...collection.links]
    for (const { href, rel } of links) {
      const { status } = await call(server.base, { path: pathOf(href), headers: { accept: '*/*' } })
      // The explorer page is built separately.
      expect([rel, href, status]).toEqual([rel, href, rel === 'alternate' && status === 404 ? 404 : 200])
    }
    expect(links.map(({ rel }) => rel)).toEqual(
      expect.arrayContaining(['self', 'service-desc', 'service-doc', 'conformance', 'data', 'items']),
    )
  })

  test('the landing page is a page for browsers', async () => {
    const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
    const page = await call(server.base, { path: '/ogc', headers: { accept } })
    expect([page.headers['content-type'], page.text]).toEqual([
      'text/html;charset=utf-8',
      expect.stringContaining('/ogc/collections'),
    ])
    const asJson = await call(server.base, { path: '/ogc?f=json', headers: { accept } })
    expect(asJson.headers['content-type']).toContain('application/json')
  })

  test('a collection has its extent', async () => {
    const { collections } = (await get('/ogc/collections')) as { readonly collections: readonly unknown[] }
    const one = await get('/ogc/collections/things')
    expect(collections).toContainEqual(one)
    expect(one).toMatchObject({
      id: 'things',
      title: 'Some things',
      itemType: 'feature',
      storageCrs: 'http://www.opengis.net/def/crs/OGC/1.3/CRS84',
      extent: { temporal: { interval: [['2024-01-01T12:00:00Z', '2024-02-28T12:00:00Z']] } },
    })
    const [box = []] = (one as { extent: { spatial: { bbox: number[][] } } }).extent.spatial.bbox
    expect(box.map(Math.round)).toEqual([-177, -30, 171, 28])
  })

  test('queryables are the properties that filters accept', async () => {
    const answer = await call(server.base, { path: '/ogc/collections/things/queryables' })
    expect(answer.headers['content-type']).toBe('application/schema+json')
    expect(answer.json()).toEqual({
      $schema: 'https://json-schema.org/draft/2019-09/schema',
      $id: `${server.base}/ogc/collections/things/queryables`,
      type: 'object',
      title: 'Some things',
      additionalProperties: false,
      properties: {
        id: { title: 'id', type: 'integer', 'x-ogc-role': 'id' },
        name: { title: 'name', type: 'string' },
        seen: { title: 'seen', type: 'string', format: 'date-time', 'x-ogc-role': 'primary-instant' },
        'part.n': { title: 'Number', type: 'integer' },
        'part.on': { title: 'part.on', type: 'boolean' },
        place: { title: 'place', format: 'geometry-point', 'x-ogc-role': 'primary-geometry' },
      },
    })
    const schema = (await get('/ogc/collections/things/schema')) as { readonly properties: object }
    expect(Object.keys(schema.properties).sort()).toEqual(['id', 'name', 'part.n', 'part.on', 'place', 'seen', 'title'])
  })

  test('a feature has flat properties', async () => {
    const answer = await call(server.base, { path: `${items}/10` })
    expect(answer.headers['content-type']).toBe('application/geo+json')
    expect(answer.headers.etag).toBeDefined()
    const feature = answer.json() as Feature & { readonly links: readonly Link[] }
    expect(feature).toMatchObject({
      type: 'Feature',
      id: 10,
      properties: {
        name: ['name 2', 'tenth'],
        title: 'Document 10',
        seen: '2024-01-11T12:00:00Z',
        'part.n': 3,
        'part.on': true,
      },
    })
    expect(Object.keys(feature.properties).sort()).toEqual(['name', 'part.n', 'part.on', 'seen', 'title'])
    expect(feature.geometry?.coordinates).toEqual([-117, -20])
    expect(await get(pathOf(hrefOf(feature, 'self') ?? ''))).toEqual(feature)
    const { features: all } = await features(['limit', COUNT])
    expect(all.at(-1)).toMatchObject({ id: COUNT - 1, geometry: null })
    expect((await call(server.base, { path: `${items}/999` })).status).toBe(404)
  })

  test('pages follow the identifier, forwards and backwards', async () => {
    const seen: number[] = []
    let page = await features(['limit', 25])
    expect(page).toMatchObject({ numberMatched: COUNT, numberReturned: 25 })
    expect(hrefOf(page, 'prev')).toBeUndefined()
    for (;;) {
      seen.push(...page.features.map(({ id }) => id))
      const next = hrefOf(page, 'next')
      if (next === undefined) break
      page = (await get(pathOf(next))) as Features
    }
    expect(seen).toEqual(documents.map(({ id }) => id))
    const before = (await get(pathOf(hrefOf(page, 'prev') ?? ''))) as Features
    expect(before.features.map(({ id }) => id)).toEqual(seen.slice(25, 50))
  })

  test('pages in another order', async () => {
    const seen: number[] = []
    let path: string | undefined = withQuery(items, [
      ['sortby', '-part.n'],
      ['limit', 7],
      ['filter', "name = 'tenth'"],
    ])
    while (path !== undefined) {
      const page = (await get(path)) as Features
      expect(page.numberMatched).toBe(6)
      seen.push(...page.features.map(({ id }) => id))
      const next = hrefOf(page, 'next')
      path = next === undefined ? undefined : pathOf(next)
    }
    expect(seen).toEqual([20, 40, 10, 30, 50, 0].toSorted((a, b) => (b % 7) - (a % 7) || a - b))
  })

  test('a token belongs to its question', async () => {
    const page = await features(['limit', 5])
    const token = new URL(hrefOf(page, 'next') ?? '').searchParams.get('token') ?? ''
    const next = await features(['token', token], ['limit', 5])
    expect(next.features.map(({ id }) => id)).toEqual([5, 6, 7, 8, 9])
    for (const parameters of [
      [
        ['token', token],
        ['filter', 'id > 1'],
      ],
      [
        ['token', token],
        ['sortby', 'name'],
      ],
      [['token', 'broken']],
      [['token', Buffer.from('["a","b"]').toString('base64url')]],
    ] satisfies Given[]) {
      expect(await refused(...parameters)).toEqual([400, expect.objectContaining({ code: 'INVALID_PARAMETER' })])
    }
  })

  describe('filters', () => {
    const first = (count: number): readonly number[] => documents.slice(0, count).map(({ id }) => id)
    test.each<[string, Given, readonly number[]]>([
      ['bbox', [['bbox', '-180,-90,-165,90']], first(3)],
      ['bbox with heights', [['bbox', '-180,-90,0,-165,90,1000']], first(3)],
      ['bbox over the antimeridian', [['bbox', '170,-90,-172,90']], [0, 58]],
      ['borders of bbox', [['bbox', '-171,-29,-171,-29']], [1]],
      [
        'bbox in latitude and longitude',
        [
          ['bbox', '-90,-180,90,-165'],
          ['bbox-crs', 'http://www.opengis.net/def/crs/EPSG/0/4326'],
        ],
        first(3),
      ],
      [
        'bbox in metres',
        [
          ['bbox', '-20037508.342789244,-10000000,-18000000,10000000'],
          ['bbox-crs', 'http://www.opengis.net/def/crs/EPSG/0/3857'],
        ],
        first(3),
      ],
      ['an instant', [['datetime', '2024-01-02T12:00:00Z']], [1]],
      ['an instant with an offset', [['datetime', '2024-01-02T14:00:00+02:00']], [1]],
      ['a day', [['datetime', '2024-01-02']], [1]],
      ['an open end', [['datetime', '../2024-01-02T12:00:00Z']], [0, 1]],
      ['an empty end', [['datetime', '2024-02-27T12:00:00Z/']], [57, 58]],
      ['days', [['datetime', '2024-01-02/2024-01-03']], [1, 2]],
      ['a value of a property', [['name', 'tenth']], [0, 10, 20, 30, 40, 50]],
      [
        'values of properties',
        [
          ['name', 'tenth'],
          ['part.on', 'true'],
          ['part.n', '3'],
        ],
        [10],
      ],
      ['CQL2', [['filter', 'name = \'tenth\' AND "part.n" = 3']], [10]],
      [
        'CQL2 in JSON',
        [
          ['filter', '{"op":"<","args":[{"property":"id"},2]}'],
          ['filter-lang', 'cql2-json'],
        ],
        [0, 1],
      ],
      [
        'filter-crs',
        [
          ['filter', 'S_INTERSECTS(place, POLYGON((-90 -180, -90 -165, 90 -165, 90 -180, -90 -180)))'],
          ['filter-crs', 'http://www.opengis.net/def/crs/EPSG/0/4326'],
        ],
        first(3),
      ],
      [
        'all together',
        [
          ['bbox', '-180,-90,-150,90'],
          ['datetime', '2024-01-02/..'],
          ['filter', 'id < 4'],
          ['part.on', 'true'],
        ],
        [2],
      ],
    ])('%s', async (_name, parameters, expected) => {
      expect(await ids(...parameters)).toEqual(expected)
    })

    test.each<[string, Given, RegExp]>([
      ['an unknown parameter', [['nope', '1']], /nope is not a parameter/],
      ['a hidden property', [['secret', 'hidden']], /secret is not a parameter/],
      ['a limit of zero', [['limit', 0]], /limit must be/],
      ['a limit that is no number', [['limit', 'ten']], /limit must be/],
      ['three numbers', [['bbox', '1,2,3']], /bbox must have four or six/],
      ['NaN', [['bbox', 'NaN,1,2,3']], /bbox must be a list of numbers/],
      ['a bbox out of range', [['bbox', '-200,0,10,10']], /west and east from -180/],
      ['south above north', [['bbox', '0,10,10,0']], /south greater than north/],
      ['a time without offset', [['datetime', '2024-01-02T12:00:00']], /datetime must be a date or time/],
      ['three times', [['datetime', '2024-01-01/2024-01-02/2024-01-03']], /datetime/],
      ['an end before the start', [['datetime', '2024-01-03/2024-01-02']], /end before it starts/],
      ['an unknown system', [['crs', 'EPSG:1']], /crs must be one of/],
      ['an unknown format', [['f', 'xml']], /f must be one of/],
      ['an unknown order', [['sortby', 'nope']], /sortby must name properties/],
      ['an unknown property', [['properties', 'id,nope']], /properties must name/],
      ['a number that is none', [['part.n', 'x']], /part\.n must be a number/],
      ['a syntax error', [['filter', 'id =']], /character 5/],
      ['a filter on nothing', [['filter', 'nope = 1']], /nope, which is not a property/],
    ])('%s is refused', async (_name, parameters, message) => {
      expect(await refused(...parameters)).toEqual([
        400,
        expect.objectContaining({ code: expect.any(String), description: expect.stringMatching(message) }),
      ])
    })
  })

  test('a limit beyond the largest page is reduced', async () => {
    expect((await features(['limit', 1_000_000])).numberReturned).toBe(COUNT)
  })

  test('what features contain', async () => {
    const [feature] = (await features(['properties', 'part.n'], ['skipGeometry', 'true'])).features
    expect(feature).toEqual({ type: 'Feature', id: 0, geometry: null, properties: { 'part.n': 0 } })
  })

  test('coordinates in other systems', async () => {
    for (const [code, expected] of [
      ['4326', [-20, -117]],
      ['3857', [-13024380.422813008, -2273030.926987689]],
    ] as const) {
      const crs = `http://www.opengis.net/def/crs/EPSG/0/${code}`
      const answer = await call(server.base, { path: withQuery(`${items}/10`, [['crs', crs]]) })
      expect(answer.headers['content-crs']).toBe(`<${crs}>`)
      const { geometry } = answer.json() as Feature
      geometry?.coordinates.forEach((ordinate, i) => {
        expect(ordinate).toBeCloseTo(expected[i] ?? Number.NaN, 3)
      })
    }
  })

  test('files have the filters of the page', async () => {
    const csv = await call(server.base, {
      path: withQuery(items, [
        ['f', 'csv'],
        ['name', 'tenth'],
      ]),
    })
    expect([csv.headers['content-type'], csv.text.trim().split('\n').length]).toEqual([
      expect.stringContaining('text/csv'),
      7,
    ])
    const lines = await call(server.base, {
      path: withQuery(items, [
        ['f', 'geojsonl'],
        ['bbox', '-180,-90,-165,90'],
      ]),
    })
    expect(lines.text.trim().split('\n')).toHaveLength(3)
    for (const f of ['parquet', 'fgb']) {
      const file = await call(server.base, {
        path: withQuery(items, [
          ['f', f],
          ['limit', 5],
        ]),
      })
      expect([f, file.status, file.bytes.length > 100]).toEqual([f, 200, true])
    }
  })

  test('tiles', async () => {
    const sets = (await get('/ogc/collections/things/tiles')) as { readonly tilesets: readonly [{ links: Link[] }] }
    const set = (await get(pathOf(hrefOf(sets.tilesets[0], 'self') ?? ''))) as { readonly links: readonly Link[] }
    const template = pathOf(hrefOf(set, 'item') ?? '')
    const tile = (z: number, row: number, column: number, query = ''): Promise<{ status: number; type: unknown }> =>
      call(server.base, {
        path: template
          .replace('{tileMatrix}', String(z))
          .replace('{tileRow}', String(row))
          .replace('{tileCol}', String(column))
          .concat(query),
      }).then(({ status, headers }) => ({ status, type: headers['content-type'] }))
    const mvt = { status: 200, type: 'application/vnd.mapbox-vector-tile' }
    expect(await tile(0, 0, 0)).toEqual(mvt)
    // Row before column: the points in the south are in the west.
    expect(await tile(1, 1, 0)).toEqual(mvt)
    expect((await tile(1, 0, 0, '&bbox=-180,20,-90,80')).status).toBe(204)
    expect((await tile(0, 0, 0, '&filter=id%3C0')).status).toBe(204)
    expect((await tile(1, 2, 0)).status).toBe(404)
    expect((await tile(0, 0, 0, '&nope=1')).status).toBe(400)
    const path = '/ogc/collections/things/tiles/WebMercatorQuad/0/0/0?f=png'
    expect((await call(server.base, { path })).headers['content-type']).toBe('image/png')
    expect(await get('/ogc/tileMatrixSets/WebMercatorQuad')).toMatchObject({ id: 'WebMercatorQuad' })
  })

  test('a collection that may not be seen does not exist', async () => {
    const headers = { 'column-filter': 'other:id' }
    for (const path of ['', '/items', '/items/1', '/queryables', '/schema', '/tiles', '/tiles/WebMercatorQuad/0/0/0']) {
      const answer = await call(server.base, { path: `/ogc/collections/things${path}`, headers })
      expect([path, answer.status, answer.json()]).toEqual([
        path,
        404,
        expect.objectContaining({ code: 'COLLECTION_NOT_FOUND' }),
      ])
    }
    const list = await call(server.base, { path: '/ogc/collections', headers })
    expect(list.json()).toMatchObject({ collections: [] })
  })

  test('a narrowed caller sees less', async () => {
    const headers = {
      'column-filter': 'things:name',
      'partition-filter': '{"things":{"f":[[{"field":"id","op":"lt","value":"5"}]]}}',
    }
    const answer = await call(server.base, { path: items, headers })
    const page = answer.json() as Features
    expect(page.numberMatched).toBe(5)
    expect(Object.keys(page.features[0]?.properties ?? {}).sort()).toEqual(['name', 'seen'])
    const extent = await call(server.base, { path: '/ogc/collections/things', headers })
    expect(extent.text).toContain('2024-01-05T12:00:00Z')
  })
})
