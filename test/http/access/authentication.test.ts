import { createHmac, randomBytes } from 'node:crypto'
import { generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Answer } from '../../support/http-client.ts'
import { sendRaw } from '../server-fixture.ts'
import { type GuardedServer, loadTwoCollections, startGuardedServer } from './guarded-server.ts'
import { AUDIENCE, startIssuer, type TokenIssuer } from './token-issuer.ts'

const USER = 'role/arlas/user'
const ADMIN = 'role/periplus/admin'
const roles = (...names: readonly string[]) => ({ 'http://arlas.io/roles': names })
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

function expectRefused(answer: Answer, status: 401 | 403): void {
  expect(answer.status, answer.text).toBe(status)
  expect(answer.json()).toEqual({
    status,
    message: expect.stringMatching(/./),
    error: status === 401 ? 'UNAUTHORIZED' : expect.stringMatching(/^(FORBIDDEN|COLLECTION_NOT_AVAILABLE)$/),
  })
  expect(answer.headers['content-type']).toContain('application/json')
  expect(answer.headers['www-authenticate']).toBe(status === 401 ? 'Bearer' : undefined)
}

describe('keys and tokens', () => {
  let issuer: TokenIssuer
  let server: GuardedServer
  let admin: Record<string, string>

  beforeAll(async () => {
    issuer = await startIssuer()
    server = await startGuardedServer({
      'auth.modes': 'apikey,jwt',
      // many tests send wrong credentials from this one address
      'auth.failedLogins.atOnce': '1000',
      'auth.jwt.issuer': issuer.url,
      'auth.jwt.audience': AUDIENCE,
      'auth.publicPaths': 'openapi.*:GET,explore/open/.*,explore/shut/_count:GET,explore/_list,collections.*',
      'auth.roles': JSON.stringify({
        narrow: [
          'rule:explore/.*:GET',
          'h:column-filter:shut:kind',
          `h:partition-filter:{"f":[[{"field":"kind","op":"eq","value":"\${kind}"}]]}`,
        ],
        broken: ['rule:explore/.*:GET', 'h:partition-filter:{"f":secret}'],
      }),
    })
    admin = { 'x-api-key': server.addKey({ user: 'root', roles: [ADMIN] }) }
    await loadTwoCollections(server, admin)
  })
  afterAll(async () => {
    await server.stop()
    await issuer.stop()
  })

  describe('tokens', () => {
    const ask = async (token: string, path = '/explore/shut/_search') => server.ask(path, bearer(token))

    test('of the issuer, for this audience, in their time', async () => {
      expect((await ask(await issuer.sign(roles(USER)))).status).toBe(200)
      expect((await ask(await issuer.sign({ ...roles(USER), aud: ['other', AUDIENCE] }))).status).toBe(200)
      expect((await ask(await issuer.sign({ realm_access: { roles: [USER] } }))).status).toBe(200)
      expect((await ask(await issuer.sign({ 'http://arlas.io/permissions': ['rule:explore/.*:GET'] }))).status).toBe(
        200,
      )
      const lower = await server.ask('/explore/shut/_search', {
        authorization: `bearer ${await issuer.sign(roles(USER))}`,
      })
      expect(lower.status).toBe(200)
    })

    test('a minute of difference between clocks does not matter', async () => {
      const now = Math.floor(Date.now() / 1000)
      const at = (exp: number, nbf: number) => issuer.sign({ ...roles(USER), exp: now + exp, nbf: now + nbf })
      expect((await ask(await at(-40, 0))).status).toBe(200)
      expect((await ask(await at(600, 40))).status).toBe(200)
      expectRefused(await ask(await at(-80, 0)), 401)
      expectRefused(await ask(await at(600, 80)), 401)
    })

    test('the role decides: 403 where no rule matches', async () => {
      const user = await issuer.sign(roles(USER))
      expect((await ask(user, '/collections')).status).toBe(200)
      expectRefused(await ask(user, '/index/things/_search'), 403)
      expectRefused(await ask(user, '/metrics'), 403)
      expectRefused(await ask(await issuer.sign(), '/explore/shut/_search'), 403)
      expectRefused(await ask(await issuer.sign(roles('role/unknown')), '/explore/shut/_search'), 403)
      const head = await server.ask('/explore/shut/_search', bearer(user), { method: 'HEAD' })
      expect(head.status).toBe(200)
      expectRefused(await server.ask('/index/things', bearer(user), { method: 'DELETE' }), 403)
      expectRefused(await ask(user, '/nowhere'), 403)
      expect((await ask(await issuer.sign(roles(ADMIN)), '/nowhere')).status).toBe(404)
    })

    test('that are forged, altered, old, for others or of others are worth nothing', async () => {
      const good = await issuer.sign(roles(ADMIN))
      const [header = '', payload = '', signature = ''] = good.split('.')
      const { privateKey: foreign } = await generateKeyPair('RS256')
      const sign = (
        key: Parameters<SignJWT['sign']>[0],
        protectedHeader: { alg: string; kid?: string },
        more: object = {},
      ) =>
        new SignJWT({ iss: issuer.url, aud: AUDIENCE, sub: 'eve', ...roles(ADMIN), ...more })
          .setProtectedHeader(protectedHeader)
          .setExpirationTime('1h')
          .sign(key)
      const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
      const claims = part({ iss: issuer.url, aud: AUDIENCE, sub: 'eve', exp: Date.now(), ...roles(ADMIN) })
      const hmac = (head: string, key: string | Buffer): string =>
        `${head}.${claims}.${createHmac('sha256', key).update(`${head}.${claims}`).digest('base64url')}`
      const pem = await issuer.publicKey()
      const elliptic = await generateKeyPair('ES384')
      const forged: Record<string, string> = {
        altered: `${header}.${part({ iss: issuer.url, aud: AUDIENCE, exp: 9e9, ...roles(ADMIN) })}.${signature}`,
        'signature cut': `${header}.${payload}.`,
        'signature of another key': await sign(foreign, { alg: 'RS256', kid: 'key-1' }),
        'unknown key': await sign(foreign, { alg: 'RS256', kid: 'key-x' }),
        'key of its own': await sign(foreign, { alg: 'RS256' }),
        'alg none': `${part({ alg: 'none' })}.${claims}.`,
        'alg None': `${part({ alg: 'None' })}.${claims}.x`,
        'HMAC with the public key': hmac(part({ alg: 'HS256', kid: 'key-1' }), pem),
        'HMAC with the public key, trimmed': hmac(part({ alg: 'HS256', kid: 'key-1' }), pem.trim()),
        'HMAC named RS256': hmac(part({ alg: 'RS256', kid: 'key-1' }), pem),
        'algorithm not in the list': await sign(elliptic.privateKey, { alg: 'ES384', kid: 'key-1' }),
        'critical extension': await issuer
          .sign(roles(ADMIN), {})
          .then((t) => `${part({ alg: 'RS256', kid: 'key-1', crit: ['x'], x: 1 })}.${t.split('.').slice(1).join('.')}`),
        'another issuer': await issuer.sign({ ...roles(ADMIN), iss: `${issuer.url}/` }),
        'no issuer': await issuer.sign({ ...roles(ADMIN), iss: undefined }),
        'another audience': await issuer.sign({ ...roles(ADMIN), aud: 'other' }),
        'no audience': await issuer.sign({ ...roles(ADMIN), aud: undefined }),
        'no expiry': await issuer.sign({ ...roles(ADMIN), exp: undefined }),
        expired: await issuer.sign({ ...roles(ADMIN), exp: Math.floor(Date.now() / 1000) - 3600 }),
        'not yet': await issuer.sign({ ...roles(ADMIN), nbf: Math.floor(Date.now() / 1000) + 3600 }),
        'no token': 'a.b.c',
        random: [8, 40, 32].map((n) => randomBytes(n).toString('base64url')).join('.'),
        'four parts': `${good}.x`,
      }
      for (const [name, token] of Object.entries(forged)) {
        const answer = await ask(token)
        expect(answer.status, name).toBe(401)
        expectRefused(answer, 401)
        expect(answer.text, name).not.toContain(token)
      }
      expect((await ask(good)).status).toBe(200)
    })

    test('a new key of the issuer counts a minute later at most, an old one not for long', async () => {
      const old = await issuer.sign(roles(USER))
      expect((await ask(old)).status).toBe(200)
      await issuer.rotate('ES256')
      const fresh = await issuer.sign({ ...roles(USER), exp: Math.floor(Date.now() / 1000) + 7200 })
      const before = issuer.asked()
      server.advance(60_001)
      expect((await ask(fresh)).status).toBe(200)
      expect(issuer.asked()).toBe(before + 1)
      expectRefused(await ask(old), 401)
      for (let i = 0; i < 5; i++) await ask(await issuer.sign(roles(USER), { kid: `unknown-${i}` }))
      expect(issuer.asked()).toBe(before + 1)
    })
  })

  describe('keys', () => {
    test('in every form they can be sent', async () => {
      const key = server.addKey({ roles: [USER] })
      const [id = '', secret = ''] = key.split('.')
      const forms: readonly Record<string, string>[] = [
        { 'x-api-key': key },
        { 'X-API-KEY': key },
        bearer(key),
        { 'arlas-api-key-id': id, 'arlas-api-key-secret': secret },
      ]
      for (const headers of forms) expect((await server.ask('/explore/shut/_search', headers)).status).toBe(200)
      const wrong: readonly Record<string, string>[] = [
        { 'x-api-key': `${id}.${secret}x` },
        { 'x-api-key': `${id}.` },
        { 'x-api-key': `x${id}.${secret}` },
        { 'x-api-key': id },
        { 'arlas-api-key-id': id },
        { 'arlas-api-key-id': id, 'arlas-api-key-secret': 'x' },
        { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` },
        // the first credentials found count, whatever comes behind them
        { ...bearer('a.b'), 'x-api-key': key },
      ]
      for (const headers of wrong) expectRefused(await server.ask('/explore/shut/_search', headers), 401)
    })

    test('until they are revoked or expire', async () => {
      const key = server.addKey({ roles: [USER] })
      const brief = server.addKey({ roles: [USER], expires: new Date(Date.now() + 3_600_000).toISOString() })
      const status = async (one: string) => (await server.ask('/explore/shut/_search', { 'x-api-key': one })).status
      expect([await status(key), await status(brief)]).toEqual([200, 200])
      server.revokeKey(key.split('.')[0] ?? '')
      server.advance(3_600_001)
      expect([await status(key), await status(brief)]).toEqual([401, 401])
      server.advance(-3_600_001)
    })

    test('with organisations see what is theirs', async () => {
      const shared = { 'x-api-key': server.addKey({ roles: [ADMIN], organisations: ['bar'] }) }
      const other = { 'x-api-key': server.addKey({ roles: [ADMIN], organisations: ['other'] }) }
      const both = { 'x-api-key': server.addKey({ roles: [ADMIN], organisations: ['bar', 'other'] }) }
      const status = async (headers: Record<string, string>, path: string, method = 'GET') =>
        (await server.ask(path, headers, { method })).status
      expect(await status(shared, '/explore/shut/_describe')).toBe(200)
      expect(await status(shared, '/collections/shut', 'DELETE')).toBe(403)
      expect(await status(other, '/explore/shut/_describe')).toBe(403)
      expect((await server.ask('/collections', other)).text).not.toContain('"shut"')
      expect(await status({ ...both, 'arlas-org-filter': 'other' }, '/explore/shut/_describe')).toBe(403)
      expect(await status({ ...both, 'arlas-org-filter': 'other,bar' }, '/explore/shut/_describe')).toBe(200)
      expect(await status({ ...other, 'arlas-org-filter': 'bar' }, '/explore/shut/_describe')).toBe(403)
      // a rule of the caller opens whole indices, its organisations do not close them
      expect(await status(other, '/index/things/_count')).toBe(200)
    })
  })

  describe('access headers', () => {
    const count = async (headers: Record<string, string>, path = '/explore/shut/_count'): Promise<unknown> => {
      const answer = await server.ask(path, headers)
      return answer.status === 200 ? (answer.json() as { totalnb: number }).totalnb : answer.status
    }

    test('that clients send are dropped, those of permissions count', async () => {
      const narrow = { 'x-api-key': server.addKey({ roles: ['narrow'], permissions: ['v:kind:b'] }) }
      expect(await count(narrow)).toBe(1)
      const wider = ['partition-filter', 'Partition-Filter', 'PARTITION-FILTER'].map((name) => ({ [name]: '{}' }))
      for (const sent of [
        ...wider,
        { 'column-filter': '*' },
        { 'arlas-organization': 'foo' },
        { 'arlas-user': 'root' },
      ]) {
        expect(await count({ ...narrow, ...sent })).toBe(1)
        expect(await count({ ...narrow, ...sent }, '/explore/shut/_count?f=secret:eq:s1')).toBe(403)
      }
      // nor do they narrow
      expect(await count({ ...admin, 'partition-filter': '{' })).toBe(3)
      expect(await count({ ...admin, 'column-filter': '' })).toBe(3)
    })

    test('are dropped in every case and number, and whatever the form of the address', async () => {
      const key = server.addKey({ roles: ['narrow'], permissions: ['v:kind:b'] })
      const raw = (target: string, ...headers: readonly string[]) =>
        sendRaw(
          Number(new URL(server.base).port),
          [`GET ${target} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...headers, '', ''].join('\r\n'),
        )
      const sent = ['PaRtItIoN-FiLtEr: {}', 'partition-filter: {}', 'COLUMN-FILTER: *', 'Arlas-Organization: foo']
      for (const target of ['/explore/shut/_count', 'http://a/explore/shut/_count', '/explore/shut/_count#x']) {
        const answer = await raw(target, `X-Api-Key: ${key}`, ...sent)
        expect(answer, target).toContain('"totalnb":1')
      }
      for (const target of ['http://a/index/things/_search', '/index/things/_search#?', '/%69ndex/things/_search']) {
        expect(await raw(target, `X-Api-Key: ${key}`), target).toMatch(/^HTTP\/1\.1 403 /)
        expect(await raw(target), target).toMatch(/^HTTP\/1\.1 401 /)
      }
    })

    test('a variable that nobody gave closes', async () => {
      expect(await count({ 'x-api-key': server.addKey({ roles: ['narrow'] }) })).toBe(403)
    })

    test('a filter of a permission that cannot be read closes, without a word of it', async () => {
      const broken = { 'x-api-key': server.addKey({ roles: ['broken'] }) }
      const answer = await server.ask('/explore/shut/_search', broken)
      expectRefused(answer, 403)
      expect(answer.text).not.toContain('secret')
    })

    test('narrowed callers have no whole indices, however the path is written', async () => {
      const rights = {
        roles: [ADMIN],
        permissions: ['h:partition-filter:{"f":[[{"field":"kind","op":"eq","value":"b"}]]}'],
      }
      const narrowed = { 'x-api-key': server.addKey(rights) }
      for (const path of [
        '/index/things/_search',
        '/%69ndex/things/_search',
        '/index/things/_search/',
        '/index/%74hings/_search',
      ]) {
        expectRefused(await server.ask(path, narrowed), 403)
        expect((await server.ask(path, admin)).status, path).toBe(200)
      }
    })
  })

  describe('public paths', () => {
    test('are open to everybody, whatever credentials they bring', async () => {
      for (const headers of [{}, bearer('a.b.c'), { 'x-api-key': 'x.y' }, { authorization: 'Basic x' }]) {
        expect((await server.ask('/openapi.json', headers)).status).toBe(200)
        expect((await server.ask('/explore/open/_count', headers)).status).toBe(200)
        expect((await server.ask('/arlas/explore/open/_count', headers)).status).toBe(200)
        for (const path of ['/livez', '/readyz', '/']) expect((await server.ask(path, headers)).status).toBe(200)
        for (const path of ['/status-page', '/docs', '/metrics', '/index', '/explore/shut/_search', '/nowhere']) {
          expectRefused(await server.ask(path, headers), 401)
        }
      }
    })

    test('show anonymous callers public collections only, and let them change nothing', async () => {
      expectRefused(await server.ask('/explore/shut/_count'), 403)
      expect((await server.ask('/explore/nope/_count', {}, { method: 'POST', body: {} })).status).toBe(401)
      for (const path of ['/collections', '/explore/_list', '/collections/_export']) {
        const { text } = await server.ask(path)
        expect(text).toContain('"open"')
        expect(text).not.toContain('"shut"')
      }
      expectRefused(await server.ask('/collections/open', {}, { method: 'DELETE' }), 403)
      expectRefused(await server.ask('/collections/open', { 'arlas-organization': 'foo' }, { method: 'DELETE' }), 403)
      expect((await server.ask('/collections/shut', admin)).status).toBe(200)
    })

    test('give a known caller its own rights', async () => {
      const none = { 'x-api-key': server.addKey({ permissions: ['rule:nothing:GET'] }) }
      expect((await server.ask('/explore/shut/_count', none)).status).toBe(200)
      expectRefused(await server.ask('/explore/shut/_search', none), 403)
    })
  })

  test('preflights and OPTIONS pass; pages may send keys', async () => {
    const asked = { origin: 'http://a', 'access-control-request-method': 'GET' }
    const preflight = await server.ask('/explore/shut/_search', asked, { method: 'OPTIONS' })
    expect(preflight.status).toBe(204)
    expect(preflight.headers['access-control-allow-headers']).toMatch(
      /X-API-Key, arlas-api-key-id, arlas-api-key-secret/,
    )
    expect((await server.ask('/explore/shut/_search', {}, { method: 'OPTIONS' })).status).toBe(204)
    const refused = await server.ask('/explore/shut/_search', { origin: 'http://a' })
    expectRefused(refused, 401)
    expect(refused.headers['access-control-allow-origin']).toBe('*')
  })

  test('answers are for their caller alone', async () => {
    const { headers } = await server.ask('/explore/shut/_count?max-age-cache=60', admin)
    expect(headers['cache-control']).toBe('no-transform, max-age=60, private')
    for (const name of ['Authorization', 'partition-filter', 'column-filter', 'arlas-organization', 'X-API-Key']) {
      expect(headers.vary).toContain(name)
    }
    expect((await server.ask('/explore/shut/_search', admin)).headers['cache-control']).toBe('private')
    expect((await server.ask('/explore/shut/_mvt/0/0/0.mvt', admin)).headers.vary).toContain('Authorization')
  })

  test('a token in the query counts only when the settings say so', async () => {
    const key = server.addKey({ roles: [USER] })
    expectRefused(await server.ask(`/explore/shut/_search?access_token=${key}`), 401)
  })

  test('no secret is ever logged', async () => {
    const key = server.addKey({ roles: [USER] })
    const token = await issuer.sign(roles(USER))
    await server.ask(`/explore/shut/_search?access_token=${key}`, { 'x-api-key': key })
    await server.ask(`/explore/shut/_search?ACCESS_TOKEN=${token}`, bearer(token))
    const text = JSON.stringify(server.lines)
    expect(text).toContain('/explore/shut/_search')
    for (const secret of [key.split('.')[1] ?? key, token]) expect(text).not.toContain(secret)
    expect(text).not.toContain('partition-filter:')
  })

  test('every write leaves a line in the audit log', async () => {
    const from = server.lines.length
    const body = '{"index":{"_index":"things"}}\n{"id":"d","kind":"hush"}\n{"index":{"_index":"things"}}\nnot json\n'
    const ndjson = { ...admin, 'content-type': 'application/x-ndjson' }
    await server.ask('/index/_bulk?refresh=hush', ndjson, { method: 'POST', body })
    await server.ask('/index/_bulk', ndjson, {
      method: 'POST',
      body: body.split('\n').slice(0, 2).join('\n').concat('\n'),
    })
    await server.ask(
      '/collections/shut/organisations',
      { ...admin, 'x-request-id': 'r7' },
      { method: 'PATCH', body: { public: false } },
    )
    await server.ask('/collections/shut', {}, { method: 'DELETE' })
    await server.ask('/index/things/_search', admin, { method: 'POST', body: {} })
    await server.ask('/explore/shut/_count', admin, { method: 'POST', body: {} })
    const lines = server.lines.slice(from).filter((line) => line.audit === true)
    expect(lines).toMatchObject([
      { who: 'root', what: 'POST /index/_bulk', outcome: 'refused', status: 400 },
      { who: 'root', what: 'POST /index/_bulk', outcome: 'done', indices: ['things'], counts: { created: 1 } },
      {
        who: 'root',
        what: 'PATCH /collections/:collection/organisations',
        collection: 'shut',
        reqId: 'r7',
        status: 200,
      },
      { who: 'anonymous', what: 'DELETE /collections/:collection', outcome: 'refused', status: 403 },
    ])
    expect(JSON.stringify(lines)).not.toContain('hush')
  })
})

