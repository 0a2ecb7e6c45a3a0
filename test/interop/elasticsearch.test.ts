import { afterAll, beforeAll, expect, test } from 'vitest'
import { greatCircle } from '../../src/geo/distance.ts'
import { describeEach, engines } from '../support/engines.ts'
import { call, must } from '../support/http-client.ts'
import type { RunningServer } from '../support/running-server.ts'
import { type Boat, boats, COUNT, loadBoats } from './elasticsearch-documents.ts'
import { queries, refused } from './elasticsearch-queries.ts'

interface Hit {
  readonly _index: string
  readonly _id: string
  readonly _score: number | null
  readonly _source?: Readonly<Record<string, unknown>>
  readonly sort?: readonly unknown[]
}
interface Hits {
  readonly hits: { readonly total?: unknown; readonly max_score: number | null; readonly hits: readonly Hit[] }
  readonly aggregations?: Readonly<Record<string, unknown>>
}

describeEach(engines)('the query language of Elasticsearch ($name)', (engine) => {
  let server: RunningServer
  beforeAll(async () => {
    server = await engine.start()
    await loadBoats(server.base)
  })
  afterAll(() => server?.stop())

  const find = async (body: object, parameters = ''): Promise<Hits> =>
    (await must(server.base, { method: 'POST', path: `/index/boats/_search${parameters}`, body })) as Hits
  const idsOf = ({ hits }: Hits): readonly string[] => hits.hits.map(({ _id }) => _id)

  test.each(queries)('%j', async (query, expected) => {
    const wanted = boats.filter(expected).map(({ _id }) => _id)
    const found = await find({ query, size: COUNT, sort: [{ _id: 'asc' }] })
    expect(idsOf(found)).toEqual(wanted)
    expect(found.hits.total).toEqual({ value: wanted.length, relation: 'eq' })
    const counted = await must(server.base, { method: 'POST', path: '/index/boats/_count', body: { query } })
    expect(counted).toMatchObject({ count: wanted.length })
  })

  test.each(refused)('%j is refused and names %s', async (body, member) => {
    const answer = await call(server.base, { method: 'POST', path: '/index/boats/_search', body })
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(member)])
    expect(answer.headers['x-elastic-product']).toBe('Elasticsearch')
  })

  test('a hit has what clients expect', async () => {
    const [first] = boats
    const { _id, ...source } = first ?? { _id: '' }
    const found = await find({ query: { term: { id: '0' } } })
    expect(found).toMatchObject({ timed_out: false, _shards: { total: 1, successful: 1, failed: 0 } })
    expect(found.hits).toEqual({
      total: { value: 1, relation: 'eq' },
      max_score: 1,
      hits: [{ _index: 'boats', _id, _score: 1, _source: source }],
    })
    const old = await find({ query: { term: { id: '0' } }, version: true }, '?rest_total_hits_as_int=true')
    expect(old.hits).toMatchObject({ total: 1, hits: [{ _version: 1 }] })
    expect((await find({ track_total_hits: false, size: 1 })).hits).not.toHaveProperty('total')
  })

  test('parameters of the URL', async () => {
    const path = '/index/boats/_search?q=kind:ship&sort=large:desc&size=2&from=1&_source_includes=large,part.n'
    const found = (await must(server.base, { path })) as Hits
    const ships = boats.filter(({ kind }) => kind === 'ship').toReversed()
    expect(found.hits.hits.map(({ _source }) => _source)).toEqual(
      ships.slice(1, 3).map(({ large, part }) => ({ large, part: { n: part.n } })),
    )
    expect(await must(server.base, { path: '/index/boats/_count?q=title:fox' })).toMatchObject({ count: COUNT / 2 })
    const filtered = await must(server.base, { path: `${path}&filter_path=hits.hits._id,hits.total.value` })
    expect(filtered).toEqual({
      hits: { total: { value: ships.length }, hits: ships.slice(1, 3).map(({ _id }) => ({ _id })) },
    })
  })

  test('sorts, with values for search_after', async () => {
    const order = [{ kind: 'desc' }, { level: { order: 'asc', missing: '_last' } }, '_score', { seen: 'desc' }, '_id']
    const expected = boats.toSorted(
      (a, b) =>
        (a.kind < b.kind ? 1 : a.kind > b.kind ? -1 : 0) ||
        (a.level ?? Infinity) - (b.level ?? Infinity) ||
        0 ||
        Date.parse(b.seen) - Date.parse(a.seen),
    )
    const ids = expected.map(({ _id }) => _id)
    const found: Hit[] = []
    for (let after: readonly unknown[] | undefined; found.length < COUNT; after = found.at(-1)?.sort) {
      const { hits } = await find({ size: 7, sort: order, ...(after === undefined ? {} : { search_after: after }) })
      if (hits.hits.length === 0) break
      found.push(...hits.hits)
    }
    expect(found.map(({ _id }) => _id)).toEqual(ids)
    const { kind, level = null, seen, _id } = expected[0] ?? boats[0] ?? ({} as Boat)
    expect(found[0]?.sort).toEqual([kind, level, 1, Date.parse(seen), _id])
    const pages = await Promise.all([0, 1, 2].map((page) => find({ size: 20, from: page * 20 })))
    expect(new Set(pages.flatMap(idsOf)).size).toBe(COUNT)
  })

  test('sorts by distance', async () => {
    const near = { _geo_distance: { place: { lat: 3, lon: 4 }, order: 'asc', unit: 'km' } }
    const found = await find({ size: COUNT, sort: [near], _source: false })
    const distances = boats
      .map(({ place: { lon, lat } }) => greatCircle(4, 3, lon, lat) / 1000)
      .toSorted((a, b) => a - b)
    for (const [i, { sort }] of found.hits.hits.entries()) expect(sort?.[0]).toBeCloseTo(distances[i] ?? 0, 6)
    expect(found.hits.hits[0]).not.toHaveProperty('_source')
  })

  test('returns parts of documents', async () => {
    const part = async (_source: unknown) =>
      (await find({ query: { ids: { values: ['b05'] } }, _source })).hits.hits[0]?._source
    expect(await part(['kind', 'pa*'])).toEqual({ kind: 'Plane', part: { n: 5, on: false } })
    expect(await part({ includes: ['part', 'place'], excludes: ['part.on', '*.lat'] })).toEqual({
      part: { n: 5 },
      place: { lon: -50 },
    })
    expect(await part({ excludes: ['s*', 't*', 'p*', 'a*', 'l*'] })).toEqual({ id: '5', kind: 'Plane' })
    const { hits } = await find({
      query: { ids: { values: ['b05'] } },
      _source: false,
      fields: ['tags', { field: 'part.*' }],
    })
    expect(hits.hits[0]).toMatchObject({ fields: { tags: ['red', 'green'], 'part.n': [5], 'part.on': [false] } })
  })

  test('post_filter does not change aggregations', async () => {
    const found = await find({
      size: COUNT,
      post_filter: { term: { kind: 'ship' } },
      aggs: { all: { value_count: { field: 'large' } } },
    })
    expect(found.hits.hits).toHaveLength(COUNT / 3)
    expect(found.aggregations).toEqual({ all: { value: COUNT } })
  })
})
