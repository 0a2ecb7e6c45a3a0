import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { problem } from '../../src/errors.ts'
import { sendJson } from '../../src/http/answer/send-json.ts'
import { readJsonBody, readTextBody } from '../../src/http/request/body/json-body.ts'
import { errorOf, type Running, sendRaw, startServer } from './server-fixture.ts'

function routes(app: FastifyInstance): void {
  app.get('/things', (request, reply) => sendJson(request, reply, []))
  app.get('/things/_all', (request, reply) => sendJson(request, reply, ['all']))
  app.get<{ Params: { thing: string } }>('/things/:thing', (request, reply) =>
    sendJson(request, reply, { thing: request.params.thing }),
  )
  app.put<{ Params: { thing: string } }>('/things/:thing', (request, reply) =>
    sendJson(request, reply, { thing: request.params.thing, body: readJsonBody(request) ?? null }),
  )
  app.post('/things/_text', { config: { accepts: ['text/plain'] } }, (request, reply) =>
    sendJson(request, reply, readTextBody(request)),
  )
  app.post('/things/_bulk', { bodyLimit: 4000 }, (request, reply) =>
    sendJson(request, reply, readTextBody(request).length),
  )
  app.get('/fail', () => {
    throw new Error('secret engine text at db.internal:9200')
  })
  app.post('/refuse', () => {
    throw problem('INVALID_FILTER', { parameter: 'f' })
  })
  app.get('/unavailable', () => {
    throw problem('ENGINE_UNAVAILABLE', {})
  })
}

let server: Running
beforeAll(async () => {
  server = await startServer({
    routes,
    flags: { 'limits.bodyBytes': '2000', 'limits.bulkBytes': '4000', 'limits.urlBytes': '3000' },
  })
})
afterAll(() => server.stop())

const get = (path: string, init?: RequestInit): Promise<Response> => fetch(`${server.base}${path}`, init)

async function expectError(response: Response, status: number, error: string): Promise<string> {
  expect(response.headers.get('content-type')).toBe('application/json;charset=utf-8')
  const body = await errorOf(response)
  expect(body).toEqual({ status, message: expect.any(String), error })
  expect(response.status).toBe(status)
  return body.message
}

describe('routes and methods', () => {
  test('an unknown path is 404', async () => {
    expect(await expectError(await get('/nothing?x=1'), 404, 'ROUTE_NOT_FOUND')).toContain('/nothing')
    await expectError(await get('/arlas'), 404, 'ROUTE_NOT_FOUND')
    await expectError(await get('/things/a/b/c', { method: 'POST', body: 'x' }), 404, 'ROUTE_NOT_FOUND')
    await expectError(await get('/things//'), 404, 'ROUTE_NOT_FOUND')
  })

  test.each([
    ['DELETE', '/things', 'GET, HEAD, OPTIONS'],
    ['PUT', '/things/_all', 'GET, HEAD, OPTIONS'],
    ['GET', '/things/_text', 'POST, OPTIONS'],
    ['HEAD', '/things/_text', 'POST, OPTIONS'],
    ['POST', '/things/x', 'GET, HEAD, PUT, OPTIONS'],
    ['PROPFIND', '/arlas/things/x', 'GET, HEAD, PUT, OPTIONS'],
    ['QUERY', '/things', 'GET, HEAD, OPTIONS'],
  ])('%s %s is 405 and lists what is allowed', async (method, path, allow) => {
    const response = await get(path, { method })
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe(allow)
    if (method !== 'HEAD') await expectError(response, 405, 'METHOD_NOT_ALLOWED')
  })

  test('OPTIONS tells the methods of a path', async () => {
    const response = await get('/things/x', { method: 'OPTIONS' })
    expect([response.status, response.headers.get('allow')]).toEqual([204, 'GET, HEAD, PUT, OPTIONS'])
    await expectError(await get('/nothing', { method: 'OPTIONS' }), 404, 'ROUTE_NOT_FOUND')
  })

  test('one trailing slash is ignored, at the root and under an alias', async () => {
    for (const path of ['/things/', '/arlas/things', '/arlas/things/']) {
      expect(await (await get(path)).json()).toEqual([])
    }
  })

  test('segments are split before they are decoded', async () => {
    expect(await (await get('/things/id%2F1')).json()).toEqual({ thing: 'id/1' })
    expect(await (await get('/things/a%252Fb')).json()).toEqual({ thing: 'a%2Fb' })
    expect(await (await get('/things/%C3%A9%20+')).json()).toEqual({ thing: 'é +' })
  })

  test.each(['/things/%', '/things/%zz', '/things/%ff', '/%e0%a4%a'])('%s does not decode: 400', async (path) => {
    const response = await get(path)
    await expectError(response, 400, 'INVALID_PARAMETER')
    expect(response.headers.get('x-request-id')).not.toBeNull()
  })

  test('a query that does not decode is 400', async () => {
    await expectError(await get('/things?pretty=%ff'), 400, 'INVALID_PARAMETER')
  })

  test('HEAD answers like GET, without body', async () => {
    const response = await get('/things/abc', { method: 'HEAD' })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-length')).toBe(String('{"thing":"abc"}'.length))
    expect(await response.text()).toBe('')
  })
})

