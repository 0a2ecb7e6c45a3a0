import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeEach, engines } from '../support/engines.ts'
import { call, must, withQuery } from '../support/http-client.ts'
import type { RunningServer } from '../support/running-server.ts'
import { COUNT, loadStac, SCENES, scenes, things } from './stac-documents.ts'

interface Link {
  readonly rel: string
  readonly href: string
  readonly method?: string
  readonly body?: object
}
interface Item {
  readonly id: string
  readonly collection: string
  readonly bbox?: readonly number[]
  readonly properties: Readonly<Record<string, unknown>>
  readonly links: readonly Link[]
}
interface Items {
  readonly numberMatched: number
  readonly numberReturned: number
  readonly features: readonly Item[]
  readonly links: readonly Link[]
}
type Given = readonly (readonly [string, string | number])[]

const hrefOf = ({ links }: { readonly links: readonly Link[] }, rel: string): string | undefined =>
  links.find((link) => link.rel === rel)?.href
const pathOf = (href: string): string => href.slice(new URL(href).origin.length)

/** The order of a search: times descending, then collection, then identifier. The period has no time: last. */
const expectedOrder = [
  ...things.flatMap(({ id, seen }) => (seen === undefined ? [] : [{ name: 'things', id, time: seen }])),
  ...scenes.map(({ id, properties }) => ({ name: 'scenes', id, time: properties.datetime })),
]
  .toSorted(
    (a, b) => (b.time ?? '').localeCompare(a.time ?? '') || a.name.localeCompare(b.name) || a.id.localeCompare(b.id),
  )
  .map(({ id }) => id)
const TOTAL = COUNT - 1 + SCENES

