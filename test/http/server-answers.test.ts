import { request as httpRequest } from 'node:http'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sendJson } from '../../src/http/answer/send-json.ts'
import { requestUrl } from '../../src/http/request/request-url.ts'
import type { Services } from '../../src/http/services.ts'
import { type Running, startServer } from './server-fixture.ts'

const large = { text: 'abc '.repeat(1000) }

function routes(app: FastifyInstance, { settings }: Services): void {
  let served = 0
  app.get('/small', (request, reply) => sendJson(request, reply, { a: [1, { b: 2 }] }))
  app.post('/small', (request, reply) => sendJson(request, reply, { a: 1 }, { pretty: true, maxAge: 5 }))
  app.get('/large', (request, reply) => sendJson(request, reply, large))
  app.get('/image', (_request, reply) => reply.type('image/png').send(Buffer.alloc(5000)))
  app.get('/archive', (_request, reply) => reply.type('application/zip').send(Buffer.alloc(5000)))
  app.get('/timed', (request, reply) => {
    served += 1
    return sendJson(request, reply, { query_time: served, hits: ['x'], total_time: served + 1 }, { maxAge: 60 })
  })
  app.get('/fault', async () => {
    throw new Error('connect http://ann:hush@proxy:3128', { cause: new Error('via https://ann:hush@two') })
  })
  app.get('/timed/large', (request, reply) => sendJson(request, reply, { query_time: 1, total_time: 1, ...large }))
  app.get('/untagged', (request, reply) => sendJson(request, reply, 1, { tag: 'none' }))
  app.get('/address', (request, reply) => sendJson(request, reply, requestUrl(request, settings)))
  app.get('/address/:name', (request, reply) => sendJson(request, reply, requestUrl(request, settings)))
}

let server: Running
beforeAll(async () => {
  server = await startServer({ routes })
})
afterAll(() => server.stop())

