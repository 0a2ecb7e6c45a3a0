import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeEach, engines } from '../support/engines.ts'
import { type Answer, call, must, withQuery } from '../support/http-client.ts'
import { putCollection } from '../support/index-loading.ts'
import type { RunningServer } from '../support/running-server.ts'
import { collections } from './dataset.ts'
import { decodedQuery } from './decoded-query.ts'
import { loadSample } from './fixtures.ts'
import type { Hits, Link } from './hits.ts'

const COUNT = '/explore/geodata/_count'
const shape = 'geo_params.geometry'
const point = 'geo_params.centroid'
const ring = 'POLYGON((-5 -5,5 -5,5 5,-5 5,-5 -5))'
const clockwise = 'POLYGON((-5 -5,-5 5,5 5,5 -5,-5 -5))'

/** The parameter as the earlier revision has it, the same as f, and how many documents match. */
const examples: readonly (readonly [name: string, earlier: string, current: string, total: number])[] = [
  ['inside a box', 'gwithin=-5,-5,5,5', `f=${shape}:within:-5,-5,5,5`, 1],
  ['inside a polygon', `gwithin=${ring}`, `f=${shape}:within:${ring}`, 1],
  ['not inside a box', 'notgwithin=-5,-5,5,5', `f=${shape}:notwithin:-5,-5,5,5`, 594],
  ['not inside a polygon', `notgwithin=${ring}`, `f=${shape}:notwithin:${ring}`, 594],
  ['meets a box', 'gintersect=1,1,9,9', `f=${shape}:intersects:1,1,9,9`, 4],
  ['meets a line', 'gintersect=LINESTRING(165 0,195 0)', `f=${shape}:intersects:LINESTRING(165 0,195 0)`, 2],
  ['does not meet a box', 'notgintersect=1,1,9,9', `f=${shape}:notintersects:1,1,9,9`, 591],
  ['point in a box', 'pwithin=-10,-10,10,10', `f=${point}:within:-10,-10,10,10`, 9],
  ['point in a box over the antimeridian', 'pwithin=165,-5,-165,5', `f=${point}:within:165,-5,-165,5`, 2],
  ['point not in a box', 'notpwithin=-10,-10,10,10', `f=${point}:notwithin:-10,-10,10,10`, 586],
  ['one of two areas', 'gwithin=-5,-5,5,5;15,-5,25,5', `f=${shape}:within:-5,-5,5,5;${shape}:within:15,-5,25,5`, 2],
  [
    'both of two parameters',
    'pwithin=-10,-10,10,10&pwithin=0,0,20,20',
    `f=${point}:within:-10,-10,10,10&f=${point}:within:0,0,20,20`,
    4,
  ],
  [
    'beside f, q and one another',
    'gintersect=-20,-20,20,20&notpwithin=-5,-5,5,5&f=params.job:eq:Coach,Actor,Architect&q=fullname:name',
    `f=${shape}:intersects:-20,-20,20,20&f=${point}:notwithin:-5,-5,5,5&f=params.job:eq:Coach,Actor,Architect&q=fullname:name`,
    8,
  ],
  ['a complement', `gwithin=${clockwise}`, `f=${shape}:within:${clockwise}`, 34],
  ['righthand=false', `gwithin=${clockwise}&righthand=false`, `f=${shape}:within:${clockwise}&righthand=false`, 1],
  ['names in any case', 'GWithin=-5,-5,5,5', `f=${shape}:within:-5,-5,5,5`, 1],
  ['blank is absent', 'gwithin=&pwithin= &notgwithin=;', '', 595],
]

/** Every GET that takes f, without its filter. */
const operations: readonly string[] = [
  '_count',
  '_search?size=20&sort=-params.startdate,id',
  '_search?format=csv',
  '_search?format=geojsonl',
  '_geosearch?size=20&flat=true',
  '_geosearch/1/1/0',
  '_aggregate?agg=term:params.job&agg=datehistogram:interval-1minute',
  '_geoaggregate?agg=geotile:geo_params.centroid:interval-2',
  '_geoaggregate/s',
  '_geoaggregate/1/1/0',
  '_compute?field=params.age&metric=sum',
  '_suggest?q=c',
  '_shapesearch?size=20',
  '_shapeaggregate?agg=geohash:geo_params.centroid:interval-1',
  '_tile/0/0/0.png',
  '_mvt/0/0/0.mvt',
  '_mvt',
]

