import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeEach, engines } from '../support/engines.ts'
import { must } from '../support/http-client.ts'
import type { RunningServer } from '../support/running-server.ts'
import { type Boat, boats, COUNT, loadBoats } from './elasticsearch-documents.ts'

type Aggregations = Readonly<Record<string, unknown>>

const levelOf = ({ level }: Boat): number => level ?? Number.NaN
const levels = boats.map(levelOf).filter((level) => !Number.isNaN(level))
const sum = levels.reduce((all, one) => all + one, 0)

describeEach(engines)('aggregations in the language of Elasticsearch ($name)', (engine) => {
  let server: RunningServer
  beforeAll(async () => {
    server = await engine.start()
    await loadBoats(server.base)
  })
  afterAll(() => server?.stop())

  const aggregate = async (aggs: object, query: object = { match_all: {} }, parameters = ''): Promise<Aggregations> => {
    const body = { size: 0, query, aggs }
    const found = await must(server.base, { method: 'POST', path: `/index/boats/_search${parameters}`, body })
    return (found as { readonly aggregations: Aggregations }).aggregations
  }

  test('metrics', async () => {
    const of = (kind: string, field: string) => ({ [kind]: { field } })
    const found = await aggregate({
      stats: of('stats', 'level'),
      min: of('min', 'level'),
      count: of('value_count', 'tags'),
      kinds: of('cardinality', 'kind'),
      last: of('max', 'seen'),
      bounds: of('geo_bounds', 'place'),
      none: of('avg', 'none'),
      noStats: of('stats', 'none'),
    })
    const last = boats.at(-1)?.seen ?? ''
    expect(found).toEqual({
      stats: {
        count: levels.length,
        min: Math.min(...levels),
        max: Math.max(...levels),
        avg: sum / levels.length,
        sum,
      },
      min: { value: Math.min(...levels) },
      count: { value: boats.filter(({ tags }) => tags.length > 0).length },
      kinds: { value: 3 },
      last: { value: Date.parse(last), value_as_string: last },
      bounds: {
        bounds: {
          top_left: { lat: expect.closeTo(19.5, 5), lon: expect.closeTo(-60, 5) },
          bottom_right: { lat: expect.closeTo(-10, 5), lon: expect.closeTo(58, 5) },
        },
      },
      none: { value: null },
      noStats: { count: 0, min: null, max: null, avg: null, sum: 0 },
    })
  })

  test('terms, with metrics, other terms and filters in them', async () => {
    const found = await aggregate({
      kinds: {
        terms: { field: 'kind', size: 2, order: { most: 'desc' } },
        aggs: {
          most: { max: { field: 'large' } },
          on: { terms: { field: 'part.on' }, aggs: { n: { sum: { field: 'part.n' } } } },
          red: { filter: { term: { tags: 'red' } }, aggs: { large: { min: { field: 'large' } } } },
        },
      },
    })
    const bucket = (kind: string) => {
      const own = boats.filter((boat) => boat.kind === kind)
      const red = own.filter(({ tags }) => tags.includes('red'))
      const on = (is: boolean) => {
        const those = own.filter(({ part }) => part.on === is)
        const value = those.reduce((all, { part }) => all + part.n, 0)
        return { key: is ? 1 : 0, key_as_string: String(is), doc_count: those.length, n: { value } }
      }
      return {
        key: kind,
        doc_count: own.length,
        most: { value: Math.max(...own.map(({ large }) => large)) },
        on: { doc_count_error_upper_bound: 0, sum_other_doc_count: 0, buckets: [on(false), on(true)] },
        red: { doc_count: red.length, large: { value: Math.min(...red.map(({ large }) => large)) } },
      }
    }
    expect(found).toEqual({
      kinds: {
        doc_count_error_upper_bound: 0,
        sum_other_doc_count: COUNT / 3,
        buckets: [bucket('Plane'), bucket('ship')],
      },
    })
  })

  test('histograms with empty buckets', async () => {
    const query = { bool: { must_not: { range: { large: { gte: 10, lt: 40 } } } } }
    const found = await aggregate(
      {
        large: { histogram: { field: 'large', interval: 10 } },
        some: { histogram: { field: 'large', interval: 10, min_doc_count: 1, keyed: true } },
        months: { date_histogram: { field: 'seen', calendar_interval: 'month', format: 'yyyy-MM' } },
        days: { date_histogram: { field: 'seen', fixed_interval: '24h' }, aggs: { n: { avg: { field: 'large' } } } },
      },
      query,
    )
    const count = (key: number, doc_count: number) => ({ key, doc_count })
    const day = (key_as_string: string, doc_count: number, value: number | null) => ({
      key_as_string: `${key_as_string}T00:00:00.000Z`,
      key: Date.parse(key_as_string),
      doc_count,
      n: { value },
    })
    expect(found).toEqual({
      large: { buckets: [count(0, 10), count(10, 0), count(20, 0), count(30, 0), count(40, 10), count(50, 10)] },
      some: { buckets: { '0.0': count(0, 10), '40.0': count(40, 10), '50.0': count(50, 10) } },
      months: {
        buckets: [
          { key_as_string: '2024-01', key: Date.UTC(2024, 0, 1), doc_count: 18 },
          { key_as_string: '2024-02', key: Date.UTC(2024, 1, 1), doc_count: 12 },
        ],
      },
      days: { buckets: [day('2024-01-30', 10, 4.5), day('2024-01-31', 8, 43.5), day('2024-02-01', 12, 53.5)] },
    })
  })

  test('ranges, filters and missing values', async () => {
    const found = await aggregate({
      ranges: {
        range: { field: 'large', ranges: [{ to: 10 }, { from: 10, to: 30, key: 'some' }, { from: 30 }] },
        aggs: { kinds: { cardinality: { field: 'kind' } } },
      },
      dates: { date_range: { field: 'seen', ranges: [{ from: '2024-01-31', to: '2024-02-01' }] } },
      named: { filters: { filters: { red: { term: { tags: 'red' } }, ship: { term: { kind: 'ship' } } } } },
      listed: { filters: { filters: [{ match_all: {} }] } },
      missing: { missing: { field: 'level' } },
    })
    const kinds = { kinds: { value: 3 } }
    expect(found).toEqual({
      ranges: {
        buckets: [
          { key: '*-10.0', to: 10, doc_count: 10, ...kinds },
          { key: 'some', from: 10, to: 30, doc_count: 20, ...kinds },
          { key: '30.0-*', from: 30, doc_count: 30, ...kinds },
        ],
      },
      dates: {
        buckets: [
          {
            key: '2024-01-31T00:00:00.000Z-2024-02-01T00:00:00.000Z',
            from: Date.UTC(2024, 0, 31),
            from_as_string: '2024-01-31T00:00:00.000Z',
            to: Date.UTC(2024, 1, 1),
            to_as_string: '2024-02-01T00:00:00.000Z',
            doc_count: 24,
          },
        ],
      },
      named: { buckets: { red: { doc_count: 24 }, ship: { doc_count: 20 } } },
      listed: { buckets: [{ doc_count: COUNT }] },
      missing: { doc_count: 15 },
    })
  })

  test('grids, and names with kinds', async () => {
    const aggs = {
      hash: { geohash_grid: { field: 'place', precision: 1 } },
      tile: { geotile_grid: { field: 'place', precision: 2 }, aggs: { kinds: { terms: { field: 'kind' } } } },
    }
    const aggregations = await aggregate(aggs, { match_all: {} }, '?typed_keys=true')
    const [hash, tile] = [aggregations['geohash_grid#hash'], aggregations['geotile_grid#tile']] as readonly {
      readonly buckets: readonly { readonly key: string; readonly doc_count: number }[]
    }[]
    const total = (buckets: readonly { readonly doc_count: number }[] = []): number =>
      buckets.reduce((all, { doc_count }) => all + doc_count, 0)
    expect([total(hash?.buckets), total(tile?.buckets)]).toEqual([COUNT, COUNT])
    expect(hash?.buckets.map(({ key }) => key)).toEqual(['s', '7', 'e', '6', 't'])
    expect(tile?.buckets[0]).toMatchObject({ key: expect.stringMatching(/^2\/\d\/\d$/), 'sterms#kinds': {} })
  })
})
