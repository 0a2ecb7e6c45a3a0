import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeEach, type EngineUnderTest, engines } from '../support/engines.ts'
import { must, withQuery } from '../support/http-client.ts'
import { createIndex, putCollection } from '../support/index-loading.ts'
import type { RunningServer } from '../support/running-server.ts'
import { toBulk } from './dataset.ts'
import { decodedQuery } from './decoded-query.ts'
import { type Hits, idsOf } from './hits.ts'

const mappings = {
  dynamic: false,
  properties: {
    id: { type: 'keyword' },
    tag: { type: 'keyword' },
    n: { type: 'integer' },
    big: { type: 'long' },
    x: { type: 'float' },
    on: { type: 'boolean' },
    ip: { type: 'ip' },
    seen: { type: 'date' },
    text: { type: 'text' },
    where: { type: 'geo_point' },
    area: { type: 'geo_shape' },
    part: { properties: { n: { type: 'integer' } } },
    inner: { type: 'nested', properties: { n: { type: 'integer' } } },
  },
}

const box = (w: number, s: number, e: number, n: number): string =>
  `POLYGON ((${w} ${s}, ${e} ${s}, ${e} ${n}, ${w} ${n}, ${w} ${s}))`

const documents = [
  {
    id: 'many',
    tag: ['a', 'b', 'a'],
    n: [1, 10],
    big: ['9007199254740993'],
    x: 0.1,
    on: [true, false],
    ip: ['10.0.0.1', '2001:db8::1'],
    seen: ['2024-01-01', '2024-06-01T12:00:00Z'],
    text: ['quick brown', 'fox jumps'],
    where: [
      [0, 0],
      [50, 50],
    ],
    area: [box(0, 0, 10, 10), box(20, 20, 30, 30)],
    part: [{ n: 1 }, { n: [2, 3] }],
    inner: [{ n: 1 }],
  },
  {
    id: 'one',
    tag: 'b',
    n: 5,
    big: 7,
    x: 0.5,
    on: false,
    ip: '10.0.0.2',
    seen: '2024-01-01T10:00:00Z',
    text: 'brown fox',
  },
  { id: 'dots', 'part.n': 9, tag: [], n: null, where: { type: 'Point', coordinates: [1, 1] }, area: box(0, 0, 1, 1) },
  { id: 'none', tag: null, part: { n: [] }, where: 'nowhere at all', area: 'POLYGON EMPTY' },
]

/** OpenSearch refuses more than one value of a geo_shape: its documents hold the collection they count as. */
function documentsFor({ name }: EngineUnderTest): readonly { readonly id?: unknown }[] {
  if (name === 'embedded') return documents
  const collected = (area: unknown): unknown => (Array.isArray(area) ? `GEOMETRYCOLLECTION(${area.join(',')})` : area)
  return documents.map((d) => ('area' in d ? { ...d, area: collected(d.area) } : d))
}

/** Spec 2.1, 2.3.2: what holds for a field with several values, and for one without. */
const cases: readonly (readonly [string, readonly string[]])[] = [
  ['f=tag:eq:a', ['many']],
  ['f=tag:eq:b', ['many', 'one']],
  ['f=tag:ne:a', ['dots', 'none', 'one']],
  ['f=tag:ne:a,b', ['dots', 'none']],
  ['f=tag:like:^b$', ['many', 'one']],
  ['f=tag:gt:a', ['many', 'one']],
  ['f=n:gt:6', ['many']],
  ['f=n:lt:2', ['many']],
  // one and the same value must satisfy both bounds
  ['f=n:range:[4<6]', ['one']],
  ['f=n:range:[4<6],[9<11]', ['many', 'one']],
  // two triplets may be satisfied by two values
  ['f=n:gt:6&f=n:lt:2', ['many']],
  ['f=n:eq:1.0', ['many']],
  ['f=n:eq:1.5', []],
  ['f=n:ne:5', ['dots', 'many', 'none']],
  ['f=big:eq:9007199254740993', ['many']],
  ['f=big:eq:9007199254740992', []],
  ['f=big:gt:9007199254740992', ['many']],
  ['f=x:eq:0.1', ['many']],
  ['f=x:gt:0.1', ['one']],
  ['f=on:eq:TRUE', ['many']],
  ['f=on:eq:false', ['many', 'one']],
  ['f=on:ne:true', ['dots', 'none', 'one']],
  ['f=ip:eq:2001:0db8:0:0:0:0:0:1', ['many']],
  ['f=ip:eq:10.0.0.1,10.0.0.2', ['many', 'one']],
  ['f=ip:ne:10.0.0.1', ['dots', 'none', 'one']],
  ['f=seen:eq:2024-01-01', ['many', 'one']],
  ['f=seen:eq:2024-06', ['many']],
  ['f=seen:eq:2024-01-01T10:00', ['one']],
  ['f=seen:range:[2024-01-02<2024-05-31]&dateformat=yyyy-MM-dd', []],
  // tokens of one value, never across two
  ['f=text:like:quick bro', ['many']],
  ['f=text:like:brown fox', ['one']],
  ['f=text:eq:brown fox', ['many', 'one']],
  ['q=text:brown fox', ['many', 'one']],
  ['q=text:"brown fox"', ['one']],
  ['f=where:within:-1,-1,0.5,0.5', ['many']],
  ['f=where:intersects:49,49,51,51', ['many']],
  ['f=where:within:-1,-1,2,2', ['dots', 'many']],
  ['f=where:notwithin:-1,-1,2,2', ['none', 'one']],
  ['f=where:notintersects:49,49,51,51', ['dots', 'none', 'one']],
  // several shapes count as one collection
  ['f=area:within:-1,-1,11,11', ['dots']],
  ['f=area:within:-1,-1,31,31', ['dots', 'many']],
  ['f=area:intersects:25,25,26,26', ['many']],
  ['f=area:notwithin:-1,-1,11,11', ['many', 'none', 'one']],
  ['f=area:notintersects:-1,-1,11,11', ['none', 'one']],
  // arrays along the path are transparent; a key with dots names the same path
  ['f=part.n:eq:3', ['many']],
  ['f=part.n:eq:9', ['dots']],
  ['f=part.n:ne:3', ['dots', 'none', 'one']],
  ['f=part.n:gte:0', ['dots', 'many']],
]