const refusals: readonly (readonly [query: string, error: string, message: RegExp])[] = [
  ['gwithin=nowhere', 'INVALID_GEOMETRY', /gwithin.* must be a bbox west,south,east,north or WKT/],
  ['notgwithin=POLYGON((0 0,1 1,0 0))', 'INVALID_GEOMETRY', /notgwithin/],
  ['gintersect=-5,-5,5,5;0,10,10,0', 'INVALID_GEOMETRY', /gintersect.* north/],
  ['notgintersect=0,0,1', 'INVALID_GEOMETRY', /notgintersect/],
  ['pwithin=POINT(0 0)', 'INVALID_GEOMETRY', /pwithin.* must be a bbox west,south,east,north, got/],
  [`notpwithin=${ring}`, 'INVALID_GEOMETRY', /notpwithin.* must be a bbox west,south,east,north, got/],
  ['pwithin=-200,0,0,1', 'INVALID_GEOMETRY', /pwithin/],
]

const names = /^(not)?([gp]within|gintersect)$/i

/** The parameters as members of a filter. */
function memberFilter(query: string): Record<string, string[]> {
  const filter: Record<string, string[]> = {}
  for (const [name, value] of decodedQuery(query)) {
    if (!names.test(name)) continue
    filter[name.toLowerCase()] = [...(filter[name.toLowerCase()] ?? []), value]
  }
  return filter
}

const isMemberExample = (query: string): boolean => decodedQuery(query).every(([name]) => names.test(name))

