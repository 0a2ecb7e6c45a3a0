import { afterEach, describe, expect, it } from 'vitest'
import { clusterUrl } from '../../../test/support/cluster-url.ts'
import { answerJson, type SmallServer, smallServer } from '../../cluster-client/small-server.fixture.ts'
import { everything } from '../../query/plan/predicate.ts'
import type { Engine } from '../engine.ts'
import { openClusterEngine } from './engine.ts'

const opened: { close(): Promise<void> }[] = []
afterEach(async () => {
  await Promise.all(opened.splice(0).map((each) => each.close()))
})

function engineAt(...urls: readonly string[]): Engine {
  const engine = openClusterEngine({ urls, scan: 10 })
  opened.push(engine)
  return engine
}

const main = (number: string) => ({ version: { number, distribution: 'opensearch' } })

/** A simulated cluster whose state a test can change. */
async function pretendCluster() {
  const state = { version: '2.19.0', health: { cluster_name: 'sea', status: 'green', number_of_nodes: 3 }, away: false }
  const server: SmallServer = await smallServer((response, { url }) => {
    if (state.away) response.destroy()
    else if (url === '/') answerJson(response, 200, main(state.version))
    else if (url.startsWith('/_cluster/health')) answerJson(response, 200, state.health)
    else answerJson(response, 200, {})
  })
  opened.push(server)
  return { state, server, engine: engineAt(server.url) }
}

describe('the health of a cluster', () => {
  it('names it', async () => {
    const { ok, detail } = await engineAt(clusterUrl).health()
    expect(ok).toBe(true)
    expect(detail).toMatch(/^OpenSearch \S+, cluster \S+, \d+ nodes?, status (green|yellow)$/)
  })

  it('is good with yellow and bad with red', async () => {
    const { state, engine } = await pretendCluster()
    expect(await engine.health()).toEqual({ ok: true, detail: 'OpenSearch 2.19.0, cluster sea, 3 nodes, status green' })
    state.health.status = 'yellow'
    expect(await engine.health()).toMatchObject({ ok: true })
    state.health.status = 'red'
    expect(await engine.health()).toMatchObject({
      ok: false,
      detail: expect.stringMatching(/cluster sea, .*status red: /),
    })
  })

  it('tells that nobody answers', async () => {
    expect(await engineAt('http://127.0.0.1:1').health()).toMatchObject({
      ok: false,
      detail: expect.stringContaining('No node of the cluster can be reached'),
    })
  })

  it('tells that the credentials are refused', async () => {
    const server = await smallServer((response) => answerJson(response, 401, { error: { type: 'security_exception' } }))
    opened.push(server)
    expect(await engineAt(server.url).health()).toMatchObject({
      ok: false,
      detail: expect.stringContaining('rejects the credentials'),
    })
  })

  it('tells that it is something else', async () => {
    const server = await smallServer((response) => response.end('hello'))
    opened.push(server)
    expect(await engineAt(server.url).health()).toMatchObject({ ok: false, detail: expect.stringContaining('not an') })
  })

  it('is known from a cluster that is silent', async () => {
    const server = await smallServer(() => undefined)
    opened.push(server)
    expect(await engineAt(server.url).health()).toEqual({ ok: false, detail: expect.stringContaining('3 seconds') })
  })
})

describe('an engine whose cluster is away', () => {
  it('is unavailable', async () => {
    const engine = engineAt('http://127.0.0.1:1')
    const unavailable = { code: 'ENGINE_UNAVAILABLE', headers: { 'Retry-After': '5' } }
    await expect(engine.indices('*')).rejects.toMatchObject(unavailable)
    await expect(engine.refresh('*')).rejects.toMatchObject(unavailable)
    await expect(collect(engine)).rejects.toMatchObject(unavailable)
  })

  it('works as soon as the cluster is there, and asks it again what it is', async () => {
    const { state, engine, server } = await pretendCluster()
    state.away = true
    await expect(engine.refresh('a')).rejects.toMatchObject({ code: 'ENGINE_UNAVAILABLE' })
    state.away = false
    await engine.refresh('a')
    expect((await engine.health()).detail).toContain('OpenSearch 2.19.0')
    state.version = '3.1.0'
    await engine.refresh('a')
    expect((await engine.health()).detail).toContain('OpenSearch 2.19.0')
    state.away = true
    await expect(engine.refresh('a')).rejects.toMatchObject({ code: 'ENGINE_UNAVAILABLE' })
    state.away = false
    expect((await engine.health()).detail).toContain('OpenSearch 3.1.0')
    expect(server.requests.length).toBeGreaterThan(0)
  })

  it('asks once for callers that come together, and each may leave', async () => {
    const { engine, server } = await pretendCluster()
    const leaving = new AbortController()
    const left = engine.documentCounts('a', leaving.signal).catch((error: unknown) => error)
    const stays = Promise.all([engine.refresh('a'), engine.refresh('b')])
    leaving.abort('left')
    expect(await left).toBe('left')
    await stays
    expect(server.requests.filter(({ url }) => url === '/')).toHaveLength(1)
  })
})

async function collect(engine: Engine): Promise<void> {
  for await (const _batch of engine.scan({ indices: ['a'], predicate: everything })) throw new Error('a batch')
}
