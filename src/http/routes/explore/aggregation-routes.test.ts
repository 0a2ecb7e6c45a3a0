import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadSample } from '../../../../test/conformance/fixtures.ts'
import { startEmbeddedServer } from '../../../../test/support/embedded-server.ts'
import { type Call, call, withQuery } from '../../../../test/support/http-client.ts'
import type { RunningServer } from '../../../../test/support/running-server.ts'

type Query = readonly (readonly [string, string])[]

let server: RunningServer

beforeAll(async () => {
  server = await startEmbeddedServer()
  await loadSample(server.base)
})
afterAll(() => server.stop())

const send = (path: string, more: Omit<Call, 'path'> = {}) =>
  call(server.base, { path: `/explore/geodata/${path}`, ...more })
const get = async (path: string, ...query: Query) => (await send(withQuery(path, query))).json()
const outcome = async (path: string, more: Omit<Call, 'path'> = {}) => {
  const answer = await send(path, more)
  const { error, message } = answer.json() as { error?: string; message?: string }
  return { status: answer.status, error, message }
}

describe('methods and paths', () => {
  it('come before documents of that name', async () => {
    for (const path of ['_aggregate', '_geoaggregate']) {
      expect(await outcome(path)).toMatchObject({ status: 400, error: 'INVALID_AGGREGATION' })
    }
    expect(await outcome('_compute')).toMatchObject({ status: 400, error: 'INVALID_PARAMETER' })
  })

  it.each([
    ['_aggregate', 'PUT', 'GET, HEAD, POST, OPTIONS'],
    ['_geoaggregate', 'DELETE', 'GET, HEAD, POST, OPTIONS'],
    ['_compute', 'PATCH', 'GET, HEAD, POST, OPTIONS'],
    ['_geoaggregate/yn', 'POST', 'GET, HEAD, OPTIONS'],
    ['_geoaggregate/2/2/1', 'POST', 'GET, HEAD, OPTIONS'],
    ['_suggest', 'POST', 'GET, HEAD, OPTIONS'],
  ])('%s refuses %s', async (path, method, allow) => {
    const answer = await send(path, { method, body: {} })
    expect([answer.status, answer.headers.allow]).toEqual([405, allow])
  })

  it('tell an unknown collection before anything else', async () => {
    for (const path of ['_aggregate', '_geoaggregate/a1', '_geoaggregate/x/0/0', '_compute', '_suggest?size=0']) {
      const answer = await call(server.base, { path: `/explore/nobody/${path}` })
      expect(answer.json()).toMatchObject({ status: 404, error: 'COLLECTION_NOT_FOUND' })
    }
    const several = await call(server.base, { path: '/explore/geodata,nobody/_suggest' })
    expect(several.json()).toMatchObject({ status: 404, error: 'COLLECTION_NOT_FOUND' })
  })
})