describeEach(engines)('STAC API ($name)', (engine) => {
  let server: RunningServer
  beforeAll(async () => {
    server = await engine.start()
    await loadStac(server.base)
  })
  afterAll(() => server?.stop())

  const get = (path: string): Promise<unknown> => must(server.base, { path })
  const find = async (...parameters: Given): Promise<Items> =>
    (await get(withQuery('/stac/search', parameters))) as Items
  const post = async (body: object): Promise<Items> =>
    (await must(server.base, { method: 'POST', path: '/stac/search', body })) as Items
  const idsOf = ({ features }: Items): readonly string[] => features.map(({ id }) => id)

  test('every link of the landing page and of a collection leads somewhere', async () => {
    const landing = (await get('/stac')) as { readonly links: readonly Link[]; readonly conformsTo: readonly string[] }
    const collection = (await get('/stac/collections/scenes')) as { readonly links: readonly Link[] }
    for (const { href, rel, method = 'GET' } of [...landing.links, ...collection.links]) {
      const headers = { accept: '*/*' }
      const { status } = await call(server.base, {
        ...{ method, path: pathOf(href), headers },
        ...(method === 'POST' ? { body: {} } : {}),
      })
      // The explorer page is built separately.
      expect([rel, href, status]).toEqual([rel, href, rel === 'alternate' && status === 404 ? 404 : 200])
    }
    expect(landing).toMatchObject({ type: 'Catalog', stac_version: '1.0.0' })
    expect(landing.links.filter(({ rel }) => rel === 'child')).toHaveLength(2)
    expect(await get('/stac/conformance')).toEqual({ conformsTo: landing.conformsTo })
    const page = await call(server.base, { path: '/stac', headers: { accept: 'text/html,*/*;q=0.8' } })
    expect(page.headers['content-type']).toBe('text/html;charset=utf-8')
  })

  test('collections have a licence, an extent, keywords and summaries', async () => {
    const list = (await get('/stac/collections')) as { readonly collections: readonly { readonly id: string }[] }
    const one = await get('/stac/collections/things')
    expect(list.collections.map(({ id }) => id)).toEqual(['scenes', 'things'])
    expect(list.collections[1]).toEqual(one)
    expect(one).toMatchObject({
      type: 'Collection',
      title: 'Some things',
      license: 'CC-BY-4.0',
      keywords: ['thing'],
      extent: { temporal: { interval: [['2024-01-01T00:00:00Z', '2024-01-01T19:00:00Z']] } },
      summaries: { name: ['name 0', 'name 1', 'name 2', 'name 3', 'tenth'] },
    })
    expect(await get('/stac/collections/scenes')).toMatchObject({
      license: 'other',
      summaries: { platform: ['sentinel-2a', 'sentinel-2b'], instruments: ['msi'] },
    })
    expect((await call(server.base, { path: '/stac/collections/nope' })).status).toBe(404)
  })

  test('collections are found by their extent', async () => {
    const found = async (...parameters: Given) =>
      (
        (await get(withQuery('/stac/collections', parameters))) as { readonly collections: readonly Item[] }
      ).collections.map(({ id }) => id)
    expect(await found(['bbox', '-79,-20,-70,-15'])).toEqual(['things'])
    expect(await found(['bbox', '-59,-20,-50,20'])).toEqual(['scenes', 'things'])
    expect(await found(['datetime', '2023-01-01T00:00:00Z/2023-12-01T00:00:00Z'])).toEqual([])
    const page = (await get('/stac/collections?limit=1')) as Items
    const next = (await get(pathOf(hrefOf(page, 'next') ?? ''))) as Items & { readonly collections: readonly Item[] }
    expect([page, next]).toMatchObject([
      { numberMatched: 2, numberReturned: 1, collections: [{ id: 'scenes' }] },
      { numberMatched: 2, numberReturned: 1, collections: [{ id: 'things' }] },
    ])
    expect(hrefOf(next, 'next')).toBeUndefined()
  })

  test('queryables have the names of items', async () => {
    const answer = await call(server.base, { path: '/stac/collections/scenes/queryables' })
    expect(answer.headers['content-type']).toBe('application/schema+json')
    const { properties } = answer.json() as { readonly properties: object }
    expect(Object.keys(properties).sort()).toEqual(
      [
        'collection',
        'datetime',
        'end_datetime',
        'eo:cloud_cover',
        'geometry',
        'id',
        'instruments',
        'mission',
        'platform',
      ]
        .concat(...['start_datetime', 'stac_version'])
        .sort(),
    )
    const common = (await get('/stac/queryables')) as { readonly properties: object }
    expect(Object.keys(common.properties).sort()).toEqual(['collection', 'datetime', 'geometry', 'id'])
  })

  test('a document becomes an item', async () => {
    const answer = await call(server.base, { path: '/stac/collections/things/items/t10' })
    expect(answer.headers['content-type']).toBe('application/geo+json')
    const item = answer.json() as Item
    const url = `${server.base}/stac/collections/things`
    expect(item).toEqual({
      type: 'Feature',
      stac_version: '1.0.0',
      stac_extensions: [],
      id: 't10',
      collection: 'things',
      geometry: { type: 'Point', coordinates: [-39, -10] },
      bbox: [-39, -10, -39, -10],
      properties: {
        name: ['name 2', 'tenth'],
        title: 'An even thing',
        seen: '2024-01-01T05:00:00Z',
        datetime: '2024-01-01T05:00:00Z',
        'part.n': 3,
        'part.on': true,
      },
      assets: {
        data: expect.objectContaining({ href: `${server.base}/explore/things/t10`, roles: ['data'] }),
      },
      links: [
        expect.objectContaining({ rel: 'self', href: `${url}/items/t10` }),
        expect.objectContaining({ rel: 'root', href: `${server.base}/stac` }),
        expect.objectContaining({ rel: 'parent', href: url }),
        expect.objectContaining({ rel: 'collection', href: url }),
      ],
    })
    // Neither a time nor a period: not an item, but a feature.
    expect((await call(server.base, { path: '/stac/collections/things/items/t39' })).status).toBe(404)
    expect((await call(server.base, { path: '/ogc/collections/things/items/t39' })).status).toBe(200)
  })

  test('a STAC item is returned as it is', async () => {
    const item = await get('/stac/collections/scenes/items/s03')
    expect(item).toEqual({ ...scenes[3], collection: 'scenes', links: expect.any(Array) })
    expect(await get('/stac/collections/scenes/items/s24')).toMatchObject({ properties: scenes[24]?.properties })
  })

  test('pages over several collections have one order and every item once', async () => {
    for (const limit of [7, 50, 1000]) {
      const seen: string[] = []
      let page = await find(['limit', limit])
      for (;;) {
        expect(page).toMatchObject({ numberMatched: TOTAL, context: { matched: TOTAL } })
        seen.push(...idsOf(page))
        const next = hrefOf(page, 'next')
        if (next === undefined) break
        page = (await get(pathOf(next))) as Items
      }
      expect(seen).toEqual(expectedOrder)
    }
  })

  test('pages of a POST', async () => {
    const body = { limit: 30, sortby: [{ field: 'properties.eo:cloud_cover', direction: 'desc' }] }
    const seen: string[] = []
    let page = await post(body)
    for (;;) {
      seen.push(...idsOf(page))
      const next = page.links.find(({ rel }) => rel === 'next')
      if (next === undefined) break
      expect(next).toMatchObject({ method: 'POST', merge: true })
      page = await post({ ...body, ...next.body })
    }
    // Items of the collection without the property are last.
    const byCloud = scenes.map(({ id }) => id).toReversed()
    expect(seen).toEqual([...byCloud, ...things.slice(0, -1).map(({ id }) => id)])
  })

  test('orders', async () => {
    const order = async (sortby: string) => idsOf(await find(['sortby', sortby], ['limit', 100]))
    expect(await order('id')).toEqual([...scenes, ...things.slice(0, -1)].map(({ id }) => id))
    expect((await order('-collection,-id')).slice(0, 2)).toEqual(['t38', 't37'])
    expect((await order('+collection,+datetime')).slice(0, 2)).toEqual(['s00', 's01'])
  })

  describe('filters', () => {
    const idsWith = (test: (i: number) => boolean) => scenes.flatMap(({ id }, i) => (test(i) ? [id] : []))
    const scenesOnly = ['collections', 'scenes'] as const
    test.each<[string, Given, readonly string[]]>([
      ['ids', [['ids', 't01,s02,nope']], ['s02', 't01']],
      [
        'collections',
        [
          ['collections', 'things,nope'],
          ['ids', 't01,s02'],
        ],
        ['t01'],
      ],
      ['no collection', [['collections', 'nope']], []],
      ['bbox', [['bbox', '-60,-10,-59,-9']], ['s00']],
      ['intersects', [['intersects', '{"type":"Point","coordinates":[-59,-9]}']], ['s00']],
      ['a time', [['datetime', '2024-01-01T00:00:00Z']], ['s00', 't00', 't01']],
      ['a period of an item', [['datetime', '2024-02-02T00:00:00Z']], ['s24']],
      ['an open end', [scenesOnly, ['datetime', '2024-01-01T22:00:00Z/..']], ['s22', 's23', 's24']],
      ['CQL2', [['filter', 'eo:cloud_cover >= 88']], ['s22', 's23', 's24']],
      ['a name that collections lack', [['filter', 'NOT (eo:cloud_cover < 88)']], ['s22', 's23', 's24']],
      ['IS NULL', [['filter', "eo:cloud_cover IS NULL AND name = 'tenth'"]], ['t00', 't10', 't20', 't30']],
      ['the collection', [['filter', "collection = 'scenes' AND eo:cloud_cover < 8"]], ['s00', 's01']],
      ['a filter on the properties', [['filter', '"properties.eo:cloud_cover" < 8']], ['s00', 's01']],
      [
        'CQL2 in JSON',
        [
          ['filter', '{"op":"=","args":[{"property":"id"},"s07"]}'],
          ['filter-lang', 'cql2-json'],
        ],
        ['s07'],
      ],
      ['query', [['query', '{"eo:cloud_cover":{"gte":84,"lt":92},"platform":{"endsWith":"2b"}}']], ['s21']],
      ['query with several values', [['query', '{"id":{"in":["s01","t05"]}}']], ['s01', 't05']],
      ['query of texts', [scenesOnly, ['query', '{"platform":{"contains":"el-2a"}}']], idsWith((i) => i % 2 === 0)],
      [
        'full text',
        [
          ['q', 'even'],
          ['filter', "id < 't05'"],
        ],
        ['t00', 't02', 't04'],
      ],
      [
        'several texts',
        [
          ['q', 'nothing,sentinel-2b'],
          ['filter', "id < 's05'"],
        ],
        ['s01', 's03'],
      ],
      [
        'all together',
        [
          ['bbox', '-180,-90,180,90'],
          ['datetime', '../2024-01-01T04:00:00Z'],
          ['filter', 'eo:cloud_cover > 8'],
        ],
        ['s03', 's04'],
      ],
    ])('%s', async (_name, parameters, expected) => {
      const found = await find(['limit', 100], ...parameters)
      expect(idsOf(found).toSorted()).toEqual(expected)
      expect(found.numberMatched).toBe(expected.length)
    })

    test('a body has the same', async () => {
      const found = await post({
        collections: ['scenes', 'things'],
        intersects: {
          type: 'Polygon',
          coordinates: [
            [
              [-61, -11],
              [-40, -11],
              [-40, 0],
              [-61, 0],
              [-61, -11],
            ],
          ],
        },
        datetime: '../2024-01-01T04:00:00Z',
        filter: { op: '>=', args: [{ property: 'eo:cloud_cover' }, 4] },
        query: { platform: { eq: 'sentinel-2b' } },
        sortby: [{ field: 'id', direction: 'asc' }],
      })
      expect(idsOf(found)).toEqual(['s01', 's03'])
    })

    test.each<[string, Given, RegExp]>([
      ['an unknown parameter', [['nope', 1]], /nope is not a parameter/],
      [
        'bbox and intersects',
        [
          ['bbox', '0,0,1,1'],
          ['intersects', '{"type":"Point","coordinates":[0,0]}'],
        ],
        /intersects/,
      ],
      ['a broken geometry', [['intersects', '{"type":"Point"}']], /intersects/],
      ['what is no JSON', [['intersects', '{']], /intersects/],
      ['a limit of zero', [['limit', 0]], /limit must be/],
      ['a day', [['datetime', '2024-01-01']], /datetime must be a time/],
      ['two open ends', [['datetime', '../..']], /datetime must be a time/],
      ['an end before the start', [['datetime', '2024-01-02T00:00:00Z/2024-01-01T00:00:00Z']], /end before it starts/],
      ['a name that no collection has', [['filter', 'nope = 1']], /names nope/],
      ['a hidden name', [['filter', "secret = 'hidden'"]], /names secret/],
      ['an order by nothing', [['sortby', 'nope']], /sortby must name/],
      ['an order by a hidden name', [['sortby', 'secret']], /sortby must name/],
      ['an order by geometry', [['sortby', 'geometry']], /sortby must not name geometries/],
      ['an unknown operator', [['query', '{"id":{"near":1}}']], /query\.id\.near/],
      ['a broken token', [['token', 'broken']], /token/],
      ['a token of something else', [['token', Buffer.from('["a",{}]').toString('base64url')]], /token/],
    ])('%s is refused', async (_name, parameters, message) => {
      const answer = await call(server.base, { path: withQuery('/stac/search', parameters) })
      expect([answer.status, answer.json()]).toEqual([
        400,
        expect.objectContaining({ code: expect.any(String), description: expect.stringMatching(message) }),
      ])
    })

    test.each<[string, object, RegExp]>([
      ['an unknown member', { nope: 1 }, /nope/],
      ['fields that are null', { fields: null }, /fields/],
      ['a filter of another language', { filter: 'id = 1', 'filter-lang': 'cql2-json' }, /filter/],
      ['a limit of zero', { limit: 0 }, /limit/],
      ['three numbers', { bbox: [1, 2, 3] }, /bbox/],
    ])('a body with %s is refused', async (_name, body, message) => {
      const answer = await call(server.base, { method: 'POST', path: '/stac/search', body })
      expect([answer.status, answer.text]).toEqual([400, expect.stringMatching(message)])
    })
  })

  test('fields of items', async () => {
    const members = async (fields: string) => {
      const [item] = (await find(['ids', 's03'], ['fields', fields])).features
      return [Object.keys(item ?? {}).sort(), Object.keys(item?.properties ?? {}).sort()]
    }
    const always = ['collection', 'id', 'links', 'type']
    expect(await members('geometry')).toEqual([[...always, 'geometry'].sort(), []])
    expect(await members('-properties,+properties.platform')).toEqual([[...always, 'properties'].sort(), ['platform']])
    expect(await members('-geometry,-properties.platform')).toEqual([
      [...always, 'assets', 'bbox', 'properties', 'stac_extensions', 'stac_version'].sort(),
      ['datetime', 'eo:cloud_cover', 'instruments', 'mission', 'unmapped'],
    ])
    expect((await members(''))[1]).toEqual(['datetime'])
  })

  test('items of one collection', async () => {
    const page = (await get('/stac/collections/things/items?limit=30&sortby=id')) as Items
    expect(page).toMatchObject({ numberMatched: COUNT - 1, numberReturned: 30 })
    const next = (await get(pathOf(hrefOf(page, 'next') ?? ''))) as Items
    expect([...idsOf(page), ...idsOf(next)]).toEqual(things.slice(0, -1).map(({ id }) => id))
    expect(await get('/stac/collections/things/items?collections=scenes')).toMatchObject({ numberMatched: 0 })
  })

  test('aggregations', async () => {
    const names = [
      ...['total_count', 'datetime_min', 'datetime_max', 'collection_frequency', 'datetime_frequency'],
      ...['platform_frequency', 'eo:cloud_cover_stats', 'geometry_geotile_grid_frequency'],
    ]
    const listed = (await get('/stac/aggregations')) as { readonly aggregations: readonly { readonly name: string }[] }
    expect(listed.aggregations.map(({ name }) => name)).toEqual(expect.arrayContaining(names))
    const path = withQuery('/stac/aggregate', [
      ['aggregations', names.join(',')],
      ['datetime_frequency_interval', 'day'],
      ['geometry_geotile_grid_frequency_precision', 1],
    ])
    const found = (await get(path)) as { readonly aggregations: readonly Readonly<Record<string, unknown>>[] }
    expect(found).toMatchObject({ type: 'AggregationCollection' })
    const [total, first, last, collections, times, platforms, clouds, tiles] = found.aggregations
    expect([total?.value, first?.value, last?.value]).toEqual([TOTAL, '2024-01-01T00:00:00Z', '2024-01-01T23:00:00Z'])
    expect(collections?.buckets).toMatchObject([
      { key: 'things', frequency: COUNT - 1 },
      { key: 'scenes', frequency: SCENES },
    ])
    expect(times?.buckets).toEqual([{ key: '2024-01-01T00:00:00Z', data_type: 'datetime', frequency: TOTAL - 1 }])
    expect(platforms?.buckets).toMatchObject([
      { key: 'sentinel-2a', frequency: 13 },
      { key: 'sentinel-2b', frequency: 12 },
    ])
    expect(clouds?.value).toEqual({ count: SCENES, min: 0, max: 96, avg: 48, sum: 1200 })
    expect(tiles?.buckets).toEqual(expect.arrayContaining([expect.objectContaining({ key: '1/0/0' })]))

    const chosen = (await get('/stac/aggregate?aggregations=datetime_frequency')) as typeof found
    expect(chosen.aggregations).toMatchObject([{ interval: 'hour', buckets: { length: 24 } }])
    const body = { aggregations: ['total_count'], filter: { op: '>', args: [{ property: 'eo:cloud_cover' }, 48] } }
    for (const where of ['/stac/aggregate', '/stac/collections/scenes/aggregate']) {
      const posted = await must(server.base, { method: 'POST', path: where, body })
      expect(posted).toMatchObject({ aggregations: [{ name: 'total_count', value: 12 }] })
    }
    for (const bad of ['aggregations=nope', 'aggregations=secret_frequency', 'datetime_frequency_interval=eon']) {
      expect((await call(server.base, { path: `/stac/aggregate?${bad}` })).status).toBe(400)
    }
    const many = Array.from({ length: 51 }, () => 'total_count').join(',')
    const refused = await call(server.base, { path: `/stac/aggregate?aggregations=${many}` })
    expect(refused.json()).toMatchObject({ code: 'LIMIT_EXCEEDED' })
    expect(refused.text).toContain('limits.stacAggregations')
  })

  test('a collection that may not be seen does not exist', async () => {
    const headers = { 'column-filter': 'scenes:*' }
    for (const path of ['', '/items', '/items/t01', '/queryables', '/aggregate', '/aggregations']) {
      const answer = await call(server.base, { path: `/stac/collections/things${path}`, headers })
      expect([path, answer.status, answer.json()]).toEqual([
        path,
        404,
        expect.objectContaining({ code: 'COLLECTION_NOT_FOUND' }),
      ])
    }
    for (const path of ['/stac', '/stac/collections', '/stac/search?limit=100', '/stac/aggregations']) {
      const answer = await call(server.base, { path, headers })
      expect([path, answer.status]).toEqual([path, 200])
      expect(answer.text).not.toContain('things')
    }
    const named = await call(server.base, { path: '/stac/search?filter=name=%27tenth%27', headers })
    expect(named.status).toBe(400)
  })

  test('a narrowed caller sees less', async () => {
    const headers = {
      'column-filter': 'things:name',
      'partition-filter': '{"things":{"f":[[{"field":"part.n","op":"eq","value":"3"}]]}}',
    }
    const answer = await call(server.base, { path: '/stac/search?limit=100&sortby=id', headers })
    const page = answer.json() as Items
    expect(idsOf(page)).toEqual(things.filter(({ part, seen }) => part.n === 3 && seen).map(({ id }) => id))
    expect(page.numberMatched).toBe(page.features.length)
    expect(Object.keys(page.features[0]?.properties ?? {}).sort()).toEqual(['datetime', 'name', 'seen'])
    for (const query of ['filter=part.n=3', 'sortby=part.n', 'query={"part.n":{"eq":3}}']) {
      expect((await call(server.base, { path: encodeURI(`/stac/search?${query}`), headers })).status).toBe(400)
    }
  })
})
