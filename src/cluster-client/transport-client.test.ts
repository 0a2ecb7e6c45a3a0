import { randomUUID } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { clusterUrl } from '../../test/support/cluster-url.ts'
import type { ClusterClient, WireObject } from './cluster-client.ts'
import { answerJson, type SmallServer, smallServer } from './small-server.fixture.ts'
import { openTransportClient, type TransportOptions } from './transport-client.ts'

const NOBODY = 'http://127.0.0.1:1'
const opened: { close(): Promise<void> }[] = []

afterEach(async () => {
  await Promise.all(opened.splice(0).map((each) => each.close()))
})

function clientOf(...urls: readonly string[]): ClusterClient {
  return clientWith({ urls })
}

function clientWith(options: TransportOptions): ClusterClient {
  const client = openTransportClient(options)
  opened.push(client)
  return client
}

async function serverOf(...answer: Parameters<typeof smallServer>): Promise<SmallServer> {
  const server = await smallServer(...answer)
  opened.push(server)
  return server
}

const ok = (response: Parameters<typeof answerJson>[0]): void => answerJson(response, 200, { ok: true })
const read = { method: 'GET', path: '/' } as const
const write = { method: 'PUT', path: '/a/_doc/1', body: {} } as const

describe('several nodes', () => {
  it('are asked one after the other; one that cannot be reached has seen nothing, so writes go on too', async () => {
    const node = await serverOf(ok)
    const client = clientOf(NOBODY, node.url)
    for (const call of [read, write, read, write]) expect(await client.send(call)).toEqual({ ok: true })
    expect(node.requests).toHaveLength(4)
    const other = clientOf(NOBODY, node.url)
    for (const call of [write, write]) expect(await other.send(call)).toEqual({ ok: true })
  })

  it('repeat what may be repeated when one breaks off, and nothing else', async () => {
    const broken = await serverOf((response) => response.destroy())
    const node = await serverOf(ok)
    expect(await clientOf(broken.url, node.url).send(read)).toEqual({ ok: true })
    expect(await clientOf(broken.url, node.url).send({ ...write, repeatable: true })).toEqual({ ok: true })
    expect(broken.requests).toHaveLength(2)
    const before = node.requests.length
    await expect(clientOf(broken.url, node.url).send(write)).rejects.toMatchObject({ kind: 'unreachable' })
    expect([broken.requests.length, node.requests.length]).toEqual([3, before])
  })

  it.each([502, 503, 504])('repeat on another what one answers with %i', async (status) => {
    const away = await serverOf((response) => response.writeHead(status, { 'content-type': 'text/html' }).end('<p>'))
    const node = await serverOf(ok)
    expect(await clientOf(away.url, node.url).send(read)).toEqual({ ok: true })
    await expect(clientOf(away.url, node.url).send(write)).rejects.toMatchObject({ name: 'ClusterRefusal', status })
    expect(away.requests).toHaveLength(2)
  })

  it('are not asked again for what is too much for each of them', async () => {
    const error = {
      type: 'search_phase_execution_exception',
      root_cause: [],
      caused_by: { type: 'too_many_buckets_exception', reason: 'many' },
    }
    const node = await serverOf((response) => answerJson(response, 503, { error, status: 503 }))
    await expect(clientOf(node.url, node.url).send(read)).rejects.toMatchObject({ type: 'too_many_buckets_exception' })
    expect(node.requests).toHaveLength(1)
  })

  it('may be one alone, which is asked twice: an idle connection may just have been closed', async () => {
    const node = await serverOf((response, _request, number) => (number === 1 ? response.destroy() : ok(response)))
    expect(await clientOf(node.url).send(read)).toEqual({ ok: true })
  })
})

