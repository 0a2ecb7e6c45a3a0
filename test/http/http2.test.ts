import { once } from 'node:events'
import { type ClientHttp2Session, constants } from 'node:http2'
import { connect as connectTls } from 'node:tls'
import type { FastifyInstance } from 'fastify'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { NODE_CERTIFICATE } from '../../src/cluster-client/node-certificate.fixture.ts'
import { problem } from '../../src/errors.ts'
import { sendJson } from '../../src/http/answer/send-json.ts'
import { sendStream } from '../../src/http/answer/send-stream.ts'
import { stopServer } from '../../src/http/health/stop-server.ts'
import { readTextBody } from '../../src/http/request/body/json-body.ts'
import { requestSignal } from '../../src/http/request/caller.ts'
import { requestUrl } from '../../src/http/request/request-url.ts'
import { answerOf, ask, type CertificateFolder, makeCertificate, openSession } from './secure-server.ts'
import { type FixtureOptions, type Running, startServer } from './server-fixture.ts'

const LARGE = Buffer.alloc(5_000_000, 'x')
const MANY = 'large '.repeat(500_000)

let certificate: CertificateFolder
const running: Running[] = []
const sessions: ClientHttp2Session[] = []
beforeAll(() => {
  certificate = makeCertificate()
})
afterEach(async () => {
  for (const session of sessions.splice(0)) session.destroy()
  for (const server of running.splice(0)) await server.stop()
})
afterAll(() => certificate.remove())

async function start(options: FixtureOptions): Promise<Running> {
  const server = await startServer({
    ...options,
    flags: { ...certificate.flags, 'limits.bodyBytes': '100000', ...options.flags },
  })
  running.push(server)
  return server
}

function open({ port }: Running): ClientHttp2Session {
  const session = openSession(port)
  sessions.push(session)
  return session
}

/** Bodies that handlers got. */
const received: number[] = []

function routes(app: FastifyInstance, settings: Running['services']['settings']): void {
  app.get('/things', (request, reply) => sendJson(request, reply, []))
  app.get('/base', (request, reply) => sendJson(request, reply, requestUrl(request, settings).base))
  app.get('/large', (request, reply) => sendJson(request, reply, MANY))
  app.put('/things', (request, reply) => {
    received.push(readTextBody(request).length)
    return sendJson(request, reply, received.at(-1))
  })
  app.get('/broken', async (request, reply) => {
    async function* pieces(): AsyncGenerator<string> {
      yield 'a'.repeat(100_000)
      throw new Error('half way')
    }
    return sendStream(request, reply, pieces())
  })
  const onRequest = async (): Promise<never> => {
    throw problem('UNAUTHORIZED', {})
  }
  app.put('/refused', { onRequest }, onRequest)
}

const PUT = (path: string, headers = {}) => ({ ':method': 'PUT', ':path': path, ...headers })
const JSON_TYPE = { 'content-type': 'application/json' }

describe('HTTP/2', () => {
  test('answers requests of one connection, with addresses that are https', async () => {
    const session = open(await start({ routes: (app, { settings }) => routes(app, settings) }))
    const [things, base, head, none] = await Promise.all([
      ask(session, { ':path': '/things' }),
      ask(session, { ':path': '/base' }),
      ask(session, { ':path': '/things', ':method': 'HEAD' }),
      ask(session, { ':path': '/nothing' }),
    ])
    expect([session.alpnProtocol, things.status, things.text, head.text]).toEqual(['h2', 200, '[]', ''])
    expect(JSON.parse(base.text)).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/)
    expect(JSON.parse(none.text)).toMatchObject({ error: 'ROUTE_NOT_FOUND' })
    expect([things.code, head.code, none.code]).toEqual([0, 0, 0])
    const again = await ask(session, { ':path': '/things', 'if-none-match': String(things.headers.etag) })
    expect([again.status, again.text]).toEqual([304, ''])
  })

  test('clients without HTTP/2 get HTTP/1.1', async () => {
    const { port } = await start({ routes: (app, { settings }) => routes(app, settings) })
    for (const protocols of [undefined, ['http/1.1']]) {
      const socket = connectTls({
        ...{ port, host: '127.0.0.1', ca: NODE_CERTIFICATE },
        ...(protocols === undefined ? {} : { ALPNProtocols: protocols }),
      })
      socket.write('GET /base HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
      const pieces: Buffer[] = []
      for await (const piece of socket) pieces.push(piece)
      expect(Buffer.concat(pieces).toString()).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*"https:\/\/localhost"$/)
    }
  })

  test('large answers of one connection do not hinder each other', async () => {
    const session = open(await start({ routes: (app, { settings }) => routes(app, settings) }))
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, i) => ask(session, { ':path': i % 2 === 0 ? '/large' : '/things' })),
    )
    expect(answers.map(({ status, text }) => [status, text.length])).toEqual(
      answers.map((_, i) => [200, i % 2 === 0 ? MANY.length + 2 : 2]),
    )
  })

  test('an answer that breaks off is an error', async () => {
    const session = open(await start({ routes: (app, { settings }) => routes(app, settings) }))
    const { status, code } = await ask(session, { ':path': '/broken' })
    expect([status, code]).toEqual([200, constants.NGHTTP2_INTERNAL_ERROR])
  })
})

