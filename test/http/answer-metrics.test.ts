import { afterAll, beforeAll, expect, test } from 'vitest'
import { must } from '../support/http-client.ts'
import { createIndex, putCollection } from '../support/index-loading.ts'
import { startTunedServer, type TunedServer } from './tuned-server.ts'

const mapping = {
  properties: {
    id: { type: 'keyword' },
    at: { type: 'date' },
    place: { type: 'geo_point' },
    serial: { type: 'long' },
  },
}
const params = {
  index_name: 'counted',
  id_path: 'id',
  geometry_path: 'place',
  centroid_path: 'place',
  timestamp_path: 'at',
}

let server: TunedServer
beforeAll(async () => {
  server = await startTunedServer({})
  const bulk = '{"index":{"_id":"a"}}\n{"id":"a","at":1,"place":[1,2],"serial":9007199254740993}\n'
  await createIndex(server.base, 'counted', mapping, bulk)
  await putCollection(server.base, 'counted', params)
})
afterAll(() => server.stop())

const kernel = 'periplus_engine_answers_total{path="kernel"}'
const sql = 'periplus_engine_answers_total{path="sql",reason="integers beyond 2^53"}'

async function growth(name: string, path: string): Promise<number> {
  const before = (await server.metric(name)) ?? 0
  await must(server.base, { path: `/explore/counted/${path}` })
  return ((await server.metric(name)) ?? 0) - before
}

test('metrics tell how many answers took a database query, and why, without naming fields', async () => {
  expect(await growth(kernel, '_search?f=id:eq:a')).toBe(1)
  expect(await growth(kernel, '_search?format=geojsonl')).toBe(1)
  expect(await server.metric(sql)).toBeUndefined()
  expect(await growth(sql, '_search?f=serial:gt:9007199254740992')).toBe(1)
  expect(await growth(sql, '_search?sort=serial')).toBe(1)
  expect(await growth(kernel, '_search?f=serial:gt:9007199254740992&format=geojsonl')).toBe(0)
  expect(await server.metric(sql)).toBe(3)
})
