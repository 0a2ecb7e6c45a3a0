import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createServer as createTcpServer, type Server as TcpServer } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { createEgressClient, EgressTimeout } from './egress-client.ts'
import { EgressDenied } from './egress-denied.ts'
import { createEgressGuard, type ResolveName } from './egress-guard.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function listen<T extends Server | TcpServer>(server: T, host = '127.0.0.1', port = 0): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  closing.push(
    () =>
      new Promise((resolve) => {
        server.close(resolve)
        if ('closeAllConnections' in server) server.closeAllConnections()
      }),
  )
  return (server.address() as AddressInfo).port
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void

const ok: Handler = (request, response) => {
  request.resume().on('end', () => response.end('ok'))
}

function clientWith(
  options: { allow?: string[]; resolve?: ResolveName; proxy?: string; connectTimeoutMs?: number } = {},
) {
  const { allow = ['127.0.0.1/32'], resolve, proxy, connectTimeoutMs = 2_000 } = options
  const guard = createEgressGuard({
    settings: { httpsOnly: false, ports: ['1-65535'], allow, only: false },
    ...(resolve === undefined ? {} : { resolve }),
  })
  const client = createEgressClient(guard, { connectTimeoutMs, ...(proxy === undefined ? {} : { proxy }) })
  closing.push(() => client.close())
  return client
}

const post = (url: string, timeoutMs = 5_000) => ({
  url,
  method: 'POST' as const,
  headers: { 'content-type': 'text/plain' },
  body: 'hello',
  timeoutMs,
})

describe('calls to targets others gave', () => {
  it('go to the checked address, under the name', async () => {
    const hosts: (string | undefined)[] = []
    const port = await listen(
      createServer((request, response) => {
        hosts.push(request.headers.host)
        ok(request, response)
      }),
    )
    const client = clientWith({ resolve: async () => ['127.0.0.1'] })
    const { status } = await client.request(post(`http://hooks.example.com.:${port}/a?b=c`))
    expect([status, hosts]).toEqual([200, [`hooks.example.com:${port}`]])
  })

  it('reach nobody when the name changes its answer between check and connection', async () => {
    const strangers: string[] = []
    const bad = createTcpServer((socket) => strangers.push(String(socket.remoteAddress)))
    const port = await listen(bad, '127.0.0.2')
    const good = createServer(ok)
    await listen(good, '127.0.0.1', port)
    let asked = 0
    const resolve = async () => (asked++ === 0 ? ['127.0.0.1'] : ['127.0.0.2'])
    const client = clientWith({ resolve })
    expect((await client.request(post(`http://rebind.example.com:${port}/`))).status).toBe(200)
    expect(asked).toBe(1)
    await expect(client.request(post(`http://rebind.example.com:${port}/`))).rejects.toThrow(EgressDenied)
    expect(strangers).toEqual([])
  })

  it('make no connection to a name with one good and one bad address', async () => {
    let connections = 0
    const port = await listen(createTcpServer(() => connections++))
    const client = clientWith({ resolve: async () => ['127.0.0.1', '127.0.0.2'] })
    await expect(client.request(post(`http://mixed.example.com:${port}/`))).rejects.toThrow(EgressDenied)
    expect(connections).toBe(0)
  })

  it('keep a connection for the same name and address only', async () => {
    let connections = 0
    const server = createServer(ok).on('connection', () => connections++)
    const port = await listen(server)
    const client = clientWith({ resolve: async () => ['127.0.0.1'] })
    for (let i = 0; i < 10; i++) await client.request(post(`http://a.example.com:${port}/${i}`))
    const ofOneName = connections
    // The connection may still be busy when the next request follows at once.
    expect(ofOneName).toBeLessThanOrEqual(2)
    await client.request(post(`http://b.example.com:${port}/`))
    expect(connections).toBe(ofOneName + 1)
  })

  it('follow no redirect', async () => {
    let requests = 0
    const port = await listen(
      createServer((_request, response) => {
        requests++
        response.writeHead(302, { location: '/elsewhere' }).end()
      }),
    )
    expect((await clientWith().request(post(`http://127.0.0.1:${port}/`))).status).toBe(302)
    expect(requests).toBe(1)
  })

  it('take no proxy from the environment, and the one of the settings', async () => {
    const seen: string[] = []
    const proxyPort = await listen(
      createServer((request, response) => {
        seen.push(`${request.method} ${request.url} ${request.headers.host}`)
        ok(request, response)
      }),
    )
    const port = await listen(createServer(ok))
    process.env.http_proxy = `http://127.0.0.1:${proxyPort}`
    try {
      await clientWith().request(post(`http://127.0.0.1:${port}/`))
    } finally {
      delete process.env.http_proxy
    }
    expect(seen).toEqual([])
    const proxied = clientWith({ proxy: `http://127.0.0.1:${proxyPort}` })
    expect((await proxied.request(post(`http://127.0.0.1:${port}/x`))).status).toBe(200)
    expect(seen).toEqual([`POST http://127.0.0.1:${port}/x 127.0.0.1:${port}`])
    await expect(proxied.request(post('http://10.0.0.1/'))).rejects.toThrow(EgressDenied)
    expect(seen.length).toBe(1)
  })

  it('read little of an answer without end, and keep its status', async () => {
    let sent = 0
    let closed = false
    const port = await listen(
      createServer((request, response) => {
        request.resume()
        response.on('close', () => {
          closed = true
        })
        const chunk = Buffer.alloc(64 * 1024)
        const write = (): void => {
          while (!closed && response.write(chunk)) sent += chunk.length
        }
        response.on('drain', write)
        write()
      }),
    )
    expect((await clientWith().request(post(`http://127.0.0.1:${port}/`))).status).toBe(200)
    await expect.poll(() => closed).toBe(true)
    expect(sent).toBeLessThan(16 * 1024 * 1024)
  })

  it.each<readonly [string, Handler]>([
    [
      'announces more than it sends',
      (_request, response) => response.writeHead(200, { 'content-length': '99' }).write('x', () => response.destroy()),
    ],
    ['hangs in its body', (_request, response) => response.writeHead(200).write('x')],
  ])('believe the status of a target that %s', async (_name, handler) => {
    const port = await listen(createServer(handler))
    expect((await clientWith().request(post(`http://127.0.0.1:${port}/`))).status).toBe(200)
  })

  it('end when the target does not answer in time, or the name is not looked up in time', async () => {
    const port = await listen(createServer(() => undefined))
    await expect(clientWith().request(post(`http://127.0.0.1:${port}/`, 80))).rejects.toThrow(EgressTimeout)
    const slow = clientWith({ resolve: () => new Promise(() => undefined) })
    await expect(slow.request(post('http://slow.example.com/', 80))).rejects.toThrow(EgressTimeout)
  })

  it('end when they are called off', async () => {
    const port = await listen(createServer(() => undefined))
    const controller = new AbortController()
    const calling = clientWith().request({ ...post(`http://127.0.0.1:${port}/`), signal: controller.signal })
    controller.abort(new Error('stopped'))
    await expect(calling).rejects.toThrow('stopped')
  })
})