describe('a call ends', () => {
  it('with the reason of its signal, and the cluster stops searching', async () => {
    const client = clientOf(clusterUrl)
    const index = `t-transport-client-${randomUUID()}`
    await client.send({ method: 'PUT', path: `/${index}/_doc/1`, query: { refresh: true }, body: { a: 'x' } })
    try {
      // compiling this to an automaton takes seconds
      const regexp = { 'a.keyword': { value: '(((a{10}){100}){100}){20}', max_determinized_states: 100_000_000 } }
      const controller = new AbortController()
      const search = client.send({
        method: 'POST',
        path: `/${index}/_search`,
        body: { query: { regexp } },
        signal: controller.signal,
      })
      const ended = expect(search).rejects.toThrow('gone')
      await expect.poll(() => cancelled(client, index), { interval: 20 }).toContain(false)
      controller.abort(new Error('gone'))
      await ended
      await expect.poll(() => cancelled(client, index), { interval: 20 }).toEqual([true])
    } finally {
      await client.send({ method: 'DELETE', path: `/${index}` })
    }
  })

  it('with the reason of its signal when the signal was aborted before', async () => {
    const node = await serverOf(ok)
    await expect(clientOf(node.url).send({ ...read, signal: AbortSignal.abort('early') })).rejects.toBe('early')
    expect(node.requests).toEqual([])
  })

  it('without leaving out a node that was only given up', async () => {
    const first = await serverOf((response, _request, number) => (number === 1 ? undefined : ok(response)))
    const second = await serverOf(ok)
    const client = clientOf(first.url, second.url)
    const problem = Object.assign(new Error('late'), { code: 'ENGINE_TIMEOUT' })
    await expect(
      client.send({ ...read, signal: abortedWhen(() => first.requests.length === 1, problem) }),
    ).rejects.toBe(problem)
    for (let i = 0; i < 4; i++) await client.send(read)
    expect([first.requests.length, second.requests.length]).toEqual([3, 2])
  })

  it.each([
    ['no answer', () => undefined],
    [
      'half an answer',
      (response: Parameters<typeof answerJson>[0]) =>
        response.writeHead(200, { 'content-type': 'application/json' }).write('{"a'),
    ],
  ])('after its time with %s', async (_title, answer) => {
    const node = await serverOf((response) => void answer(response))
    const client = clientWith({ urls: [node.url], timeoutMs: 150 })
    await expect(client.send(read)).rejects.toMatchObject({ name: 'ClusterFailure', kind: 'timeout' })
    expect(node.requests).toHaveLength(1)
  })

  it('when the client is closed', async () => {
    const node = await serverOf(() => undefined)
    const client = openTransportClient({ urls: [node.url] })
    const call = expect(client.send(read)).rejects.toMatchObject({ name: 'ClusterFailure' })
    await expect.poll(() => node.requests.length).toBe(1)
    await client.close()
    await call
    await expect(client.send(read)).rejects.toMatchObject({ kind: 'unreachable' })
  })
})

describe('answers', () => {
  it('keep all digits of integers, both ways', async () => {
    const client = clientOf(clusterUrl)
    const path = `/t-transport-client-${randomUUID()}`
    await client.send({ method: 'PUT', path: `${path}/_doc/1`, body: { n: 9007199254740993n } })
    const { _source } = await client.send<{ _source: WireObject }>({ method: 'GET', path: `${path}/_doc/1` })
    expect(_source).toEqual({ n: 9007199254740993n })
    await client.send({ method: 'DELETE', path })
  })

  it.each([
    ['a page', 200, 'text/html', '<p>hello</p>'],
    ['a page of an error', 404, 'text/html', '<p>no</p>'],
    ['JSON that is cut short', 200, 'application/json', '{"a":'],
    ['nothing', 200, 'application/json', ''],
  ])('that are %s are unreadable', async (_title, status, type, body) => {
    const node = await serverOf((response) => response.writeHead(status, { 'content-type': type }).end(body))
    await expect(clientOf(node.url).send(read)).rejects.toMatchObject({ name: 'ClusterFailure', kind: 'unreadable' })
  })

  it('of HEAD are true or false', async () => {
    const client = clientOf(clusterUrl)
    expect(await client.send({ method: 'HEAD', path: '/' })).toBe(true)
    expect(await client.send({ method: 'HEAD', path: '/t-transport-client-absent' })).toBe(false)
  })

  it('with an error name its first cause, and the deeper ones in the reason', async () => {
    const client = clientOf(clusterUrl)
    await expect(client.send({ method: 'GET', path: '/t-transport-client-absent/_search' })).rejects.toMatchObject({
      status: 404,
      type: 'index_not_found_exception',
    })
    const aggs = { a: { nonsense: {} } }
    await expect(client.send({ method: 'POST', path: '/_search', body: { aggs } })).rejects.toMatchObject({
      type: 'parsing_exception',
      reason: expect.stringMatching(/^Unknown aggregation type .*; named_object_not_found_exception: /),
    })
  })
})

