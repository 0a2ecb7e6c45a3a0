import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeEach, engines } from '../support/engines.ts'
import { must, withQuery } from '../support/http-client.ts'
import { createIndex, putCollection } from '../support/index-loading.ts'
import type { RunningServer } from '../support/running-server.ts'
import { decodedQuery } from './decoded-query.ts'
import { type Hits, idsOf } from './hits.ts'

const mappings = {
  dynamic: false,
  properties: {
    id: { type: 'keyword' },
    tag: { type: 'keyword' },
    big: { type: 'long' },
    x: { type: 'double' },
    small: { type: 'float' },
    on: { type: 'boolean' },
    ip: { type: 'ip' },
    seen: { type: 'date', format: 'dd/MM/yyyy HH:mm||yyyy-MM-dd||epoch_second' },
    day: { type: 'date', format: 'yyyyMMdd' },
    area: { type: 'geo_shape' },
    where: { type: 'geo_point' },
  },
}

/** JSON texts: a program would lose the last digits of `big`. */
const documents = [
  '{"id":"a,1","tag":["b","a"],"big":9007199254740993,"x":0.30000000000000004,"small":0.1,"on":true,"ip":"10.0.0.2","seen":"01/02/2024 10:30","day":"20240101","where":"1,1"}',
  String.raw`{"id":"b\\2","tag":"\\N","big":9007199254740994,"x":0.1,"small":16777217,"on":false,"ip":"::1","seen":"2024-02-01","day":20240102,"where":{"lat":10,"lon":20}}`,
  String.raw`{"id":"c/3","tag":"a\\,b","big":-9007199254740993,"x":-0.0,"ip":"2001:db8::1","seen":1706745600,"where":[20,10]}`,
  '{"id":"d 4","tag":"","big":9223372036854775807,"x":1e300,"small":-0.1,"where":"u09tunquc"}',
  String.raw`{"id":"e5","tag":["\uD83D\uDE00","\uFFFF"],"big":-9223372036854775808,"where":"nowhere at all"}`,
  String.raw`{"id":"f6","tag":"\t tab ","x":5e-324,"small":3.4028235e38,"where":[[0,0],[20,10]]}`,
  '{"tag":"no id","x":-1e300}',
]

/** What a sort gives, and its pages of one and two hits, forwards and back (spec 5.2). */
const orders: readonly (readonly [string, readonly (string | undefined)[]])[] = [
  ['tag,id', ['d 4', 'f6', 'b\\2', 'a,1', 'c/3', undefined, 'e5']],
  ['-tag,-id', ['e5', undefined, 'a,1', 'c/3', 'b\\2', 'f6', 'd 4']],
  ['big,id', ['e5', 'c/3', 'a,1', 'b\\2', 'd 4', 'f6', undefined]],
  ['-big,id', ['d 4', 'b\\2', 'a,1', 'c/3', 'e5', 'f6', undefined]],
  ['x,id', [undefined, 'c/3', 'f6', 'b\\2', 'a,1', 'd 4', 'e5']],
  ['-x,id', ['d 4', 'a,1', 'b\\2', 'f6', 'c/3', undefined, 'e5']],
  ['small,id', ['d 4', 'a,1', 'b\\2', 'f6', 'c/3', 'e5', undefined]],
  ['-small,-id', ['f6', 'b\\2', 'a,1', 'd 4', 'e5', 'c/3', undefined]],
  ['on,id', ['b\\2', 'a,1', 'c/3', 'd 4', 'e5', 'f6', undefined]],
  ['-ip,id', ['c/3', 'a,1', 'b\\2', 'd 4', 'e5', 'f6', undefined]],
  ['seen,id', ['b\\2', 'c/3', 'a,1', 'd 4', 'e5', 'f6', undefined]],
  ['-day,id', ['b\\2', 'a,1', 'c/3', 'd 4', 'e5', 'f6', undefined]],
]