const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${server.base}${path}`, { headers: { 'accept-encoding': 'identity', ...headers } })

/** fetch decodes answers; this does not. */
function rawGet(
  path: string,
  headers: Record<string, string>,
): Promise<{ headers: NodeJS.Dict<string | string[]>; body: Buffer }> {
  return new Promise((resolve, reject) => {
    httpRequest(`${server.base}${path}`, { headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => resolve({ headers: response.headers, body: Buffer.concat(chunks) }))
    })
      .on('error', reject)
      .end()
  })
}

describe('JSON', () => {
  test('is compact, or indented with pretty', async () => {
    const compact = await get('/small')
    expect(compact.headers.get('content-type')).toBe('application/json;charset=utf-8')
    expect(await compact.text()).toBe('{"a":[1,{"b":2}]}')
    expect(await (await get('/small?PRETTY=True')).text()).toBe(JSON.stringify({ a: [1, { b: 2 }] }, null, 2))
    expect((await get('/small?pretty=maybe')).status).toBe(400)
  })

  test('of answers that tell their time is whole, pretty or not', async () => {
    for (const path of ['/timed', '/timed?pretty=true']) {
      const body: unknown = await (await get(path)).json()
      expect(body).toEqual({ query_time: expect.any(Number), total_time: expect.any(Number), hits: ['x'] })
    }
    expect(await (await get('/timed?pretty=true')).text()).toMatch(
      /^{\n {2}"query_time": \d+,\n {2}"total_time": \d+,\n {2}"hits"/,
    )
  })
})

describe('tags', () => {
  test('a strong tag gives 304 when it comes back', async () => {
    const first = await get('/small')
    const tag = first.headers.get('etag') ?? ''
    expect(tag).toMatch(/^"[^"]+"$/)
    for (const known of [tag, '*', `"other", ${tag}`]) {
      const second = await get('/small', { 'if-none-match': known })
      expect([second.status, second.headers.get('etag'), await second.text()]).toEqual([304, tag, ''])
    }
    expect((await get('/small', { 'if-none-match': '"other"' })).status).toBe(200)
    expect((await get('/small?pretty=true')).headers.get('etag')).not.toBe(tag)
  })

  test('answers that tell their time have a weak tag that stays', async () => {
    const first = await get('/timed')
    const tag = first.headers.get('etag') ?? ''
    expect(tag).toMatch(/^W\/"/)
    expect(first.headers.get('cache-control')).toBe('no-transform, max-age=60')
    const second = await get('/timed', { 'if-none-match': tag })
    expect([second.status, second.headers.get('cache-control')]).toEqual([304, 'no-transform, max-age=60'])
  })

  test('POST and answers that ask for none have no tag', async () => {
    const posted = await fetch(`${server.base}/small`, { method: 'POST' })
    expect([posted.headers.get('etag'), posted.headers.get('cache-control')]).toEqual([null, 'no-transform, max-age=5'])
    expect(await posted.text()).toBe('{\n  "a": 1\n}')
    const untagged = await get('/untagged')
    expect([untagged.headers.get('etag'), untagged.headers.get('cache-control')]).toEqual([null, null])
  })
})

describe('compression', () => {
  test.each([
    ['gzip', gunzipSync],
    ['br', brotliDecompressSync],
    ['zstd', zstdDecompressSync],
  ])('%s, from 1 KiB on, with a strong tag of its own', async (encoding, decode) => {
    const plain = await get('/large')
    const packed = await rawGet('/large', { 'accept-encoding': encoding })
    expect(packed.headers['content-encoding']).toBe(encoding)
    expect(packed.headers.vary).toContain('accept-encoding')
    expect(packed.headers.etag).toBe(plain.headers.get('etag')?.replace(/"$/, `.${encoding}"`))
    expect(plain.headers.get('vary')).toContain('accept-encoding')
    expect(JSON.parse(decode(packed.body).toString())).toEqual(large)
    expect((await rawGet('/small', { 'accept-encoding': encoding })).headers['content-encoding']).toBeUndefined()
  })

  test('never for images and archives, nor when it is not accepted', async () => {
    const packed = async (path: string, accepted: string): Promise<unknown> =>
      (await rawGet(path, { 'accept-encoding': accepted })).headers['content-encoding']
    expect(await packed('/image', 'gzip')).toBeUndefined()
    expect(await packed('/archive', 'gzip, br')).toBeUndefined()
    expect(await packed('/large', 'identity')).toBeUndefined()
    expect(await packed('/large', 'gzip;q=0')).toBeUndefined()
    expect(await packed('/large', 'compress, deflate')).toBeUndefined()
  })

  test('304 for a client that has the answer in any encoding', async () => {
    const codings = ['identity', 'gzip', 'br', 'zstd']
    const tags = await Promise.all(
      codings.map(async (coding) => String((await rawGet('/large', { 'accept-encoding': coding })).headers.etag)),
    )
    expect(new Set(tags).size).toBe(4)
    for (const [i, coding] of codings.entries()) {
      for (const tag of tags) {
        const again = await get('/large', { 'accept-encoding': coding, 'if-none-match': `"other", W/${tag}` })
        expect([again.status, again.headers.get('etag'), again.headers.get('content-encoding')]).toEqual([
          304,
          tag,
          null,
        ])
        expect(again.headers.get('vary')).toContain('accept-encoding')
      }
      // A cache that has several is told which of them the answer is.
      const shared = await get('/large', { 'accept-encoding': coding, 'if-none-match': tags.join(', ') })
      expect([shared.status, shared.headers.get('etag')]).toEqual([304, tags[i]])
    }
  })

  test('a client that wants no compression gets the plain tag', async () => {
    const { headers } = await rawGet('/large', { 'accept-encoding': 'gzip', 'x-no-compression': '1' })
    expect([headers['content-encoding'], headers.etag]).toEqual([undefined, (await get('/large')).headers.get('etag')])
  })

  test('HEAD tells the tag that GET has', async () => {
    for (const coding of ['identity', 'gzip', 'br', 'zstd']) {
      const headers = { 'accept-encoding': coding }
      const head = await fetch(`${server.base}/large`, { method: 'HEAD', headers })
      expect(head.headers.get('etag')).toBe((await rawGet('/large', headers)).headers.etag)
    }
  })

  test('an answer with a weak tag has it in every encoding', async () => {
    const tags = ['identity', 'gzip', 'br', 'zstd'].map(
      async (coding) => (await rawGet('/timed/large', { 'accept-encoding': coding })).headers.etag,
    )
    const [plain, ...packed] = await Promise.all(tags)
    expect(plain).toMatch(/^W\//)
    expect(packed).toEqual([plain, plain, plain])
  })
})