describe('a token in the query', () => {
  let server: GuardedServer
  let key: string
  beforeAll(async () => {
    server = await startGuardedServer({ 'auth.modes': 'apikey', 'auth.queryToken': 'true', 'auth.defaultRoles': ADMIN })
    key = server.addKey({})
    await loadTwoCollections(server, { 'x-api-key': key })
  })
  afterAll(() => server.stop())

  test('serves GET, and is in no link, address or log line', async () => {
    const answer = await server.ask(`/explore/shut/_search?access_token=${key}&size=1&sort=id`)
    expect(answer.status).toBe(200)
    expect(answer.text).toContain('size=1')
    expect(answer.text).not.toContain('access_token')
    const tiles = await server.ask(`/explore/shut/_mvt?Access_Token=${key}&size=1`)
    expect(tiles.status).toBe(200)
    expect(tiles.text).not.toContain(key)
    expect((await server.ask(`/explore/shut/_tile/0/0/0.png?access_token=${key}`)).status).toBe(200)
    expect((await server.ask(`/explore/%E0?access_token=${key}`)).status).toBe(400)
    expect(JSON.stringify(server.lines)).not.toContain(key.split('.')[1])
  })

  test('serves nothing else', async () => {
    const post = { method: 'POST', body: {} }
    expectRefused(await server.ask(`/explore/shut/_search?access_token=${key}`, {}, post), 401)
    expectRefused(await server.ask('/explore/shut/_search?access_token=x.y'), 401)
    // headers come first
    expectRefused(await server.ask(`/explore/shut/_search?access_token=${key}`, { 'x-api-key': 'x.y' }), 401)
  })
})

