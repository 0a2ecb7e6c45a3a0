import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { startOpensearch } from '../../scripts/cluster/opensearch-node.ts'
import type { SearchNode } from '../../scripts/cluster/search-node.ts'
import { clusterUrl } from '../support/cluster-url.ts'
import { loadHarbours } from '../support/harbours.ts'
import { call } from '../support/http-client.ts'
import { startServerOn } from '../support/own-cluster-server.ts'
import { PATIENT } from '../support/patience.ts'
import type { RunningServer } from '../support/running-server.ts'
import { freePort } from '../support/server-process.ts'

describe.skipIf(clusterUrl === '')('a cluster that comes, goes and comes back', () => {
  let data: string
  let port: number
  let server: RunningServer
  let node: SearchNode | undefined
  beforeAll(async () => {
    data = await mkdtemp(join(tmpdir(), 'periplus-outage-'))
    port = await freePort()
    server = await startServerOn([`http://127.0.0.1:${port}`], {
      'cluster.shards': '1',
      'cluster.replicas': '0',
      'cache.enabled': 'false',
    })
  })
  afterAll(async () => {
    await server?.stop()
    await node?.stop()
    await rm(data, { recursive: true, force: true })
  })

  const startNode = () => startOpensearch({ heapMiB: 256, purpose: 'testing', port, data })
  const total = async (): Promise<unknown> =>
    (await call(server.base, { path: '/explore/harbours/_count?f=kind:eq:ferry' })).json()

  async function expectUnavailable(): Promise<void> {
    const paths = [
      '/readyz',
      '/collections',
      '/explore/harbours/_count',
      '/explore/harbours/_search',
      '/index/_cat/indices',
    ]
    for (const path of paths) {
      const answer = await call(server.base, { path })
      expect(answer.json(), path).toMatchObject({ status: 503, error: 'ENGINE_UNAVAILABLE' })
      expect(answer.headers['retry-after'], path).toMatch(/^\d+$/)
    }
    expect((await call(server.base, { path: '/livez' })).status).toBe(200)
  }

  async function expectReady(): Promise<void> {
    await vi.waitFor(async () => {
      const answer = await call(server.base, { path: '/readyz' })
      expect(answer.status, answer.text).toBe(200)
    }, PATIENT)
  }

  test('is served whenever it is there, by one and the same server', async () => {
    await expectUnavailable()

    node = await startNode()
    await expectReady()
    await loadHarbours(server.base, 400)
    expect(await total()).toMatchObject({ totalnb: 100 })

    await node.stop()
    await expectUnavailable()

    node = await startNode()
    await expectReady()
    await vi.waitFor(async () => expect(await total()).toMatchObject({ totalnb: 100 }), PATIENT)
    expect((await call(server.base, { path: '/collections' })).json()).toMatchObject([{ collection_name: 'harbours' }])
  })
})
