import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startEmbeddedServer } from '../support/embedded-server.ts'
import { call, must } from '../support/http-client.ts'
import { createIndex, putCollection } from '../support/index-loading.ts'
import type { RunningServer } from '../support/running-server.ts'

const mapping = {
  dynamic: false,
  properties: { id: { type: 'keyword' }, t: { type: 'date' }, place: { type: 'geo_point' }, kind: { type: 'keyword' } },
}
const params = {
  ...{ index_name: 'seen', id_path: 'id', geometry_path: 'place', centroid_path: 'place', timestamp_path: 't' },
}
const line = (id: number): string =>
  `{"index":{}}\n${JSON.stringify({ id: `d${id}`, t: id, place: [id % 90, id % 45], kind: `k${id % 3}` })}\n`

let server: RunningServer

beforeAll(async () => {
  server = await startEmbeddedServer({ 'cache.enabled': 'false' })
  await createIndex(server.base, 'seen', mapping, Array.from({ length: 50 }, (_, id) => line(id)).join(''))
  await putCollection(server.base, 'seen', params)
})
afterAll(() => server.stop())

const get = (path: string, headers: Record<string, string> = {}) => call(server.base, { path, headers })

/** Number of reads the engine has answered. */
async function reads(): Promise<number> {
  const text = String((await get('/metrics')).text)
  return [...text.matchAll(/^periplus_engine_answers_total\S* (\d+)$/gm)].reduce((sum, [, n]) => sum + Number(n), 0)
}

/** Asks three times with the tag of the answer; returns how many of these requests the engine answered. */
async function askAgain(path: string, headers: Record<string, string> = {}) {
  const first = await get(path, headers)
  expect([first.status, typeof first.headers.etag]).toEqual([200, 'string'])
  const before = await reads()
  const conditional = { ...headers, 'if-none-match': String(first.headers.etag) }
  const again = [await get(path, conditional), await get(path, conditional), await get(path, conditional)]
  return { first, again, asked: (await reads()) - before }
}

describe('a client that has the answer', () => {
  it.each([
    '/explore/seen/_count?f=kind:eq:k1',
    '/explore/seen/_search?size=20&sort=-t&max-age-cache=60',
    '/explore/seen/_geosearch?size=50&flat=true',
    '/explore/seen/_geosearch/0/0/0?size=50',
    '/explore/seen/_aggregate?agg=term:kind',
    '/explore/seen/_geoaggregate?agg=geohash:place:interval-2',
    '/explore/seen/_compute?field=t&metric=max',
    '/arlas/explore/seen/_count',
  ])('gets 304 without a read from the second time on: %s', async (path) => {
    for (const coding of ['identity', 'gzip']) {
      const { again, asked } = await askAgain(path, { 'accept-encoding': coding })
      expect(asked).toBe(coding === 'identity' ? 1 : 0)
      const [found, ...kept] = again.map(({ status, text, headers }) => {
        const { date, 'x-request-id': id, ...others } = headers
        return { status, text, ...others }
      })
      expect(found?.status).toBe(304)
      expect(kept).toEqual([found, found])
    }
  })

  it('gets the new answer after a write', async () => {
    const path = '/explore/seen/_count?f=t:gte:0'
    const { first } = await askAgain(path)
    await must(server.base, {
      method: 'POST',
      path: '/index/seen/_bulk?refresh=true',
      headers: { 'content-type': 'application/x-ndjson' },
      body: line(100),
    })
    const after = await get(path, { 'if-none-match': String(first.headers.etag) })
    expect([after.status, JSON.parse(after.text).totalnb]).toEqual([200, JSON.parse(first.text).totalnb + 1])
  })

  it('gets the answer to its own view', async () => {
    const path = '/explore/seen/_count?f=t:lt:40'
    const { first } = await askAgain(path)
    const narrowed = {
      'partition-filter': JSON.stringify({ seen: { f: [[{ field: 'kind', op: 'eq', value: 'k1' }]] } }),
    }
    const other = await get(path, { ...narrowed, 'if-none-match': String(first.headers.etag) })
    expect([other.status, JSON.parse(other.text).totalnb]).toEqual([200, 13])
  })

  it('gets the answer to a changed collection', async () => {
    const path = '/explore/seen/_search?size=3'
    const { first } = await askAgain(path)
    await putCollection(server.base, 'seen', { ...params, exclude_fields: 'kind' })
    const other = await get(path, { 'if-none-match': String(first.headers.etag) })
    await putCollection(server.base, 'seen', params)
    expect([first.text.includes('"kind"'), other.status, other.text.includes('"kind"')]).toEqual([true, 200, false])
  })

  it.each(['_count?f=t:lt:now', '_count?f=t:lt:%6eow', '_count?f=t:gt:0&profile=true'])(
    'is answered by the engine if the answer may differ: %s',
    async (path) => {
      const { again, asked } = await askAgain(`/explore/seen/${path}`)
      expect([asked, ...again.map(({ status }) => status)]).toEqual([3, 304, 304, 304])
    },
  )

  it('is told what its request got wrong, every time', async () => {
    const { again } = await askAgain('/explore/seen/_count?f=kindd:ne:x')
    for (const { status, headers } of again) {
      expect([status, headers['periplus-notice']]).toEqual([304, '"no field `kindd`; did you mean `kind`?"'])
    }
  })
})

it('a reference of a collection without index is read with If-None-Match', async () => {
  await createIndex(server.base, 'short', mapping, line(1))
  await putCollection(server.base, 'short', { ...params, index_name: 'short' })
  await must(server.base, { method: 'DELETE', path: '/index/short' })
  expect((await get('/collections/short', { 'if-none-match': '"x"' })).status).toBe(200)
})
