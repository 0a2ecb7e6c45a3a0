import { afterAll, beforeAll, expect, test } from 'vitest'
import { tagged } from '../http/tagging/tagging-client.ts'
import { describeEach } from '../support/engines.ts'
import { call, must, withQuery } from '../support/http-client.ts'
import { putCollection } from '../support/index-loading.ts'
import type { RunningServer } from '../support/running-server.ts'
import { collections } from './dataset.ts'
import { decodedQuery } from './decoded-query.ts'
import { sampleLayouts } from './sample-layouts.ts'

interface Level {
  readonly elements: readonly Bucket[]
}
interface Bucket {
  readonly key_as_string?: string
  readonly key: unknown
  readonly geometry?: unknown
  readonly geometries?: readonly { readonly geometry: unknown }[]
  readonly elements?: readonly Level[]
}

/** Aggregations of every type, and some of them nested. */
const aggregations: readonly (readonly string[])[] = [
  ['term:params.job'],
  ['term:params.age:size-20'],
  ['histogram:params.age:interval-2000'],
  ['datehistogram:interval-1minute'],
  ['geohash:geo_params.centroid:interval-1'],
  ['geotile:geo_params.geometry:interval-1'],
  ['geohex:geo_params.centroid:interval-0'],
  ['term:params.country:size-3', 'datehistogram:interval-2minute', 'geotile:geo_params.centroid:interval-1'],
]

/** What else an earlier revision had (see also earlier-filters and earlier-geometries). */
describeEach(sampleLayouts)('the earlier revision, $name', (layout) => {
  let server: RunningServer
  beforeAll(async () => {
    server = await layout.engine.start()
    await layout.load(server.base)
  })
  afterAll(() => server?.stop())

  const aggregate = (aggs: readonly string[], filter = ''): Promise<Level> =>
    must(server.base, {
      path: withQuery('/explore/geodata/_aggregate', [
        ...aggs.map((agg) => ['agg', agg] as const),
        ...decodedQuery(filter),
      ]),
    }) as Promise<Level>
  const withPart = (aggs: readonly string[], part: string): readonly string[] => aggs.map((agg) => `${agg}:${part}`)
  const geometriesIn = ({ elements }: Level): unknown[] =>
    elements.map(({ geometry, geometries, elements: nested = [] }) => [
      geometry ?? geometries?.[0]?.geometry ?? null,
      ...nested.map(geometriesIn),
    ])

  test.each(aggregations)('fetch_geometry of %s is the first of raw_geometries', async (...aggs) => {
    const cases = [
      ['first', 'params.startdate'],
      ['last', '-params.startdate'],
      ['params.age-first', 'params.age'],
      ['params.job-last', '-params.job'],
    ] as const
    for (const [earlier, sort] of cases) {
      const found = geometriesIn(await aggregate(withPart(aggs, `fetch_geometry-${earlier}`)))
      const raw = await aggregate(withPart(aggs, `raw_geometries-geo_params.geometry(${sort})`))
      expect(found).toEqual(geometriesIn(raw))
      expect(JSON.stringify(found)).toContain('Polygon')
    }
  })

  test.each(aggregations.filter((aggs) => aggs.length === 1))(
    'fetch_geometry of %s passes over documents without the field',
    async (...aggs) => {
      const heavy = await aggregate(
        withPart(aggs, 'raw_geometries-geo_params.geometry(-params.weight)'),
        'f=params.weight:gte:-100000',
      )
      const keyOf = ({ key, key_as_string }: Bucket): string => key_as_string ?? JSON.stringify(key)
      const expected = new Map(heavy.elements.map((b) => [keyOf(b), b.geometries?.[0]?.geometry]))
      const { elements } = await aggregate(withPart(aggs, 'fetch_geometry-params.weight-last'))
      // Which terms are the largest is another question with a filter.
      const shared = elements.filter((b) => b.geometry === null || expected.has(keyOf(b)))
      expect(shared.map((b) => b.geometry)).toEqual(shared.map((b) => expected.get(keyOf(b)) ?? null))
      expect(shared.some((b) => b.geometry !== null)).toBe(true)
    },
  )

  test('type_name of a collection is accepted and not kept', async () => {
    const body = { ...collections.geodata, index_name: layout.indexName, type_name: 'doc' }
    const { params } = (await putCollection(server.base, 'typed', body)) as { params: object }
    expect(params).not.toHaveProperty('type_name')
    const read = (await must(server.base, { path: '/collections/typed' })) as { params: object }
    expect(read.params).toEqual(params)
  })

  test.each(['q=ic', 'q=act&size=3', 'size=5'])('_suggest?%s without a field is about all of them', async (query) => {
    const suggest = (parameters: string): Promise<unknown> =>
      must(server.base, { path: withQuery('/explore/geodata/_suggest', decodedQuery(parameters)) })
    const found = (await suggest(query)) as { suggestions: readonly unknown[] }
    expect(found.suggestions.length).toBeGreaterThan(0)
    expect(found).toEqual(await suggest(`${query}&field=_all`))
    expect(JSON.stringify(await suggest('q=par'))).not.toContain('Paris')
  })

  test('a tag request of search and tag alone is complete', async () => {
    const search = { filter: { gwithin: ['-15,-15,15,15'], notpwithin: ['-5,-5,5,5'] } }
    const state = await tagged(server.base, 'geodata', { search, tag: { path: 'params.job', value: 'Sailor' } })
    expect(state).toMatchObject({ updated: 8, failed: 0 })
    const count = withQuery('/explore/geodata/_count', [['f', 'params.job:eq:Sailor']])
    await expect.poll(async () => (await call(server.base, { path: count })).text).toContain('"totalnb":8')
  })
})
