import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { afterEach, describe, expect, test } from 'vitest'
import { type ErrorCode, problem } from '../../src/errors.ts'
import { sendJson } from '../../src/http/answer/send-json.ts'
import { readTextBody } from '../../src/http/request/body/json-body.ts'
import { type Running, startServer } from './server-fixture.ts'

const REFUSALS = {
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  TOO_MANY_REQUESTS: 429,
  ENGINE_UNAVAILABLE: 503,
} as const satisfies Partial<Record<ErrorCode, number>>

function routes(app: FastifyInstance): void {
  app.get('/things', (request, reply) => sendJson(request, reply, []))
  app.put('/things', (request, reply) => sendJson(request, reply, readTextBody(request).length))
  for (const code of Object.keys(REFUSALS) as (keyof typeof REFUSALS)[]) {
    const onRequest = async (): Promise<never> => {
      throw problem(code, {})
    }
    app.put(`/refused/${code}`, { onRequest }, onRequest)
  }
}

const running: Running[] = []
const sockets: Socket[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  for (const server of running.splice(0)) await server.stop()
})

async function start(flags: Readonly<Record<string, string>> = {}): Promise<Running> {
  const server = await startServer({ routes, flags: { 'limits.bodyBytes': '100000', ...flags } })
  running.push(server)
  return server
}

/** A client that reads nothing until it is told to. */
async function connect(port: number): Promise<Socket> {
  const socket = new Socket()
  sockets.push(socket)
  // Whoever writes or reads is told.
  socket.on('error', () => undefined)
  socket.pause()
  socket.connect(port, '127.0.0.1')
  await once(socket, 'connect')
  return socket
}

/** Fails when the connection is reset before all is written. */
function write(socket: Socket, bytes: string | Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.write(bytes, (error) => (error ? reject(error) : resolve()))
  })
}

/** Writes everything before it reads anything, as urllib and requests do. */
async function writeThenRead(port: number, head: string, body: Buffer): Promise<string> {
  const socket = await connect(port)
  await write(socket, head)
  await write(socket, body)
  return text(socket)
}

const PUT = (path: string, ...headers: readonly string[]): string =>
  [`PUT ${path} HTTP/1.1`, 'Host: localhost', ...headers, '', ''].join('\r\n')

const JSON_TYPE = 'Content-Type: application/json'
const CLOSE = 'Connection: close'
const LARGE = randomBytes(5_000_000)
const LENGTH = `Content-Length: ${LARGE.length}`