describe('what is sent', () => {
  it.each<[string, Omit<TransportOptions, 'urls'>, string, string]>([
    ['a user', { username: 'me', password: 'hush' }, '', `Basic ${btoa('me:hush')}`],
    ['an API key', { apiKey: 'hush' }, '', 'ApiKey hush'],
    ['a token', { apiKey: 'Bearer hush' }, '', 'Bearer hush'],
    ['credentials of the URL', {}, 'm%40e:hush@', `Basic ${btoa('m@e:hush')}`],
  ])('has %s, which no message shows', async (_title, options, userinfo, authorization) => {
    const node = await serverOf((response) =>
      response.writeHead(401, { 'content-type': 'text/plain' }).end('Unauthorized'),
    )
    const client = clientWith({ ...options, urls: [node.url.replace('//', `//${userinfo}`)] })
    const refusal = await client.send(read).catch((error: unknown) => error)
    expect(refusal).toMatchObject({ name: 'ClusterRefusal', status: 401 })
    expect(node.requests[0]?.headers.authorization).toBe(authorization)
    await node.close()
    opened.splice(opened.indexOf(node), 1)
    const failure = await client.send(read).catch((error: unknown) => error)
    expect(failure).toMatchObject({ kind: 'unreachable' })
    for (const error of [refusal, failure])
      expect(JSON.stringify(error, ['message', 'stack', 'cause'])).not.toMatch(/hush|@/)
  })

  it('says who sends it, and is compressed when it is large and that is wanted', async () => {
    const node = await serverOf(ok)
    const client = clientWith({ urls: [node.url], compress: true, userAgent: 'periplus/9' })
    const large = { text: 'x'.repeat(20_000) }
    await client.send({ ...write, body: large })
    await client.send({ ...write, body: `${JSON.stringify({ index: {} })}\n` })
    const [first, second] = node.requests
    expect(first?.headers).toMatchObject({
      'content-encoding': 'gzip',
      'content-type': 'application/json',
      'user-agent': 'periplus/9',
    })
    expect(JSON.parse(gunzipSync(first?.body ?? '').toString())).toEqual(large)
    expect(second?.headers).toMatchObject({ 'content-type': 'application/x-ndjson' })
    expect(second?.headers['content-encoding']).toBeUndefined()
    expect(second?.body.toString()).toBe('{"index":{}}\n')
    await clientOf(node.url).send({ ...write, body: large })
    expect(node.requests[2]?.headers['content-encoding']).toBeUndefined()
  })

  it('goes only to who can prove its name', async () => {
    const node = await serverOf(ok)
    const client = clientOf(node.url.replace('http:', 'https:'))
    await expect(client.send(read)).rejects.toMatchObject({ kind: 'certificate' })
  })
})

/** For each running search on an index, returns whether it has been cancelled. */
async function cancelled(client: ClusterClient, index: string): Promise<readonly boolean[]> {
  type Task = { readonly description?: string; readonly cancelled?: boolean }
  type Tasks = { readonly nodes?: Record<string, { readonly tasks: Record<string, Task> }> }
  const query = { actions: 'indices:data/read/search', detailed: true }
  const { nodes = {} } = await client.send<Tasks>({ method: 'GET', path: '/_tasks', query })
  const tasks = Object.values(nodes).flatMap((node) => Object.values(node.tasks))
  return tasks.flatMap((task) => (task.description?.includes(index) ? [task.cancelled ?? false] : []))
}

function abortedWhen(condition: () => boolean, reason: Error): AbortSignal {
  const controller = new AbortController()
  const timer = setInterval(() => {
    if (!condition()) return
    clearInterval(timer)
    controller.abort(reason)
  }, 5)
  return controller.signal
}
