import { once } from 'node:events'
import { Agent, request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { afterEach, describe, expect, test } from 'vitest'
import { sendJson } from '../../src/http/answer/send-json.ts'
import { stopServer } from '../../src/http/health/stop-server.ts'
import { requestSignal } from '../../src/http/request/caller.ts'
import type { Routes } from '../../src/http/services.ts'
import { errorOf, type FixtureOptions, type Running, startServer } from './server-fixture.ts'

/** Work that goes on until its signal says stop, or `finish` is called. */
function work(): { routes: Routes; started: () => number; reasons: unknown[]; finish: () => void } {
  const reasons: unknown[] = []
  const waiting: (() => void)[] = []
  let started = 0
  const routes = (app: FastifyInstance): void => {
    app.get('/work', async (request, reply) => {
      const signal = requestSignal(request)
      started += 1
      await new Promise<void>((resolve, reject) => {
        waiting.push(resolve)
        signal.addEventListener('abort', () => {
          reasons.push(signal.reason)
          reject(new Error('INTERRUPT Error: Interrupted!'))
        })
      })
      return sendJson(request, reply, 'done')
    })
    app.get('/deaf', async () => new Promise(() => undefined))
    app.get('/patient', { config: { timeLimit: false } }, async (request, reply) => {
      await new Promise((resolve) => setTimeout(resolve, 300))
      return sendJson(request, reply, 'done')
    })
    app.get('/quick', (request, reply) => sendJson(request, reply, 'quick'))
  }
  const finish = (): void => {
    for (const resolve of waiting) resolve()
  }
  return { routes, started: () => started, reasons, finish }
}

const running: Running[] = []
afterEach(async () => {
  for (const server of running.splice(0)) await server.stop()
})
async function start(options: FixtureOptions): Promise<Running> {
  const server = await startServer(options)
  running.push(server)
  return server
}

describe('time', () => {
  test('over limits.timeMs the work is stopped and the answer is 504', async () => {
    const { routes, reasons } = work()
    const server = await start({ routes, flags: { 'limits.timeMs': '50' } })
    const response = await fetch(`${server.base}/work`)
    expect(await errorOf(response)).toMatchObject({
      status: 504,
      error: 'ENGINE_TIMEOUT',
      message: expect.stringContaining('limits.timeMs'),
    })
    expect(reasons).toHaveLength(1)
  })

  test('work that does not listen is answered for', async () => {
    const server = await start({ routes: work().routes, flags: { 'limits.timeMs': '50' } })
    const response = await fetch(`${server.base}/deaf`)
    expect([response.status, (await errorOf(response)).error]).toEqual([504, 'ENGINE_TIMEOUT'])
  })

  test('a route may be given more', async () => {
    const server = await start({ routes: work().routes, flags: { 'limits.timeMs': '50' } })
    expect((await fetch(`${server.base}/patient`)).status).toBe(200)
  })
})

describe('a client that leaves', () => {
  test('stops the work, and is logged as such', async () => {
    const { routes, started, reasons } = work()
    const server = await start({ routes })
    const controller = new AbortController()
    const request = fetch(`${server.base}/work`, { signal: controller.signal })
    await expect.poll(started).toBe(1)
    controller.abort()
    await expect(request).rejects.toThrow()
    await expect.poll(() => reasons).toMatchObject([{ name: 'ClientLeft' }])
    await expect.poll(() => server.lines.find((line) => line.route === '/work')).toMatchObject({ status: 499 })
    expect(server.lines.filter((line) => Number(line.level) >= 40)).toEqual([])
  })

  test('does not disturb those who stay', async () => {
    const server = await start({ routes: work().routes })
    const socket = connect(server.port, '127.0.0.1')
    socket.write('POST /work HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{"a"')
    await once(socket, 'connect')
    socket.destroy()
    expect((await fetch(`${server.base}/quick`)).status).toBe(200)
  })
})

test('a connection serves several requests', async () => {
  const server = await start({ routes: work().routes })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const ports = new Set<number | undefined>()
  for (const path of ['/quick', '/nothing', '/quick']) {
    await new Promise<void>((resolve, reject) => {
      httpRequest(`${server.base}${path}`, { agent }, (response) => {
        ports.add(response.socket.localPort)
        response.resume().on('end', resolve)
      })
        .on('error', reject)
        .end()
    })
  }
  agent.destroy()
  expect(ports.size).toBe(1)
})

describe('stopping', () => {
  test('lets running requests finish, then closes the engine and the store', async () => {
    const { routes, started, finish } = work()
    const server = await startServer({ routes })
    const answer = fetch(`${server.base}/work`)
    await expect.poll(started).toBe(1)
    const stopped = stopServer(server.app, server.services)
    await expect
      .poll(() =>
        fetch(`${server.base}/quick`).then(
          () => 'served',
          () => 'refused',
        ),
      )
      .toBe('refused')
    expect(server.closed).toEqual([])
    finish()
    const response = await answer
    expect([response.status, response.headers.get('connection'), await response.json()]).toEqual([200, 'close', 'done'])
    await stopped
    expect(server.closed).toEqual(['engine', 'store'])
  })

  test('ends requests that outlast the grace time', async () => {
    const { routes, started, reasons } = work()
    const server = await startServer({ routes })
    const answer = fetch(`${server.base}/work`).then(
      () => 'answered',
      () => 'cut',
    )
    await expect.poll(started).toBe(1)
    await stopServer(server.app, server.services, { graceMs: 50 })
    expect([await answer, reasons.length, server.closed]).toEqual(['cut', 1, ['engine', 'store']])
  })

  test('does not wait for idle connections', async () => {
    const server = await startServer({ routes: work().routes })
    await (await fetch(`${server.base}/quick`)).text()
    // Far beyond the time of a test: waiting would fail it.
    await stopServer(server.app, server.services, { graceMs: 3_600_000 })
    expect(server.closed).toEqual(['engine', 'store'])
  })
})