test('the audit line of a change has the address of the client', async () => {
  const server = await start({ routes: (app, { settings }) => routes(app, settings) })
  await ask(open(server), PUT('/things', JSON_TYPE), 'hello')
  await expect.poll(() => server.lines.find(({ audit }) => audit === true)).toMatchObject({ address: '127.0.0.1' })
})

describe('bodies', () => {
  test.each([
    ['with a length', { 'content-length': '5', ...JSON_TYPE }],
    ['without a length', JSON_TYPE],
    ['without a type', {}],
  ])('%s', async (_name, headers) => {
    const session = open(await start({ routes: (app, { settings }) => routes(app, settings) }))
    expect(await ask(session, PUT('/things', headers), 'hello')).toMatchObject({ status: 200, text: '5' })
  })

  test.each([
    ['an unknown path', '/nothing', JSON_TYPE, 404, 'ROUTE_NOT_FOUND'],
    ['a body over the limit', '/things', JSON_TYPE, 413, 'BODY_TOO_LARGE'],
    [
      'a declared body over the limit',
      '/things',
      { ...JSON_TYPE, 'content-length': `${LARGE.length}` },
      413,
      'BODY_TOO_LARGE',
    ],
    ['another media type', '/things', { 'content-type': 'image/png' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['missing credentials', '/refused', JSON_TYPE, 401, 'UNAUTHORIZED'],
    ['a URL over the limit', `/things?${'x'.repeat(70_000)}`, JSON_TYPE, 414, 'URI_TOO_LONG'],
    [
      'headers over the limit',
      '/things',
      { 'x-a': 'x'.repeat(40_000), 'x-b': 'x'.repeat(40_000) },
      431,
      'LIMIT_EXCEEDED',
    ],
    ['another host', '/things', { ':authority': 'localhost:2', host: 'localhost:1' }, 400, 'INVALID_PARAMETER'],
    ['an unknown method', '/things', { ':method': 'PROPFIND' }, 405, 'METHOD_NOT_ALLOWED'],
  ])(
    '%s is refused before the body has arrived, and the connection goes on',
    async (_name, path, headers, status, error) => {
      const session = open(await start({ routes: (app, { settings }) => routes(app, settings) }))
      const answer = await ask(session, PUT(path, headers), LARGE)
      expect([answer.status, JSON.parse(answer.text).error, answer.code]).toEqual([status, error, 0])
      expect(await ask(session, { ':path': '/things' })).toMatchObject({ status: 200 })
    },
  )

  test('CONNECT is refused', async () => {
    const session = open(await start({ routes: (app, { settings }) => routes(app, settings) }))
    const stream = session.request({ ':method': 'CONNECT', ':authority': 'localhost:80' })
    expect(await answerOf(stream)).toMatchObject({ status: 405, text: expect.stringContaining('METHOD_NOT_ALLOWED') })
  })

  test('Expect: 100-continue asks for a body only if it will be read', async () => {
    const session = open(await start({ routes: (app, { settings }) => routes(app, settings) }))
    for (const [path, asked, status] of [
      ['/things', true, 200],
      ['/refused', false, 401],
    ] as const) {
      const stream = session.request(PUT(path, { ...JSON_TYPE, expect: '100-continue' }), { endStream: false })
      const answer = answerOf(stream)
      let isAsked = false
      stream.on('continue', () => {
        isAsked = true
        stream.end('hello')
      })
      expect([(await answer).status, isAsked]).toEqual([status, asked])
    }
  })

  test('a body that breaks off is not taken for a whole one', async () => {
    received.length = 0
    const server = await start({ routes: (app, { settings }) => routes(app, settings) })
    for (const headers of [JSON_TYPE, { ...JSON_TYPE, 'content-length': '100' }]) {
      const session = open(server)
      const stream = session.request(PUT('/things', headers), { endStream: false })
      const closed = answerOf(stream)
      await new Promise((resolve) => stream.write('half', resolve))
      await ask(session, { ':path': '/things' })
      session.destroy()
      await closed
    }
    await expect.poll(() => server.lines.filter(({ status }) => status === 499)).toHaveLength(2)
    expect(received).toEqual([])
    expect(server.lines.filter((line) => Number(line.level) >= 40)).toEqual([])
  })

  test('must arrive within limits.arrivalMs', async () => {
    const server = await start({
      routes: (app, { settings }) => routes(app, settings),
      flags: { 'limits.arrivalMs': '100' },
    })
    const stream = open(server).request(PUT('/things', JSON_TYPE), { endStream: false })
    const answer = answerOf(stream)
    stream.write('half')
    expect(await answer).toMatchObject({ status: 408, text: expect.stringContaining('limits.arrivalMs') })
  })
})

/** Work that ends when it is told to, or when its request is aborted. */
function work() {
  const waiting: (() => void)[] = []
  const reasons: unknown[] = []
  let started = 0
  return {
    routes: (app: FastifyInstance): void => {
      app.get('/work', async (request, reply) => {
        started++
        const signal = requestSignal(request)
        await new Promise<void>((resolve, reject) => {
          waiting.push(resolve)
          signal.addEventListener('abort', () => {
            reasons.push(signal.reason)
            reject(new Error('interrupted'))
          })
        })
        return sendJson(request, reply, 'done')
      })
      app.get('/endless', async (request, reply) => {
        async function* pieces(): AsyncGenerator<string> {
          try {
            for (;;) yield 'x'.repeat(10_000)
          } finally {
            reasons.push('ended')
          }
        }
        return sendStream(request, reply, pieces())
      })
    },
    started: () => started,
    reasons,
    finish: () => {
      for (const resolve of waiting) resolve()
    },
  }
}

describe('a client that leaves', () => {
  test.each(['/work', '/endless'])('stops %s, whether it resets the request or closes the connection', async (path) => {
    const { routes, started, reasons } = work()
    const server = await start({ routes })
    for (const leave of ['reset', 'close']) {
      const before = [started(), reasons.length] as const
      const session = open(server)
      const stream = session.request({ ':path': path })
      stream.on('error', () => undefined)
      if (path === '/work') await expect.poll(started).toBe(before[0] + 1)
      else await once(stream, 'data')
      if (leave === 'reset') stream.close(constants.NGHTTP2_CANCEL)
      else session.destroy()
      await expect.poll(() => reasons.length).toBe(before[1] + 1)
    }
    await expect.poll(() => server.lines.filter(({ status }) => status === 499)).toHaveLength(2)
  })
})

describe('stopping', () => {
  test('lets running requests finish, then closes the connection', async () => {
    const { routes, started, finish } = work()
    const server = await startServer({ routes, flags: certificate.flags })
    const [session, idle] = [open(server), open(server)]
    const closed = [once(session, 'close'), once(idle, 'close')]
    await once(idle, 'connect')
    const answer = ask(session, { ':path': '/work' })
    await expect.poll(started).toBe(1)
    const stopped = stopServer(server.app, server.services, { graceMs: 3_600_000 })
    await closed[1]
    expect(server.closed).toEqual([])
    finish()
    expect(await answer).toMatchObject({ status: 200, text: '"done"' })
    await Promise.all([stopped, ...closed])
    expect(server.closed).toEqual(['engine', 'store'])
  })

  test('ends requests and handshakes that outlast the grace time', async () => {
    const { routes, started, reasons } = work()
    const server = await startServer({ routes, flags: certificate.flags })
    const answer = ask(open(server), { ':path': '/work' })
    await expect.poll(started).toBe(1)
    await stopServer(server.app, server.services, { graceMs: 50 })
    expect([(await answer).status, reasons.length, server.closed]).toEqual([undefined, 1, ['engine', 'store']])
  })
})
