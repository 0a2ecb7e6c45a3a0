import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startClusterServer } from '../support/cluster-server.ts'
import { clusterUrl } from '../support/cluster-url.ts'
import type { RunningServer } from '../support/running-server.ts'
import { startWatchingProxy, type WatchingProxy } from '../support/watching-proxy.ts'

const json = { 'content-type': 'application/json' }

/** What a request costs on a cluster, in calls: one search, while the reference of the collection is known. */
describe.each([
  { collection: 'one', index: 'a' },
  { collection: 'several', index: '*' },
])('a collection of $collection', ({ collection, index }) => {
  let proxy: WatchingProxy
  let server: RunningServer

  const put = async (path: string, body: unknown): Promise<void> => {
    const answer = await fetch(`${server.base}${path}`, { method: 'PUT', headers: json, body: JSON.stringify(body) })
    expect(answer.status, await answer.text()).toBeLessThan(300)
  }

  beforeAll(async () => {
    proxy = await startWatchingProxy(clusterUrl)
    server = await startClusterServer(proxy.url, {}, false)
    const properties = {
      id: { type: 'keyword' },
      kind: { type: 'keyword' },
      seen: { type: 'date' },
      place: { type: 'geo_point' },
    }
    for (const name of ['a', 'b']) {
      await put(`/index/${name}`, { mappings: { properties } })
      await put(`/index/${name}/_doc/1?refresh=true`, { id: name, kind: 'x', seen: 0, place: '10,10' })
    }
    const paths = { id_path: 'id', geometry_path: 'place', centroid_path: 'place', timestamp_path: 'seen' }
    await put(`/collections/${collection}`, { index_name: index, ...paths })
  })

  afterAll(async () => {
    await server.stop()
    await proxy.stop()
  })

  /**
   * The calls of a request, repeated until there are at most `wanted`: on a busy machine the server also renews what it
   * knows of the collection meanwhile.
   */
  async function callsOf(path: string, wanted: number): Promise<readonly string[]> {
    let calls: readonly string[] = []
    for (let i = 0; i < 50; i++) {
      proxy.takeAsked()
      const answer = await fetch(`${server.base}/explore/${collection}/${path}`)
      expect(answer.status, await answer.text()).toBe(200)
      calls = proxy.takeAsked()
      if (calls.length <= wanted) break
    }
    return calls
  }

  test.each([
    'a',
    '_count',
    '_count?f=kind:eq:x&f=seen:gte:0',
    '_search?size=10&sort=-seen,id',
    '_geosearch/1/1/0?size=60',
    '_aggregate?agg=term:kind:size-10',
    '_aggregate?agg=datehistogram:seen:interval-1day&f=kind:eq:x',
    '_geoaggregate/1/1/0?agg=geotile:place:interval-6',
    '_compute?field=seen&metric=spanning',
  ])('%s: one search', async (path) => {
    expect(await callsOf(path, 1)).toEqual([expect.stringMatching(/^POST \/[^/]+\/_search$/)])
  })

  test('a level inside buckets that are cut: one search more', async () => {
    expect(await callsOf('_aggregate?agg=term:kind:size-10&agg=datehistogram:seen:interval-1day', 2)).toHaveLength(2)
  })

  test('_describe: none', async () => {
    expect(await callsOf('_describe', 0)).toEqual([])
  })
})