describe('CORS', () => {
  const origin = 'http://localhost:4200'
  const preflight = (path: string): Promise<Response> =>
    fetch(`${server.base}${path}`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'PUT' },
    })

  test('pages of this machine may read, without credentials', async () => {
    const { headers } = await get('/small', { origin })
    expect(headers.get('access-control-allow-origin')).toBe(origin)
    expect(headers.get('access-control-allow-credentials')).toBeNull()
    expect(headers.get('access-control-expose-headers')).toBe(
      'Content-Type, Content-Length, Content-Disposition, ETag, Location, WWW-Authenticate',
    )
    expect((await get('/nothing', { origin })).headers.get('access-control-allow-origin')).toBe(origin)
  })

  test('preflights are answered on every path', async () => {
    for (const path of ['/small', '/arlas/small', '/nothing']) {
      const { status, headers } = await preflight(path)
      expect(status).toBe(204)
      expect(headers.get('access-control-allow-methods')).toBe('GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS')
      expect(headers.get('access-control-allow-headers')).toBe(
        'Content-Type, Accept, Authorization, If-None-Match, Last-Event-ID, X-Requested-With, partition-filter, ' +
          'column-filter, arlas-organization, arlas-org-filter, arlas-user, arlas-groups',
      )
    }
  })

  test('named origins, with credentials', async () => {
    const other = await startServer({
      routes,
      flags: { 'server.cors.origins': 'https://a.example', 'server.cors.credentials': 'true' },
    })
    const allowed = async (origin: string): Promise<string | null> =>
      (await fetch(`${other.base}/small`, { headers: { origin } })).headers.get('access-control-allow-origin')
    expect(await allowed('https://a.example')).toBe('https://a.example')
    expect(await allowed('https://b.example')).toBeNull()
    await other.stop()
  })

  test('can be turned off', async () => {
    const other = await startServer({ routes, flags: { 'server.cors.enabled': 'false' } })
    const response = await fetch(`${other.base}/small`, { headers: { origin: 'https://a.example' } })
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
    const asked = await fetch(`${other.base}/small`, {
      method: 'OPTIONS',
      headers: { 'access-control-request-method': 'GET' },
    })
    expect([asked.status, asked.headers.get('allow')]).toEqual([204, 'GET, HEAD, POST, OPTIONS'])
    expect((await fetch(`${other.base}/nothing`, { method: 'OPTIONS' })).status).toBe(404)
    await other.stop()
  })
})

describe('addresses', () => {
  const forwarded = {
    'x-forwarded-proto': 'https',
    'x-forwarded-host': 'maps.example',
    'x-forwarded-port': '8443',
    'x-forwarded-prefix': '/api/',
  }

  test('are those of the request, with the alias', async () => {
    expect(await (await get('/address?f=a%2Cb&x', forwarded)).json()).toEqual({
      base: server.base,
      path: '/address',
      query: 'f=a%2Cb&x',
    })
    expect(await (await get('/arlas/address/a%2Fb/')).json()).toEqual({
      base: `${server.base}/arlas`,
      path: '/address/a%2Fb',
      query: '',
    })
  })

  test('of a trusted proxy count', async () => {
    const other = await startServer({ routes, flags: { 'server.trustedProxies': '127.0.0.0/8' } })
    const base = async (path: string, headers: Record<string, string>): Promise<unknown> => {
      const body = await (await fetch(`${other.base}${path}`, { headers })).json()
      return (body as { base: string }).base
    }
    expect(await base('/arlas/address', forwarded)).toBe('https://maps.example:8443/api/arlas')
    expect(await base('/address', { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'a.example:444, b' })).toBe(
      'https://a.example:444',
    )
    expect(await base('/address', { ...forwarded, 'x-forwarded-port': '443' })).toBe('https://maps.example/api')
    expect(await base('/address', {})).toBe(other.base)
    await other.stop()
  })

  test('are the public URL when there is one', async () => {
    const other = await startServer({ routes, flags: { 'server.publicUrl': 'https://x.example/geo/' } })
    const body = await (await fetch(`${other.base}/arlas/address`)).json()
    expect(body).toEqual({ base: 'https://x.example/geo', path: '/address', query: '' })
    await other.stop()
  })
})

describe('request ids', () => {
  test('are kept when they are sound, else made', async () => {
    expect((await get('/small', { 'x-request-id': 'a-1.b:2' })).headers.get('x-request-id')).toBe('a-1.b:2')
    for (const bad of ['a b', 'x'.repeat(200), '<x>']) {
      expect((await get('/small', { 'x-request-id': bad })).headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    }
  })

  test('are in the one log line of a request', async () => {
    await get('/arlas/small?a=1', { 'x-request-id': 'line-1' })
    await expect
      .poll(() => server.lines.filter((line) => line.reqId === 'line-1'))
      .toMatchObject([
        {
          level: 30,
          msg: 'request',
          method: 'GET',
          route: '/arlas/small',
          url: '/arlas/small?a=1',
          status: 200,
          ms: expect.any(Number),
        },
      ])
  })
})

test('log lines hide the credentials of URLs, whoever mentions them', async () => {
  await get('/fault', { 'x-request-id': 'line-2' })
  await get('/small?callback=http://ann:hush@one', { 'x-request-id': 'line-3' })
  await expect
    .poll(() =>
      server.lines.filter(({ reqId, msg }) => msg === 'request' && (reqId === 'line-2' || reqId === 'line-3')),
    )
    .toHaveLength(2)
  const text = JSON.stringify(server.lines)
  expect(text).toContain('http://***@proxy:3128')
  expect(text).toContain('callback=http://***@one')
  expect(text).not.toContain('hush')
  expect(await (await get('/metrics')).text()).not.toContain('hush')
})