const orders: readonly (readonly [string, readonly string[]])[] = [
  ['n,id', ['many', 'one', 'dots', 'none']],
  ['-n,id', ['many', 'one', 'dots', 'none']],
  ['tag,id', ['many', 'one', 'dots', 'none']],
  ['-tag,id', ['many', 'one', 'dots', 'none']],
  ['-tag,-id', ['one', 'many', 'none', 'dots']],
  ['on,-id', ['one', 'many', 'none', 'dots']],
  ['-on,id', ['many', 'one', 'dots', 'none']],
  ['seen,id', ['many', 'one', 'dots', 'none']],
  ['-seen,id', ['many', 'one', 'dots', 'none']],
  ['part.n,id', ['many', 'dots', 'none', 'one']],
  ['-part.n,id', ['dots', 'many', 'none', 'one']],
  ['ip,id', ['many', 'one', 'dots', 'none']],
]

describeEach(engines)('several values and none on the $name engine', (engine) => {
  let server: RunningServer
  beforeAll(async () => {
    server = await engine.start()
    await createIndex(server.base, 'several', mappings, toBulk(documentsFor(engine)))
    const paths = { id_path: 'id', geometry_path: 'area', centroid_path: 'where', timestamp_path: 'seen' }
    await putCollection(server.base, 'several', { index_name: 'several', ...paths })
  })
  afterAll(() => server?.stop())

  const search = async (query: string): Promise<Hits> => {
    const path = withQuery('/explore/several/_search', decodedQuery(query))
    return (await must(server.base, { path })) as Hits
  }

  test.each(cases)('%s keeps %j', async (query, expected) => {
    const hits = await search(query)
    expect(idsOf(hits)).toEqual(expected)
    expect(hits.totalnb).toBe(expected.length)
  })

  test.each(orders)('sort=%s gives %j', async (sort, expected) => {
    expect(idsOf(await search(`sort=${sort}`))).toEqual(expected)
  })

  test.each(orders)('sort=%s: pages of one, forwards and backwards', async (sort, expected) => {
    const seen: unknown[] = []
    let hits = await search(`sort=${sort}&size=1`)
    while (hits.hits.length > 0) {
      seen.push(...idsOf(hits))
      const next = hits.links.next
      if (next === undefined) break
      hits = (await must(server.base, { path: next.href.slice(server.base.length) })) as Hits
    }
    expect(seen).toEqual(expected)
  })

  test('md takes the first value; data is the document as it was loaded, nulls left out', async () => {
    const [hit] = (await search('f=id:eq:many')).hits
    expect(hit?.md).toMatchObject({
      id: 'many',
      timestamp: Date.UTC(2024, 0, 1),
      centroid: { type: 'Point', coordinates: [0, 0] },
      geometry: { type: engine.name === 'embedded' ? 'Polygon' : 'GeometryCollection' },
    })
    const [empty] = (await search('f=id:eq:none')).hits
    expect(empty?.md).toEqual({ id: 'none' })
    expect(empty?.data).not.toHaveProperty('tag')
  })

  test.each(['inner.n:eq:1', 'inner:eq:1'])('f=%s: a nested field cannot be used', async (f) => {
    const answer = await fetch(`${server.base}/explore/several/_count?f=${f}`)
    expect(answer.status).toBe(400)
  })
})