describeEach(engines)('geometry filters of the earlier revision on the $name engine', (engine) => {
  let server: RunningServer
  beforeAll(async () => {
    server = await engine.start()
    await loadSample(server.base)
    // Without addresses of images, pictures are drawn.
    const { raster_tile_url: _, ...drawn } = collections.geodata
    await putCollection(server.base, 'drawn', drawn)
  })
  afterAll(() => server?.stop())

  const get = (path: string, query: string): Promise<Answer> => {
    const [route = '', own = ''] = path.split('?')
    const all = [own, query].filter((text) => text !== '').join('&')
    return call(server.base, { path: withQuery(route, decodedQuery(all)) })
  }
  const post = (path: string, body: unknown): Promise<unknown> => must(server.base, { method: 'POST', path, body })

  test.each(examples)('%s: ?%s', async (_, earlier, current, total) => {
    expect((await get(COUNT, earlier)).json()).toMatchObject({ totalnb: total })
    expect((await get(COUNT, current)).json()).toMatchObject({ totalnb: total })
  })

  test.each(examples.filter(([, earlier]) => isMemberExample(earlier)))(
    '%s, as members of a body: %s',
    async (...example) => {
      const [, earlier, , total] = example
      const filter = memberFilter(earlier)
      expect(await post(COUNT, { filter })).toMatchObject({ totalnb: total })
      expect(await post(COUNT, { partitionFilter: [filter] })).toMatchObject({ totalnb: total })
    },
  )

  describe.each(operations)('%s', (operation) => {
    test.each([
      ['gintersect=-40,-40,60,30', `f=${shape}:intersects:-40,-40,60,30`],
      ['pwithin=-40,-40,60,30', `f=${point}:within:-40,-40,60,30`],
    ])('?%s answers as ?%s', async (earlier, current) => {
      const path = `/explore/drawn/${operation}`
      const [a, b, all] = [await get(path, earlier), await get(path, current), await get(path, '')]
      expect([a.status, b.status]).toEqual([200, 200])
      expect(comparable(a)).toEqual(comparable(b))
      expect(comparable(a)).not.toEqual(comparable(all))
    })
  })

  test.each(refusals)('%s is refused with %s', async (query, error, message) => {
    const refusal = { status: 400, error, message: expect.stringMatching(message) }
    expect((await get(COUNT, query)).json()).toEqual(refusal)
    const answer = await call(server.base, { method: 'POST', path: COUNT, body: { filter: memberFilter(query) } })
    expect(answer.json()).toEqual(refusal)
    const [name = ''] = Object.keys(memberFilter(query))
    expect(answer.text).toContain(`filter.${name}[0]`)
  })

  test.each<[string, unknown]>([
    ['filter.gwithin', { gwithin: '0,0,1,1' }],
    ['filter.pwithin[0]', { pwithin: [3] }],
    ['filter.gwithin[1]', { gwithin: ['0,0,1,1', ['0,0,1,1']] }],
    ['filter.pintersect', { pintersect: ['0,0,1,1'] }],
  ])('a body with a wrong %s is refused', async (path, filter) => {
    const answer = await call(server.base, { method: 'POST', path: COUNT, body: { filter } })
    expect(answer.json()).toMatchObject({ status: 400, error: 'INVALID_BODY', message: expect.stringContaining(path) })
  })

  test('links carry them, in GET and in POST', async () => {
    const path = '/explore/geodata/_search'
    const query = 'pwithin=-20,-20,20,20&sort=id&size=10'
    const walk = async (first: Hits): Promise<readonly string[]> => {
      const found = first.hits.map((hit) => String(hit.md.id))
      const { next } = first.links
      return next === undefined ? found : [...found, ...(await walk(await follow(next)))]
    }
    const follow = async ({ href, method, body }: Link): Promise<Hits> =>
      (await must(server.base, { method, path: href.slice(server.base.length), body })) as Hits
    const first = (await get(path, query)).json() as Hits
    expect(first.links.self?.href).toContain('pwithin=')
    expect(await walk(first)).toHaveLength(25)
    const body = { filter: { pwithin: ['-20,-20,20,20'] }, page: { sort: 'id', size: 10 } }
    expect(await walk((await post(path, body)) as Hits)).toEqual(await walk(first))
  })

  test('the address of vector tiles keeps them', async () => {
    const { tiles } = (await get('/explore/geodata/_mvt', 'notgwithin=0,0,9,9')).json() as { tiles: string[] }
    expect(tiles[0]).toContain('notgwithin=')
  })

  test('two areas are two answers, also for caches', async () => {
    const small = await get(COUNT, 'gwithin=-5,-5,5,5')
    const large = await get(COUNT, 'gwithin=-15,-15,15,15')
    expect([small.json(), large.json()]).toMatchObject([{ totalnb: 1 }, { totalnb: 9 }])
    const { etag = '' } = small.headers
    expect(large.headers.etag).not.toBe(etag)
    const revalidate = (query: string): Promise<Answer> =>
      call(server.base, { path: withQuery(COUNT, decodedQuery(query)), headers: { 'if-none-match': etag } })
    expect((await revalidate('gwithin=-5,-5,5,5')).status).toBe(304)
    expect((await revalidate('gwithin=-15,-15,15,15')).status).toBe(200)
  })

  test('the header partition-filter narrows by them', async () => {
    const headers = { 'partition-filter': '{"pwithin":["-10,-10,10,10"],"notgwithin":["-5,-5,5,5"]}' }
    expect((await call(server.base, { path: COUNT, headers })).json()).toMatchObject({ totalnb: 8 })
    const bad = { 'partition-filter': '{"pwithin":["POINT(1 1)"]}' }
    const refused = await call(server.base, { path: COUNT, headers: bad })
    expect(refused.json()).toMatchObject({ status: 400, error: 'INVALID_GEOMETRY' })
    expect(refused.text).not.toContain('POINT')
  })

  test('a caller with a column filter may use them', async () => {
    const headers = { 'column-filter': 'params.job' }
    const path = withQuery(COUNT, decodedQuery('gwithin=-15,-15,15,15&pwithin=-5,-5,5,5'))
    expect((await call(server.base, { path, headers })).json()).toMatchObject({ totalnb: 1 })
  })

  test('the filter of a collection may have them', async () => {
    const params = { ...collections.geodata, filter: { gwithin: ['-15,-15,15,15'] } }
    const stored = await putCollection(server.base, 'geodata_near', params)
    expect(stored).toMatchObject({ params: { filter: { gwithin: ['-15,-15,15,15'] } } })
    expect((await get('/explore/geodata_near/_count', '')).json()).toMatchObject({ totalnb: 9 })
    const bad = { ...collections.geodata, filter: { pwithin: ['POINT(1 1)'] } }
    const refused = await call(server.base, { method: 'PUT', path: '/collections/geodata_bad', body: bad })
    expect(refused.json()).toMatchObject({ status: 400, error: 'INVALID_GEOMETRY' })
    expect(refused.text).toContain('filter.pwithin[0]')
  })

  test('they are about the paths of the collection', async () => {
    const places = { geometry_path: 'geo_params.second_geometry', centroid_path: 'geo_params.other_geopoint' }
    await putCollection(server.base, 'geodata_shifted', { ...collections.geodata, ...places })
    const count = async (query: string): Promise<unknown> =>
      (await get('/explore/geodata_shifted/_count', query)).json()
    // Everything lies six degrees north-east of its first place.
    expect(await count('gwithin=-1,-1,1,1')).toMatchObject({ totalnb: 0 })
    expect(await count('gwithin=5,5,7,7')).toMatchObject({ totalnb: 1 })
    expect(await count('pwithin=0,0,5,5')).toMatchObject({ totalnb: 0 })
    expect(await count('pwithin=6,6,16,16')).toMatchObject({ totalnb: 4 })
  })
})

/** An answer without what differs from call to call, or names the request. */
function comparable({ text, bytes, headers }: Answer): unknown {
  const type = headers['content-type'] ?? ''
  if (!type.startsWith('application/json')) return type.startsWith('text') ? text : bytes.toString('base64')
  const { query_time: _, total_time: __, links: ___, tiles: ____, ...rest } = JSON.parse(text)
  return rest
}