describe('bodies', () => {
  const job = { type: 'term', field: 'params.job' }

  it.each([
    ['_aggregate', { aggregations: [{ ...job, sizes: 3 }] }, 'aggregations[0].sizes'],
    ['_aggregate', { aggregations: [job], agg: ['term:params.job'] }, 'agg'],
    ['_geoaggregate', { aggregations: job }, 'aggregations'],
    ['_compute', { field: 'params.age', metric: 'max', size: 3 }, 'size'],
    ['_compute', { field: 3, metric: 'max' }, 'field'],
  ])('%s refuses %j', async (path, body, key) => {
    const { error, message } = await outcome(path, { method: 'POST', body })
    expect(error).toBe('INVALID_BODY')
    expect(message).toMatch(new RegExp(`^${key.replace(/[[\]]/g, '\\$&')} `))
  })

  it('are flat or pretty by themselves or by the query', async () => {
    const flat = { form: { flat: true, pretty: true }, aggregations: [{ ...job, size: 1 }] }
    const asked = { aggregations: [{ ...job, size: '1' }] }
    const [one, two] = [
      await send('_aggregate', { method: 'POST', body: flat }),
      await send('_aggregate?flat=true&pretty=true', { method: 'POST', body: asked }),
    ]
    expect(one.text).toContain('\n  "elements": [')
    const untimed = (text: string) => text.replace(/_time": \d+/g, '')
    expect(untimed(one.text)).toBe(untimed(two.text))
    expect(one.json()).toMatchObject({ elements: [{ flattened_elements: { key: 'Cost Estimator' } }] })
  })
})

describe('caching', () => {
  it('tags timed answers weakly, whatever the time, and keeps them as long as asked', async () => {
    for (const path of ['_aggregate?agg=term:params.job', '_compute?field=params.age&metric=avg']) {
      const first = await send(`${path}&max-age-cache=60`)
      expect(first.headers).toMatchObject({ 'cache-control': 'no-transform, max-age=60' })
      expect(first.headers.etag).toMatch(/^W\//)
      const again = await send(path, { headers: { 'if-none-match': first.headers.etag ?? '' } })
      expect([again.status, again.text]).toEqual([304, ''])
    }
    expect(await outcome('_aggregate?agg=term:params.job&max-age-cache=-1')).toMatchObject({ status: 400 })
  })

  it('tags features strongly', async () => {
    const answer = await send('_geoaggregate?agg=term:params.job:aggregated_geometries-centroid')
    expect(answer.headers.etag).toMatch(/^"/)
  })
})

describe('the order of checks', () => {
  it.each([
    ['_aggregate?f=params.job:eq&agg=foobar', 'INVALID_FILTER'],
    ['_aggregate?f=geo_params.nope:within:0,0,1,1&agg=foobar', 'INVALID_AGGREGATION'],
    ['_geoaggregate/2/2/9?agg=foobar', 'INVALID_PARAMETER'],
    ['_compute?f=geo_params.nope:within:0,0,1,1&field=params.age&metric=foo', 'INVALID_PARAMETER'],
  ])('%s', async (path, error) => {
    expect(await outcome(path)).toMatchObject({ status: 400, error })
  })
})

describe('buckets', () => {
  it('of times', async () => {
    const { elements, ...rest } = (await get('_aggregate', ['agg', 'datehistogram:interval-2minute'])) as {
      elements: unknown
    }
    expect(rest).toEqual({
      query_time: expect.any(Number),
      total_time: expect.any(Number),
      totalnb: 595,
      name: 'DateHistogram',
    })
    expect(elements).toEqual([
      { count: 46, key: 720_000, key_as_string: '1970-01-01-00:12:00' },
      { count: 187, key: 840_000, key_as_string: '1970-01-01-00:14:00' },
      { count: 202, key: 960_000, key_as_string: '1970-01-01-00:16:00' },
      { count: 139, key: 1_080_000, key_as_string: '1970-01-01-00:18:00' },
      { count: 21, key: 1_200_000, key_as_string: '1970-01-01-00:20:00' },
    ])
  })

  it('of seconds, most of them empty ones', async () => {
    const { elements } = (await get('_aggregate', ['agg', 'datehistogram:interval-1second:fetch_hits-1(id)'])) as {
      elements: { key: number; count: number; hits: unknown[] }[]
    }
    expect(elements).toHaveLength(501)
    expect(elements.map(({ key }) => key)).toEqual(Array.from({ length: 501 }, (_, i) => 763_000 + i * 1000))
    expect(elements.filter(({ count }) => count > 0)).toHaveLength(329)
    expect(elements.every(({ count, hits }) => hits.length === Math.min(count, 1))).toBe(true)
  })

  it('of a histogram in an empty one are none', async () => {
    const agg = ['datehistogram:interval-1second', 'histogram:params.age:interval-100', 'term:params.job']
    const answer = (await get('_aggregate', ...agg.map((text) => ['agg', text] as const), [
      'f',
      '$timestamp:range:[763600<775000]',
    ])) as { elements: { count: number; elements: unknown }[] }
    expect(answer.elements.find(({ count }) => count === 0)?.elements).toEqual([{ name: 'Histogram', elements: [] }])
  })

  it('beyond the limit are refused', async () => {
    const aggregations = [{ type: 'histogram', field: 'params.startdate', interval: { value: 0.5 } }]
    for (const { status, error, message } of [
      await outcome('_aggregate?agg=histogram:params.startdate:interval-0.5'),
      await outcome('_aggregate', { method: 'POST', body: { aggregations } }),
    ]) {
      expect([status, error]).toEqual([400, 'LIMIT_EXCEEDED'])
      expect(message).toMatch(/^aggregations .*65535.*limits\.buckets/)
    }
  })

  it('of unknown fields are none', async () => {
    expect(await get('_aggregate', ['agg', 'term:params.foo'], ['agg', 'term:params.job'])).toMatchObject({
      totalnb: 595,
      name: 'Umterms',
      sumotherdoccounts: 0,
      elements: [],
    })
    expect(await get('_geoaggregate', ['agg', 'term:params.foo:aggregated_geometries-bbox'])).toEqual({
      type: 'FeatureCollection',
      features: [],
    })
  })
})

describe('figures', () => {
  it.each([
    ['params.weight', 'sum', { totalnb: 271, metric: 'SUM', value: 374_900 }],
    ['params.startdate', 'Spanning', { totalnb: 595, metric: 'SPANNING', value: 500_000 }],
    ['$timestamp', 'min', { totalnb: 595, metric: 'MIN', value: 763_600 }],
    ['params.foo', 'geobbox', { totalnb: 0, metric: 'GEOBBOX' }],
    ['params.tags', 'cardinality', { totalnb: 0, metric: 'CARDINALITY' }],
  ])('%s %s', async (field, metric, answer) => {
    const found = await get('_compute', ['field', field], ['metric', metric])
    expect(found).toEqual({ query_time: expect.any(Number), total_time: expect.any(Number), field, ...answer })
    const body = { field, metric }
    const posted = (await send('_compute', { method: 'POST', body })).json()
    expect(posted).toMatchObject({ field, ...answer })
  })
})

describe('suggestions', () => {
  const suggest = async (collections: string, ...query: Query) => {
    const answer = await call(server.base, { path: withQuery(`/explore/${collections}/_suggest`, query) })
    return answer.json() as { suggestions?: { field: string; text: string; count: number; collection: string }[] }
  }
  const rows = async (collections: string, ...query: Query) =>
    (await suggest(collections, ...query)).suggestions?.map(({ text, count, collection }) => [text, count, collection])

  it('begin with the text, or one of their words does', async () => {
    expect(await suggest('geodata', ['field', 'params.job'], ['q', 'CO'], ['size', '1'])).toEqual({
      suggestions: [{ field: 'params.job', text: 'Cost Estimator', count: 64, collection: 'geodata' }],
    })
    expect(await rows('geodata', ['field', 'params.job'], ['q', 'est'])).toEqual([['Cost Estimator', 64, 'geodata']])
    expect(await rows('geodata', ['q', 'ic'])).toEqual([['ice', 117, 'geodata']])
  })

  it('are paged after they are ordered', async () => {
    const query: Query = [
      ['field', 'params.country'],
      ['q', 'a'],
    ]
    expect(await rows('geodata', ...query, ['size', '2'], ['from', '1'])).toEqual([
      ['Armenia', 60, 'geodata'],
      ['Aruba', 58, 'geodata'],
    ])
    expect(await rows('geodata', ...query, ['from', '100'])).toEqual([])
  })

  it('of several collections stand side by side, in path order', async () => {
    const query: Query = [
      ['field', 'params.job'],
      ['q', 'act'],
    ]
    expect(await rows('geodata_actor,geodata', ...query)).toEqual([
      ['Actor', 59, 'geodata_actor'],
      ['Actor', 59, 'geodata'],
    ])
    expect(await rows('geodata,geodata_actor', ...query, ['from', '1'], ['size', '1'])).toEqual([
      ['Actor', 59, 'geodata_actor'],
    ])
  })

  it('follow the filter, and leave hidden and unknown fields out', async () => {
    expect(await rows('geodata', ['field', 'params.job'], ['f', 'params.job:eq:Coach'])).toEqual([
      ['Coach', 58, 'geodata'],
    ])
    for (const field of ['params.city', 'params.foo']) expect(await rows('geodata', ['field', field])).toEqual([])
    expect(await rows('geodata', ['q', 'par'])).toEqual([])
  })

  it('have no flat form, so that parameter is an unknown one', async () => {
    expect(await rows('geodata', ['q', 'coach'], ['flat', 'maybe'])).toEqual([['Coach', 58, 'geodata']])
  })

  it.each([
    ['field=params.age', 'INVALID_PARAMETER'],
    ['field=params', 'INVALID_PARAMETER'],
    ['field=params.not_indexed', 'INVALID_PARAMETER'],
    ['size=0', 'INVALID_PARAMETER'],
    ['from=-1', 'INVALID_PARAMETER'],
    ['size=10001', 'LIMIT_EXCEEDED'],
    ['q=a&q=b', 'INVALID_PARAMETER'],
    ['f=params.job:eq', 'INVALID_FILTER'],
  ])('refuse %s', async (query, error) => {
    expect(await outcome(`_suggest?${query}`)).toMatchObject({ status: 400, error })
  })
})
