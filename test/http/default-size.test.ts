import { afterAll, beforeAll, expect, it } from 'vitest'
import { call, must } from '../support/http-client.ts'
import { createIndex, putCollection } from '../support/index-loading.ts'
import { startTunedServer, type TunedServer } from './tuned-server.ts'

const mapping = {
  properties: { id: { type: 'keyword' }, time: { type: 'date' }, place: { type: 'geo_point' } },
}

let server: TunedServer
beforeAll(async () => {
  server = await startTunedServer({ 'limits.size': '3', 'limits.buckets': '4' })
  const lines = Array.from({ length: 12 }, (_, i) => ({ id: `d${i}`, time: i, place: '1,2' })).map(
    (document) => `{"index":{}}\n${JSON.stringify(document)}\n`,
  )
  await createIndex(server.base, 'dozen', mapping, lines.join(''))
  const paths = { id_path: 'id', geometry_path: 'place', centroid_path: 'place', timestamp_path: 'time' }
  await putCollection(server.base, 'dozen', { index_name: 'dozen', ...paths })
})
afterAll(() => server.stop())

const get = (path: string): Promise<unknown> => must(server.base, { path })
const post = (path: string, body: unknown): Promise<unknown> => must(server.base, { method: 'POST', path, body })

it('a page without size has as many hits as the limit allows, at most 10', async () => {
  for (const answer of [
    await get('/explore/dozen/_search'),
    await post('/explore/dozen/_search', {}),
    await post('/explore/dozen/_search', { page: { from: 2 } }),
  ]) {
    expect(answer).toMatchObject({ nbhits: 3, totalnb: 12 })
  }
  for (const answer of [
    await get('/explore/dozen/_geosearch'),
    await get('/explore/dozen/_geosearch/0/0/0'),
    await post('/explore/dozen/_geosearch', { page: {} }),
  ]) {
    expect(answer).toMatchObject({ features: { length: 3 } })
  }
  expect((await call(server.base, { path: '/explore/dozen/_shapesearch' })).status).toBe(200)
})

it('links of such a page lead on', async () => {
  const first = await post('/explore/dozen/_search', { page: { sort: 'id' } })
  expect(first).toMatchObject({ links: { next: { body: { page: { size: 3 } } } } })
  const { links } = first as { readonly links: { readonly next: { readonly body: unknown } } }
  expect(await post('/explore/dozen/_search', links.next.body)).toMatchObject({ nbhits: 3 })
})

it('so it is with suggestions, documents of an index, and terms', async () => {
  expect(await get('/explore/dozen/_suggest?field=id')).toMatchObject({ suggestions: { length: 3 } })
  expect(await get('/index/dozen/_search')).toMatchObject({ hits: { hits: { length: 3 } } })
  expect(await get('/explore/dozen/_aggregate?agg=term:id')).toMatchObject({ elements: { length: 4 } })
  const aggregations = [{ type: 'term', field: 'id' }]
  expect(await post('/explore/dozen/_aggregate', { aggregations })).toMatchObject({ elements: { length: 4 } })
})

it('a size over the limit is refused as before', async () => {
  expect((await call(server.base, { path: '/explore/dozen/_search?size=10' })).status).toBe(400)
  expect((await call(server.base, { path: '/explore/dozen/_aggregate?agg=term:id:size-10' })).status).toBe(400)
})