function chunked(bytes: Buffer): Buffer {
  const pieces: Buffer[] = []
  for (let at = 0; at < bytes.length; at += 60_000) {
    const piece = bytes.subarray(at, at + 60_000)
    pieces.push(Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n'))
  }
  return Buffer.concat([...pieces, Buffer.from('0\r\n\r\n')])
}

/** The whole answer: nothing follows the body. */
function expectProblem(answer: string, status: number, error: string): void {
  const [head = '', ...rest] = answer.split('\r\n\r\n')
  expect(head.split('\r\n')[0]).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  expect(head.toLowerCase()).toContain('connection: close')
  expect(JSON.parse(rest.join('\r\n\r\n'))).toMatchObject({ status, error })
}

describe('a client that sends everything before it reads', () => {
  const tooLong = `/things?${'x'.repeat(70_000)}`
  test.each<[string, string, readonly string[], number, string]>([
    ['an unknown path', '/nothing', [JSON_TYPE], 404, 'ROUTE_NOT_FOUND'],
    ['a method the path does not have', '/livez', [JSON_TYPE], 405, 'METHOD_NOT_ALLOWED'],
    ['a body over the limit', '/things', [JSON_TYPE], 413, 'BODY_TOO_LARGE'],
    ['another media type', '/things', ['Content-Type: image/png'], 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['another encoding', '/things', [JSON_TYPE, 'Content-Encoding: br'], 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['an answer it does not accept', '/things', [JSON_TYPE, 'Accept: image/png'], 406, 'NOT_ACCEPTABLE'],
    ['a URL over the limit', tooLong, [JSON_TYPE], 414, 'URI_TOO_LONG'],
    ['a path that does not decode', '/things/%ff', [JSON_TYPE], 400, 'INVALID_PARAMETER'],
    ['headers over the limit', '/things', [`X-Long: ${'x'.repeat(80_000)}`], 431, 'LIMIT_EXCEEDED'],
    ['headers far over the limit', '/things', [`X-Long: ${'x'.repeat(900_000)}`], 431, 'LIMIT_EXCEEDED'],
    ['a header that is none', '/things', ['no header'], 400, 'INVALID_PARAMETER'],
    ...Object.entries(REFUSALS).map(([code, status]): [string, string, string[], number, string] => [
      code,
      `/refused/${code}`,
      [JSON_TYPE],
      status,
      code,
    ]),
  ])('%s: the answer is read', async (_name, path, headers, status, error) => {
    const { port } = await start()
    expectProblem(await writeThenRead(port, PUT(path, LENGTH, CLOSE, ...headers), LARGE), status, error)
    const pieces = ['Transfer-Encoding: chunked', ...headers]
    expectProblem(await writeThenRead(port, PUT(path, ...pieces), chunked(LARGE)), status, error)
  })

  test('a gzip body that inflates to more than the limit', async () => {
    const { port } = await start()
    const body = Buffer.concat([gzipSync(Buffer.alloc(3_000_000)), LARGE])
    const headers = [JSON_TYPE, 'Content-Encoding: gzip', CLOSE]
    const whole = PUT('/things', `Content-Length: ${body.length}`, ...headers)
    // The declared size is over the limit already.
    expectProblem(await writeThenRead(port, whole, body), 413, 'BODY_TOO_LARGE')
    const pieces = PUT('/things', 'Transfer-Encoding: chunked', ...headers)
    expectProblem(await writeThenRead(port, pieces, chunked(body)), 413, 'BODY_TOO_LARGE')
    expectProblem(await writeThenRead(port, pieces, chunked(LARGE)), 400, 'INVALID_BODY')
  })

  test('a body that a GET does not need', async () => {
    const { port } = await start()
    const head = `GET /things HTTP/1.1\r\nHost: localhost\r\n${LENGTH}\r\n${CLOSE}\r\n\r\n`
    expect(await writeThenRead(port, head, LARGE)).toMatch(/^HTTP\/1\.1 200 [\s\S]*\[\]$/)
  })

  test('the request counts with the status it was answered', async () => {
    const { port, lines } = await start()
    await writeThenRead(port, PUT('/nothing', LENGTH, JSON_TYPE, CLOSE), LARGE)
    expect(lines.filter((line) => line.status !== undefined)).toMatchObject([{ status: 404 }])
  })
})

describe('the connection after an early answer', () => {
  test('is used again when the rest is within the limit', async () => {
    const { port } = await start()
    const socket = await connect(port)
    for (const path of ['/nothing', '/things']) {
      await write(socket, PUT(path, LENGTH, JSON_TYPE))
      await write(socket, LARGE)
    }
    await write(socket, `GET /things HTTP/1.1\r\nHost: localhost\r\n${CLOSE}\r\n\r\n`)
    const answers = await text(socket)
    expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 404', 'HTTP/1.1 413', 'HTTP/1.1 200'])
    expect(answers.toLowerCase().match(/connection: close/g)).toHaveLength(1)
  })

  test('is closed when the rest is longer than limits.discardBytes', async () => {
    const { port } = await start({ 'limits.discardBytes': '200000' })
    for (const length of ['Content-Length: 9000000000', 'Transfer-Encoding: chunked']) {
      const socket = await connect(port)
      await write(socket, PUT('/nothing', length, JSON_TYPE))
      const piece = chunked(Buffer.alloc(60_000)).subarray(0, -5)
      const sendOn = async (): Promise<void> => {
        for (;;) await write(socket, piece)
      }
      await expect(sendOn()).rejects.toThrow(/EPIPE|ECONNRESET/)
    }
  })

  test('is closed when the rest does not come within limits.discardMs', async () => {
    const { port } = await start({ 'limits.discardMs': '50' })
    for (const headers of [[LENGTH], [LENGTH, CLOSE], ['Transfer-Encoding: chunked']]) {
      const socket = await connect(port)
      await write(socket, PUT('/nothing', JSON_TYPE, ...headers))
      const closed = once(socket, 'close')
      expect(await text(socket)).toContain('HTTP/1.1 404')
      await closed
    }
  })
})

describe('Expect: 100-continue', () => {
  const EXPECT = 'Expect: 100-continue'

  test('a body that will not be read is not asked for', async () => {
    const { port } = await start()
    for (const [path, status] of [
      ['/nothing', 404],
      ['/things', 413],
      ['/refused/UNAUTHORIZED', 401],
    ] as const) {
      const socket = await connect(port)
      await write(socket, PUT(path, LENGTH, JSON_TYPE, EXPECT))
      const answer = await text(socket)
      expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
      expect(answer.toLowerCase()).toContain('connection: close')
    }
  })

  test('a client that sends it all the same reads the answer', async () => {
    const { port } = await start()
    const head = PUT('/nothing', LENGTH, JSON_TYPE, EXPECT)
    expectProblem(await writeThenRead(port, head, LARGE), 404, 'ROUTE_NOT_FOUND')
  })

  test('a body that is read is asked for, and the connection is used again', async () => {
    const { port } = await start()
    const socket = await connect(port)
    await write(socket, PUT('/things', 'Content-Length: 5', JSON_TYPE, EXPECT))
    socket.resume()
    const [asked] = await once(socket, 'data')
    expect(String(asked)).toBe('HTTP/1.1 100 Continue\r\n\r\n')
    await write(socket, `hello${PUT('/things', 'Content-Length: 0', CLOSE)}`)
    expect((await text(socket)).match(/^HTTP\/1\.1 \d+|^\d/gm)).toEqual(['HTTP/1.1 200', '5', '0'])
  })
})