describe('an identity told by a proxy', () => {
  const proxied = { 'arlas-user': 'ann', 'arlas-groups': `${USER}, other` }

  test('is believed from trusted addresses', async () => {
    const server = await startGuardedServer({ 'auth.modes': 'header', 'server.trustedProxies': '127.0.0.1' })
    try {
      const admin = { 'arlas-user': 'root', 'Arlas-Groups': ADMIN }
      await loadTwoCollections(server, admin)
      const status = async (headers: Record<string, string>, path = '/explore/shut/_count') =>
        (await server.ask(path, headers)).status
      expect(await status(proxied)).toBe(200)
      expect(await status(proxied, '/index')).toBe(403)
      expect(await status({ 'arlas-user': 'ann' })).toBe(403)
      expect(await status({ 'arlas-groups': USER })).toBe(401)
      expect(await status({ 'arlas-user': ' ', 'arlas-groups': USER })).toBe(401)
      expect(await status({ ...bearer('a.b.c') })).toBe(401)
      expect(await status({ ...proxied, 'arlas-organization': 'other' })).toBe(403)
      expect(await status({ ...proxied, 'arlas-organization': 'bar' })).toBe(200)
      expect(await status({ ...proxied, 'arlas-organization': 'bar,other', 'arlas-org-filter': 'other' })).toBe(403)
      expect(await status({ ...proxied, 'column-filter': '' })).toBe(403)
      expect(await status({ ...proxied, 'partition-filter': '{' })).toBe(400)
      const one = await server.ask('/explore/shut/_count', {
        ...proxied,
        'partition-filter': '{"f":[[{"field":"kind","op":"eq","value":"b"}]]}',
      })
      expect(one.json()).toMatchObject({ totalnb: 1 })
    } finally {
      await server.stop()
    }
  })

  test('is not believed from elsewhere, under any name', async () => {
    const server = await startGuardedServer({ 'auth.modes': 'header', 'server.trustedProxies': '10.0.0.0/8,192.0.2.1' })
    try {
      const tricks: readonly Record<string, string>[] = [
        proxied,
        { 'ARLAS-USER': 'ann', 'ARLAS-GROUPS': ADMIN },
        { ...proxied, 'x-forwarded-for': '10.0.0.1' },
        { ...proxied, forwarded: 'for=10.0.0.1', 'x-real-ip': '10.0.0.1', 'x-client-ip': '10.0.0.1' },
        { arlas_user: 'ann', arlas_groups: ADMIN },
      ]
      for (const headers of tricks) {
        expectRefused(await server.ask('/collections', headers), 401)
        expectRefused(await server.ask('/index/_cat/indices', headers), 401)
      }
      expect((await server.ask('/openapi.json', proxied)).status).toBe(200)
    } finally {
      await server.stop()
    }
  })
})

describe('settings that cannot be used', () => {
  test.each([
    [{ 'auth.roles': '{"a":["rule:(:GET"]}' }, /auth\.roles, role a: the expression/],
    [{ 'auth.roles': '{"a":["rule:x(?!y):GET"]}' }, /look-around/],
    [{ 'auth.roles': '{"a":["allow everything"]}' }, /must start with rule:/],
    [{ 'auth.publicPaths': 'a(:GET' }, /auth\.publicPaths: the expression/],
  ])('%j stop the start', async (settings, message) => {
    await expect(startGuardedServer({ 'auth.modes': 'apikey', ...settings })).rejects.toThrow(message)
  })
})
