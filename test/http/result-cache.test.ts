import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { must } from '../support/http-client.ts'
import { createIndex, loadBulk, putCollection } from '../support/index-loading.ts'
import { startTunedServer, type TunedServer } from './tuned-server.ts'

const mapping = { properties: { id: { type: 'keyword' }, at: { type: 'date' }, place: { type: 'geo_point' } } }
const params = {
  index_name: 'kept',
  id_path: 'id',
  geometry_path: 'place',
  centroid_path: 'place',
  timestamp_path: 'at',
}
const bulkOf = (...ids: string[]): string =>
  ids.map((id) => `{"index":{"_id":"${id}"}}\n${JSON.stringify({ id, at: 1, place: [1, 2] })}\n`).join('')

const start = async (settings: Readonly<Record<string, string>>): Promise<TunedServer> => {
  const server = await startTunedServer(settings)
  await createIndex(server.base, 'kept', mapping, bulkOf('a', 'b'))
  await putCollection(server.base, 'kept', params)
  return server
}

const count = (server: TunedServer): Promise<unknown> =>
  must(server.base, { path: '/explore/kept/_count?f=id:like:.*' })

describe('with kept answers', () => {
  let server: TunedServer

  beforeAll(async () => {
    server = await start({})
  })

  afterAll(async () => {
    await server.stop()
  })

  const figures = async (): Promise<unknown> => ({
    hits: await server.metric('periplus_cache_hits_total'),
    misses: await server.metric('periplus_cache_misses_total'),
    entries: await server.metric('periplus_cache_entries'),
    ratio: await server.metric('periplus_cache_hit_ratio'),
  })

  it('a load between two equal requests changes the answer, and a third is answered from memory', async () => {
    expect(await count(server)).toMatchObject({ totalnb: 2 })
    expect(await figures()).toEqual({ hits: 0, misses: 1, entries: 1, ratio: 0 })
    await loadBulk(server.base, 'kept', bulkOf('c'))
    expect(await count(server)).toMatchObject({ totalnb: 3 })
    expect(await figures()).toEqual({ hits: 0, misses: 2, entries: 1, ratio: 0 })
    expect(await count(server)).toMatchObject({ totalnb: 3 })
    expect(await figures()).toEqual({ hits: 1, misses: 2, entries: 1, ratio: 1 / 3 })
    expect(await server.metric('periplus_cache_bytes')).toBeGreaterThan(0)
  })

  it('every acknowledged load is counted', async () => {
    for (const id of ['d', 'e', 'f', 'g', 'h']) {
      const before = (await count(server)) as { totalnb: number }
      await loadBulk(server.base, 'kept', bulkOf(id))
      expect(await count(server)).toMatchObject({ totalnb: before.totalnb + 1 })
    }
  })

  it('GET and POST are the same question', async () => {
    await must(server.base, { path: '/explore/kept/_count?f=id:eq:a' })
    const before = await server.metric('periplus_cache_hits_total')
    const body = { filter: { f: [[{ op: 'eq', value: 'a', field: 'id' }]] } }
    expect(await must(server.base, { method: 'POST', path: '/explore/kept/_count', body })).toMatchObject({
      totalnb: 1,
    })
    expect(await server.metric('periplus_cache_hits_total')).toBe((before ?? 0) + 1)
  })
})

it('without, every request asks the engine and there are no figures', async () => {
  const server = await start({ 'cache.enabled': 'false' })
  try {
    expect(await count(server)).toMatchObject({ totalnb: 2 })
    expect(await count(server)).toMatchObject({ totalnb: 2 })
    expect(await server.metric('periplus_cache_hits_total')).toBeUndefined()
    expect(await server.metric('periplus_engine_reads_waiting')).toBe(0)
  } finally {
    await server.stop()
  }
})