describe('bodies', () => {
  const put = (init: RequestInit): Promise<Response> => get('/things/x', { method: 'PUT', ...init })
  const json = { 'content-type': 'application/json; charset=utf-8' }

  test('JSON is read with its media type or none', async () => {
    expect(await (await put({ headers: json, body: '[1]' })).json()).toEqual({ thing: 'x', body: [1] })
    const answer = await sendRaw(
      server.port,
      'PUT /things/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}',
    )
    expect(answer).toContain('{"thing":"x","body":{}}')
  })

  test('another media type is 415 unless the route reads it', async () => {
    const message = await expectError(await put({ body: 'x' }), 415, 'UNSUPPORTED_MEDIA_TYPE')
    expect(message).toContain('text/plain')
    await expectError(await put({ body: 'x', headers: { 'content-type': 'nonsense' } }), 415, 'UNSUPPORTED_MEDIA_TYPE')
    expect(await (await get('/things/_text', { method: 'POST', body: 'hé' })).json()).toBe('hé')
  })

  test('an empty body and one that is not JSON', async () => {
    await expectError(await put({}), 400, 'INVALID_BODY')
    await expectError(await put({ headers: json, body: '  ' }), 400, 'INVALID_BODY')
    await expectError(await put({ headers: json, body: '{"a":' }), 400, 'MALFORMED_JSON')
    await expectError(await put({ headers: json, body: Buffer.from([0x22, 0xff, 0x22]) }), 400, 'MALFORMED_JSON')
    await expectError(await put({ headers: json, body: '['.repeat(500) }), 400, 'INVALID_BODY')
  })

  test('a body over the limit is 413 and names the setting', async () => {
    const large = JSON.stringify('x'.repeat(3000))
    expect(await expectError(await put({ headers: json, body: large }), 413, 'BODY_TOO_LARGE')).toContain(
      'limits.bodyBytes',
    )
    const bulk = await get('/things/_bulk', { method: 'POST', headers: json, body: 'x'.repeat(3500) })
    expect(await bulk.json()).toBe(3500)
    const tooMuch = await get('/things/_bulk', { method: 'POST', headers: json, body: 'x'.repeat(4500) })
    expect(await expectError(tooMuch, 413, 'BODY_TOO_LARGE')).toContain('limits.bulkBytes')
  })

  test('a client that is still sending reads the answer', async () => {
    await expectError(await put({ headers: json, body: Buffer.alloc(20_000_000, 32) }), 413, 'BODY_TOO_LARGE')
    await expectError(
      await put({ headers: { 'content-type': 'a/b' }, body: Buffer.alloc(20_000_000) }),
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    )
    const stream = new ReadableStream({
      pull(controller) {
        controller.enqueue(randomBytes(100_000))
        sent += 1
        if (sent === 50) controller.close()
      },
    })
    let sent = 0
    const streamed = { method: 'PUT', headers: json, body: stream, duplex: 'half' } as RequestInit
    await expectError(await get('/things/x', streamed), 413, 'BODY_TOO_LARGE')
    const bomb = { ...json, 'content-encoding': 'gzip' }
    const body = gzipSync(Buffer.concat([Buffer.alloc(1_000_000), randomBytes(1_500)]))
    await expectError(await put({ headers: bomb, body }), 413, 'BODY_TOO_LARGE')
  })

  test('gzip is decoded and limited by its decoded size', async () => {
    const headers = { ...json, 'content-encoding': 'gzip' }
    expect(await (await put({ headers, body: gzipSync('{"a":1}') })).json()).toEqual({ thing: 'x', body: { a: 1 } })
    await expectError(await put({ headers, body: gzipSync(Buffer.alloc(500_000, 32)) }), 413, 'BODY_TOO_LARGE')
    await expectError(await put({ headers, body: 'not gzip' }), 400, 'INVALID_BODY')
    await expectError(await put({ headers, body: gzipSync('{"a":1}').subarray(0, 15) }), 400, 'INVALID_BODY')
    const other = { ...json, 'content-encoding': 'snappy' }
    await expectError(await put({ headers: other, body: 'x' }), 415, 'UNSUPPORTED_MEDIA_TYPE')
  })
})

