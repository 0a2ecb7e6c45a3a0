import { expect, test, vi } from 'vitest'
import { PATIENT } from '../../support/patience.ts'
import { errorOf, startServer } from '../server-fixture.ts'
import { startGuardedServer } from './guarded-server.ts'

const ADMIN = 'role/periplus/admin'

test('a caller has its requests of a minute, and gets them back evenly', async () => {
  const server = await startGuardedServer({ 'auth.modes': 'apikey', 'limits.requestsPerMinute': '3' })
  try {
    const ann = { 'x-api-key': server.addKey({ user: 'ann', roles: [ADMIN] }) }
    const bob = { 'x-api-key': server.addKey({ user: 'bob', roles: [ADMIN] }) }
    const status = async (headers: Record<string, string>) => (await server.ask('/collections', headers)).status
    expect([await status(ann), await status(ann), await status(ann)]).toEqual([200, 200, 200])
    const refused = await server.ask('/collections', ann)
    expect(refused.json()).toEqual({
      status: 429,
      error: 'TOO_MANY_REQUESTS',
      message: 'A caller may send at most 3 requests per minute (setting limits.requestsPerMinute)',
    })
    expect(refused.headers['retry-after']).toBe('20')
    expect(await status(bob)).toBe(200)
    // without identity it is the address that counts, also when the credentials are wrong
    expect([await status({}), await status({ 'x-api-key': 'x.y' }), await status({}), await status({})]).toEqual([
      401, 401, 401, 429,
    ])
    expect((await server.ask('/livez')).status).toBe(200)
    server.advance(20_000)
    expect([await status(ann), await status(ann)]).toEqual([200, 429])
    server.advance(600_000)
    expect([await status(ann), await status(ann), await status(ann), await status(ann)]).toEqual([200, 200, 200, 429])
  } finally {
    await server.stop()
  }
})

test('a caller has so many requests served at once', async () => {
  const waiting: (() => void)[] = []
  const server = await startServer({
    flags: { 'limits.concurrentRequests': '2', 'server.trustedProxies': '127.0.0.1' },
    routes: (app) => {
      app.get('/quick', async () => ({}))
      app.get('/wait', async () => {
        await new Promise<void>((resolve) => waiting.push(resolve))
        return {}
      })
    },
  })
  try {
    const ask = (path: string, address = '192.0.2.1', init: RequestInit = {}) =>
      fetch(`${server.base}${path}`, { ...init, headers: { 'x-forwarded-for': `198.51.100.9, ${address}` } })
    const leaving = new AbortController()
    const left = ask('/wait', undefined, { signal: leaving.signal }).catch(() => undefined)
    const staying = ask('/wait')
    await vi.waitUntil(() => waiting.length === 2, PATIENT)

    const refused = await ask('/quick')
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toBe('1')
    expect((await errorOf(refused)).message).toContain('limits.concurrentRequests')
    expect((await ask('/quick', '192.0.2.2')).status).toBe(200)

    // one that leaves makes room, and so does one that was answered
    leaving.abort()
    await left
    await vi.waitUntil(async () => (await ask('/quick')).status === 200, PATIENT)
    expect((await ask('/quick')).status).toBe(200)
    for (const go of waiting) go()
    expect((await staying).status).toBe(200)
  } finally {
    for (const go of waiting) go()
    await server.stop()
  }
})

test('a server nobody configured serves a dashboard at once, and not everything a caller can send', async () => {
  const waiting: (() => void)[] = []
  const server = await startServer({
    routes: (app) => {
      app.get('/wait', async () => {
        await new Promise<void>((resolve) => waiting.push(resolve))
        return {}
      })
    },
  })
  try {
    const most = 256
    const sent = Array.from({ length: most }, () => fetch(`${server.base}/wait`))
    await vi.waitUntil(() => waiting.length === most, PATIENT)
    expect((await fetch(`${server.base}/wait`)).status).toBe(429)
    for (const go of waiting) go()
    const statuses = await Promise.all(sent.map(async (answer) => (await answer).status))
    expect(new Set(statuses)).toEqual(new Set([200]))
  } finally {
    for (const go of waiting) go()
    await server.stop()
  }
})