/** Of several points the nearest counts ascending, the farthest descending; without a place last (spec 2.1.2, 5.2.3). */
const distances: readonly (readonly [string, readonly (string | undefined)[]])[] = [
  ['geodistance:10 20', ['b\\2', 'c/3', 'f6', 'a,1', 'd 4', 'e5', undefined]],
  ['-geodistance:10 20', ['d 4', 'f6', 'a,1', 'b\\2', 'c/3', 'e5', undefined]],
  ['geodistance:0 0,-id', ['f6', 'a,1', 'c/3', 'b\\2', 'd 4', 'e5', undefined]],
  ['-geodistance:-10 -160', ['b\\2', 'c/3', 'f6']],
]

const counts: readonly (readonly [string, number])[] = [
  ['x:eq:1e300', 1],
  ['x:gte:-1e300', 6],
  ['x:range:]-1e300<1e300]', 5],
  ['small:gte:1e38', 1],
  // a long list that begins with whole numbers
  [`x:eq:${Array.from({ length: 100 }, (_, i) => i + 1).join(',')},0.1,1e300,1e19`, 2],
  ['big:eq:9007199254740993', 1],
]

describeEach(engines)('pages of awkward values on the $name engine', (engine) => {
  let server: RunningServer
  beforeAll(async () => {
    server = await engine.start()
    const bulk = documents.map((text, i) => `{"index":{"_id":"${i}"}}\n${text}\n`).join('')
    await createIndex(server.base, 'awkward', mappings, bulk)
    const paths = { geometry_path: 'area', centroid_path: 'where', timestamp_path: 'seen' }
    await putCollection(server.base, 'awkward', { index_name: 'awkward', id_path: 'id', ...paths })
    await putCollection(server.base, 'numbered', { index_name: 'awkward', id_path: 'big', ...paths })
  })
  afterAll(() => server?.stop())

  const search = async (query: string, collection = 'awkward'): Promise<Hits> => {
    const path = withQuery(`/explore/${collection}/_search`, decodedQuery(query))
    return (await must(server.base, { path })) as Hits
  }
  const follow = async (hits: Hits, link: 'next' | 'previous'): Promise<Hits | undefined> => {
    const href = hits.links[link]?.href
    return href === undefined
      ? undefined
      : ((await must(server.base, { path: href.slice(server.base.length) })) as Hits)
  }

  test.each(orders)('sort=%s', async (sort, expected) => {
    expect(idsOf(await search(`sort=${sort}`))).toEqual(expected)
    for (const size of [1, 2]) {
      const forwards: unknown[] = []
      let last: Hits | undefined
      let page: Hits | undefined = await search(`sort=${sort}&size=${size}`)
      while (page !== undefined && forwards.length <= expected.length) {
        forwards.push(...idsOf(page))
        if (page.hits.length > 0) last = page
        page = await follow(page, 'next')
      }
      expect(forwards).toEqual(expected)
      const backwards = last === undefined ? [] : [...idsOf(last)]
      while (last !== undefined && backwards.length <= expected.length) {
        last = await follow(last, 'previous')
        backwards.unshift(...(last === undefined ? [] : idsOf(last)))
      }
      expect(backwards).toEqual(expected)
    }
  })

  test('what a sort repeats orders nothing and costs nothing', async () => {
    const page = await search(`sort=${'tag,-tag,'.repeat(1_000)}id&size=4`)
    expect(idsOf(page)).toEqual(['d 4', 'f6', 'b\\2', 'a,1'])
    const next = await follow(page, 'next')
    expect(next && idsOf(next)).toEqual(['c/3', undefined, 'e5'])
  })

  test.each(distances)('sort=%s', async (sort, expected) => {
    expect(idsOf(await search(`sort=${sort}`)).slice(0, expected.length)).toEqual(expected)
  })

  test.each(counts)('f=%s keeps %i', async (f, expected) => {
    expect((await search(`f=${f}`)).totalnb).toBe(expected)
  })

  test('an id beyond 2^53 is told with all its digits, and found by them', async () => {
    const page = await search('sort=big&size=3', 'numbered')
    expect(idsOf(page)).toEqual(['-9223372036854775808', '-9007199254740993', '9007199254740993'])
    const found = await must(server.base, { path: '/explore/numbered/9007199254740993' })
    expect(found).toMatchObject({ md: { id: '9007199254740993' }, data: { id: 'a,1' } })
  })
})
