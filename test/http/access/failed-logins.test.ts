import { expect, test } from 'vitest'
import { type GuardedServer, startGuardedServer } from './guarded-server.ts'
import { AUDIENCE, startIssuer } from './token-issuer.ts'

const ADMIN = 'role/periplus/admin'
const roles = { 'http://arlas.io/roles': [ADMIN] }
const limits = { 'auth.failedLogins.atOnce': '3', 'auth.failedLogins.perMinute': '2' }
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

const statusOf = async (server: GuardedServer, headers: Record<string, string>) =>
  (await server.ask('/collections', headers)).status

const guess = (n: number) => ({ 'x-api-key': `abc.guess${n}` })

test('wrong keys of an address are slowed down, right ones that are known are not', async () => {
  const server = await startGuardedServer({ 'auth.modes': 'apikey', ...limits, 'server.trustedProxies': '127.0.0.1' })
  try {
    const known = { 'x-api-key': server.addKey({ roles: [ADMIN] }) }
    const fresh = { 'x-api-key': server.addKey({ roles: [ADMIN] }) }
    expect(await statusOf(server, known)).toBe(200)
    // no credentials at all are no attempt
    for (let i = 0; i < 5; i++) expect(await statusOf(server, {})).toBe(401)
    expect([
      await statusOf(server, guess(1)),
      await statusOf(server, guess(2)),
      await statusOf(server, guess(3)),
    ]).toEqual([401, 401, 401])
    const refused = await server.ask('/collections', guess(4))
    expect(refused.json()).toEqual({
      status: 429,
      error: 'TOO_MANY_REQUESTS',
      message: 'Too many invalid credentials from this address (setting auth.failedLogins.perMinute)',
    })
    expect(refused.headers['retry-after']).toBe('30')
    // what is no key at all counts too; a right key that was never seen could be a guess
    expect(await statusOf(server, { authorization: 'Basic YTpi' })).toBe(429)
    expect(await statusOf(server, fresh)).toBe(429)
    for (let i = 0; i < 5; i++) expect(await statusOf(server, known)).toBe(200)
    expect(await statusOf(server, {})).toBe(401)
    // other addresses are not slowed
    expect(await statusOf(server, { ...fresh, 'x-forwarded-for': '192.0.2.1' })).toBe(200)
    expect(await statusOf(server, { ...guess(5), 'x-forwarded-for': '192.0.2.1' })).toBe(401)
    // and here it is known by now
    expect(await statusOf(server, fresh)).toBe(200)

    server.advance(30_000)
    expect([await statusOf(server, guess(6)), await statusOf(server, guess(7))]).toEqual([401, 429])
    server.advance(600_000)
    const later = [8, 9, 10, 11].map((n) => guess(n))
    const statuses: number[] = []
    for (const one of later) statuses.push(await statusOf(server, one))
    expect(statuses).toEqual([401, 401, 401, 429])
  } finally {
    await server.stop()
  }
})

test('a key that was right and is revoked is a wrong key', async () => {
  const server = await startGuardedServer({ 'auth.modes': 'apikey', ...limits })
  try {
    const key = server.addKey({ roles: [ADMIN] })
    expect(await statusOf(server, { 'x-api-key': key })).toBe(200)
    server.revokeKey(key.split('.')[0] ?? '')
    const statuses: number[] = []
    for (let i = 0; i < 4; i++) statuses.push(await statusOf(server, { 'x-api-key': key }))
    expect(statuses).toEqual([401, 401, 401, 429])
  } finally {
    await server.stop()
  }
})

test('wrong tokens are slowed down, valid ones never', async () => {
  const issuer = await startIssuer()
  const server = await startGuardedServer({
    'auth.modes': 'jwt',
    'auth.jwt.issuer': issuer.url,
    'auth.jwt.audience': AUDIENCE,
    ...limits,
  })
  try {
    const wrong = bearer(await issuer.sign({ ...roles, aud: 'other' }))
    const statuses: number[] = []
    for (let i = 0; i < 5; i++) statuses.push(await statusOf(server, wrong))
    expect(statuses).toEqual([401, 401, 401, 429, 429])
    for (let i = 0; i < 3; i++) {
      expect(await statusOf(server, bearer(await issuer.sign({ ...roles, jti: String(i) })))).toBe(200)
    }
  } finally {
    await server.stop()
    await issuer.stop()
  }
})
