import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Call } from '../support/http-client.ts'
import { type GuardedServer, loadTwoCollections, startGuardedServer } from './access/guarded-server.ts'

const FOREIGN = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
const ALLOW = 'access-control-allow-origin'
const ADMIN = 'role/periplus/admin'

describe('a server nobody configured', () => {
  let server: GuardedServer
  beforeAll(async () => {
    server = await startGuardedServer({})
    await loadTwoCollections(server)
  })
  afterAll(() => server.stop())

  test.each([
    'http://localhost:4200',
    'https://localhost',
    'http://127.0.0.1:8080',
    'http://127.9.9.9',
    'http://[::1]:3000',
  ])('works with a dashboard at %s', async (origin) => {
    const asked = { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' }
    const preflight = await server.ask('/explore/open/_search', asked, { method: 'OPTIONS' })
    expect([preflight.status, preflight.headers[ALLOW]]).toEqual([204, origin])
    expect(preflight.headers['access-control-allow-headers']).toContain('Content-Type')
    const page = { origin, 'sec-fetch-site': 'cross-site' }
    const found = await server.ask('/explore/open/_search', page, { method: 'POST', body: {} })
    expect([found.status, found.headers[ALLOW], found.headers.vary]).toEqual([
      200,
      origin,
      expect.stringContaining('Origin'),
    ])
    const changed = await server.ask('/collections/open/display_names/collection', page, {
      method: 'PATCH',
      body: '"Open"',
    })
    expect([changed.status, changed.headers[ALLOW]]).toEqual([200, origin])
  })

  test.each([
    'https://evil.example',
    'http://localhost.evil.example',
    'http://127.0.0.1.evil.example',
    'http://evil.example:80@localhost',
    'http://128.0.0.1',
    'http://[::2]',
    'ftp://localhost',
    'null',
  ])('is read by no page of %s', async (origin) => {
    const got = await server.ask('/explore/open/_search', { origin })
    expect([got.status, got.headers[ALLOW]]).toEqual([200, undefined])
    const asked = { origin, 'access-control-request-method': 'PUT' }
    expect((await server.ask('/collections/x', asked, { method: 'OPTIONS' })).headers[ALLOW]).toBeUndefined()
    const failed = await server.ask('/nothing', { origin })
    expect([failed.status, failed.headers[ALLOW]]).toEqual([404, undefined])
  })

  const json = { 'content-type': 'application/json' }
  const plain = { 'content-type': 'text/plain' }
  const document = '{"id":"d","time":1,"place":"1,1"}'
  test.each<[string, Call]>([
    ['a collection', { method: 'DELETE', path: '/collections/open' }],
    ['a collection under an alias', { method: 'DELETE', path: '/arlas/collections/open' }],
    ['an import', { method: 'POST', path: '/collections/_import', body: 'file=[]' }],
    ['an index', { method: 'DELETE', path: '/index/things' }],
    ['a document', { method: 'POST', path: '/index/things/_doc', headers: json, body: document }],
    ['a document in plain text', { method: 'POST', path: '/index/things/_doc', headers: plain, body: document }],
    ['a load', { method: 'POST', path: '/index/_bulk', headers: plain, body: '{"index":{}}\n{}\n' }],
    ['a tag', { method: 'POST', path: '/write/open/_tag', headers: plain, body: '{}' }],
    ['a subscription', { method: 'POST', path: '/subscriptions', headers: plain, body: '{}' }],
    ['an event', { method: 'POST', path: '/events', headers: plain, body: '{}' }],
  ])('is not changed by a foreign page: %s', async (_name, { path, headers, ...more }) => {
    for (const foreign of [
      FOREIGN,
      { origin: 'https://evil.example' },
      { origin: 'null', 'sec-fetch-site': 'cross-site' },
      { origin: 'http://evil.example', 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ]) {
      const answer = await server.ask(path, { ...headers, ...foreign }, more)
      expect(answer.status, JSON.stringify(foreign)).toBe(403)
      expect(answer.json()).toMatchObject({
        error: 'FORBIDDEN',
        message: expect.stringContaining('server.cors.origins'),
      })
    }
    expect((await server.ask('/index/things/_count')).json()).toMatchObject({ count: 3 })
  })

  test.each([
    '_search',
    '_geosearch',
    '_count',
    '_aggregate',
    '_geoaggregate',
    '_compute',
    '_shapesearch',
    '_shapeaggregate',
  ])('takes POST %s for the reading it is', async (operation) => {
    const own = await server.ask(`/explore/open/${operation}`, {}, { method: 'POST', body: {} })
    const foreign = await server.ask(`/explore/open/${operation}`, FOREIGN, { method: 'POST', body: {} })
    expect([foreign.status, foreign.headers[ALLOW]]).toEqual([own.status, undefined])
    expect(foreign.status).not.toBe(403)
  })

  test.each(['_count', '_search', '_refresh'])(
    'takes POST /index/things/%s for the reading it is',
    async (operation) => {
      expect((await server.ask(`/index/things/${operation}`, FOREIGN, { method: 'POST' })).status).toBe(200)
    },
  )

  test('is changed by its own pages and by programs', async () => {
    const rename = (headers: Record<string, string>) =>
      server.ask('/collections/open/display_names/collection', headers, { method: 'PATCH', body: '"Open"' })
    const { host } = new URL(server.base)
    expect((await rename({})).status).toBe(200)
    expect((await rename({ origin: `http://${host}`, 'sec-fetch-site': 'same-origin' })).status).toBe(200)
    expect((await rename({ origin: `http://${host}` })).status).toBe(200)
    // a proxy that keeps neither the Host header nor the scheme
    expect((await rename({ origin: 'https://maps.example', 'sec-fetch-site': 'same-origin' })).status).toBe(200)
    expect((await rename({ 'sec-fetch-site': 'none' })).status).toBe(200)
  })

  test.each(['localhost', 'LocalHost.:9999', '127.0.0.1', '127.1.2.3:80', '[::1]:9999'])(
    'answers to the host %s',
    async (host) => {
      expect((await server.ask('/livez', { host })).status).toBe(200)
    },
  )

  test.each(['evil.example', 'evil.example:9999', '10.0.0.1', '[::2]', 'localhost.evil.example', 'a b', '@localhost'])(
    'does not answer to the host %s',
    async (host) => {
      for (const [method, path] of [
        ['GET', '/livez'],
        ['POST', '/explore/open/_count'],
        ['OPTIONS', '/collections'],
        ['GET', '/nothing'],
      ] as const) {
        const answer = await server.ask(path, { host }, { method })
        expect(answer.json()).toEqual({
          status: 421,
          error: 'MISDIRECTED_REQUEST',
          message: `Host '${host}' is not a name of this server (settings server.publicUrl, server.allowedHosts)`,
        })
        expect(answer.status).toBe(421)
      }
    },
  )
})

async function withServer(
  flags: Readonly<Record<string, string>>,
  use: (server: GuardedServer) => Promise<void>,
): Promise<void> {
  const server = await startGuardedServer(flags)
  try {
    await use(server)
  } finally {
    await server.stop()
  }
}

const statusOf = async (server: GuardedServer, headers: Record<string, string>, method = 'DELETE') =>
  (await server.ask('/collections/nope', headers, { method })).status

test('origins that are configured may read and change, beside those of this machine', async () => {
  await withServer({ 'server.cors.origins': 'https://maps.example' }, async (server) => {
    for (const origin of ['https://maps.example', 'http://localhost:4200']) {
      const answer = await server.ask(
        '/collections/nope',
        { origin, 'sec-fetch-site': 'cross-site' },
        { method: 'DELETE' },
      )
      expect([answer.status, answer.headers[ALLOW]]).toEqual([404, origin])
    }
    expect(await statusOf(server, FOREIGN)).toBe(403)
  })
})

test('any origin may, when the settings say so', async () => {
  await withServer({ 'server.cors.origins': '*' }, async (server) => {
    const answer = await server.ask('/collections/nope', FOREIGN, { method: 'DELETE' })
    expect([answer.status, answer.headers[ALLOW]]).toEqual([404, '*'])
  })
})

test('without CORS no page of another origin may, not even of this machine', async () => {
  await withServer({ 'server.cors.enabled': 'false' }, async (server) => {
    const page = { origin: 'http://localhost:4200' }
    expect([await statusOf(server, page), await statusOf(server, {})]).toEqual([403, 404])
    expect((await server.ask('/collections', page)).headers[ALLOW]).toBeUndefined()
  })
})

test('where a key is needed any page may send it, unless origins are named', async () => {
  await withServer({ 'auth.modes': 'apikey' }, async (server) => {
    const key = { 'x-api-key': server.addKey({ roles: [ADMIN] }) }
    const answer = await server.ask('/collections/nope', { ...FOREIGN, ...key }, { method: 'DELETE' })
    expect([answer.status, answer.headers[ALLOW]]).toEqual([404, '*'])
  })
  await withServer({ 'auth.modes': 'apikey', 'server.cors.origins': 'https://maps.example' }, async (server) => {
    const key = { 'x-api-key': server.addKey({ roles: [ADMIN] }) }
    expect(await statusOf(server, { ...key, origin: 'https://maps.example' })).toBe(404)
    expect(await statusOf(server, { ...key, origin: 'http://localhost:4200' })).toBe(403)
    expect(await statusOf(server, { ...key, ...FOREIGN })).toBe(403)
  })
})

test('where a proxy tells who calls, a foreign page cannot act for them', async () => {
  await withServer({ 'auth.modes': 'header', 'server.trustedProxies': '127.0.0.1' }, async (server) => {
    const proxied = { 'arlas-user': 'ann', 'arlas-groups': ADMIN }
    expect(await statusOf(server, proxied)).toBe(404)
    expect(await statusOf(server, { ...proxied, ...FOREIGN })).toBe(403)
    const own = { 'x-forwarded-host': 'maps.example', 'x-forwarded-proto': 'https', origin: 'https://maps.example' }
    expect(await statusOf(server, { ...proxied, ...own })).toBe(404)
  })
})

test('the host of the public URL and the hosts that are allowed are answered', async () => {
  const flags = { 'server.publicUrl': 'https://maps.example/geo', 'server.allowedHosts': 'inner.example,10.0.0.7' }
  await withServer(flags, async (server) => {
    const hosts = ['maps.example', 'MAPS.example:8443', 'inner.example:9999', '10.0.0.7', 'localhost', 'other.example']
    const statuses = await Promise.all(hosts.map(async (host) => (await server.ask('/livez', { host })).status))
    expect(statuses).toEqual([200, 200, 200, 200, 200, 421])
    expect(await statusOf(server, { origin: 'https://maps.example', 'sec-fetch-site': 'same-site' })).toBe(404)
  })
})

test('a server that listens on more than loopback checks hosts when some are named', async () => {
  await withServer({ 'server.host': '0.0.0.0' }, async (server) => {
    expect((await server.ask('/livez', { host: 'maps.example' })).status).toBe(200)
  })
  await withServer({ 'server.host': '0.0.0.0', 'server.allowedHosts': 'maps.example' }, async (server) => {
    expect((await server.ask('/livez', { host: 'maps.example' })).status).toBe(200)
    expect((await server.ask('/livez', { host: 'evil.example' })).status).toBe(421)
  })
})