describe('faults', () => {
  test('an unexpected exception is 500, says nothing and is logged under the request id', async () => {
    const response = await get('/fail', { headers: { 'x-request-id': 'trace-7' } })
    expect(response.headers.get('x-request-id')).toBe('trace-7')
    expect(await expectError(response, 500, 'INTERNAL_ERROR')).not.toMatch(/secret|internal:/)
    const line = server.lines.find((entry) => entry.reqId === 'trace-7' && entry.err !== undefined)
    expect(line?.err).toMatchObject({ message: expect.stringContaining('secret'), stack: expect.any(String) })
  })

  test('an engine that is not there is 503 with Retry-After', async () => {
    const response = await get('/unavailable')
    expect(response.headers.get('retry-after')).toMatch(/^[0-9]+$/)
    await expectError(response, 503, 'ENGINE_UNAVAILABLE')
  })

  test('pretty counts for errors too', async () => {
    const text = await (await get('/nothing?pretty=true')).text()
    expect(text).toMatch(/^{\n {2}"status": 404,\n/)
    const body = JSON.stringify({ form: { pretty: true } })
    const headers = { 'content-type': 'application/json' }
    expect(await (await get('/refuse', { method: 'POST', body, headers })).text()).toMatch(/^{\n {2}"status": 400/)
    expect(await (await get('/refuse', { method: 'POST', body: '"pretty"', headers })).text()).toMatch(/^{"status":400/)
  })

  test('an Accept that excludes JSON is 406', async () => {
    const accept = (value: string): Promise<Response> => get('/things', { headers: { accept: value } })
    await expectError(await accept('text/html'), 406, 'NOT_ACCEPTABLE')
    await expectError(await accept('application/json;q=0, */*'), 406, 'NOT_ACCEPTABLE')
    for (const fine of [
      '*/*',
      'application/*',
      'text/html, application/json;q=0.1',
      'application/json;charset=utf-8',
    ]) {
      expect((await accept(fine)).status).toBe(200)
    }
  })
})

describe('the socket', () => {
  const parse = (answer: string): { head: string; body: unknown } => {
    const [head = '', body = ''] = answer.split('\r\n\r\n')
    return { head, body: JSON.parse(body) }
  }

  test.each([
    [
      'headers over the limit',
      `GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: ${'x'.repeat(80_000)}\r\nConnection: close\r\n\r\n`,
      431,
      'LIMIT_EXCEEDED',
    ],
    [
      'headers far over the limit',
      `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(900_000)}\r\n\r\n`,
      431,
      'LIMIT_EXCEEDED',
    ],
    [
      'a URL far over the limit',
      `GET /${'x'.repeat(900_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
      431,
      'LIMIT_EXCEEDED',
    ],
    ['bytes that are no HTTP', 'hello\r\n\r\n', 400, 'INVALID_PARAMETER'],
    [
      'a bad length',
      'PUT /things/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n',
      400,
      'INVALID_PARAMETER',
    ],
    ['no Host', 'GET /things HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'INVALID_PARAMETER'],
    ['CONNECT', 'CONNECT example.org:80 HTTP/1.1\r\nHost: localhost\r\n\r\n', 405, 'METHOD_NOT_ALLOWED'],
  ])('%s', async (_name, request, status, error) => {
    const { head, body } = parse(await sendRaw(server.port, request))
    expect(head).toContain(`HTTP/1.1 ${status} `)
    expect(head.toLowerCase()).toContain('content-type: application/json;charset=utf-8')
    expect(body).toMatchObject({ status, error })
  })

  test('a URL over limits.urlBytes is 414', async () => {
    const message = await expectError(await get(`/things?x=${'y'.repeat(4000)}`), 414, 'URI_TOO_LONG')
    expect(message).toContain('limits.urlBytes')
  })

  test('an expectation that Node does not know is served', async () => {
    const request = 'GET /things HTTP/1.1\r\nHost: localhost\r\nExpect: tea\r\nConnection: close\r\n\r\n'
    expect(await sendRaw(server.port, request)).toContain('200 OK')
  })
})
