import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type SubscriptionServer, startSubscriptionServer, subscriptionBody } from './subscription-server.ts'

/** The ten routes; `path` with the id of a subscription. */
const routes = [
  { method: 'GET', path: (id: string) => `/subscriptions/${id}`, side: 'user', ok: 200 },
  { method: 'PUT', path: (id: string) => `/subscriptions/${id}`, side: 'user', ok: 201 },
  { method: 'DELETE', path: (id: string) => `/subscriptions/${id}`, side: 'user', ok: 202 },
  { method: 'GET', path: () => '/subscriptions', side: 'user', ok: 200 },
  { method: 'POST', path: () => '/subscriptions', side: 'user', ok: 201 },
  { method: 'GET', path: (id: string) => `/admin/subscriptions/${id}`, side: 'administrator', ok: 200 },
  { method: 'PUT', path: (id: string) => `/admin/subscriptions/${id}`, side: 'administrator', ok: 201 },
  { method: 'DELETE', path: (id: string) => `/admin/subscriptions/${id}`, side: 'administrator', ok: 202 },
  { method: 'GET', path: () => '/admin/subscriptions', side: 'administrator', ok: 200 },
  { method: 'POST', path: () => '/admin/subscriptions', side: 'administrator', ok: 201 },
] as const

type Headers = Readonly<Record<string, string>>

/** Whether the id of a subscription is in the path. */
const isOfOne = ({ path }: (typeof routes)[number]): boolean => path('x').endsWith('/x')

/** How the callers of the matrix show who they are. */
interface Callers {
  readonly nobody: Headers
  readonly ann: Headers
  readonly bob: Headers
  readonly admin: Headers
}

function matrix(start: () => Promise<{ server: SubscriptionServer; callers: Callers }>): void {
  let server: SubscriptionServer
  let callers: Callers
  beforeAll(async () => {
    const started = await start()
    server = started.server
    callers = started.callers
  })
  afterAll(() => server?.stop())

  const make = async (): Promise<string> =>
    (await server.ask('POST', '/subscriptions', subscriptionBody(), callers.ann)).seen.id

  test.each(routes)('$method $side: each caller', async (route) => {
    const ask = async (headers: Headers, body: unknown = subscriptionBody()) => {
      const sent = route.method === 'GET' || route.method === 'DELETE' ? undefined : body
      const { status, seen } = await server.ask(route.method, route.path(await make()), sent, headers)
      return status < 400 ? status : `${status} ${seen.error}`
    }
    expect(await ask(callers.nobody)).toBe('401 UNAUTHORIZED')
    // Before anything is said of the body.
    expect(await ask(callers.nobody, 'no json')).toBe('401 UNAUTHORIZED')
    if (route.side === 'administrator') {
      expect(await ask(callers.admin)).toBe(route.ok)
      expect(await ask(callers.ann)).toBe('403 FORBIDDEN')
      expect(await ask(callers.ann, 'no json')).toBe('403 FORBIDDEN')
    } else {
      expect(await ask(callers.ann)).toBe(route.ok)
      expect(await ask(callers.admin)).toBe('403 FORBIDDEN')
      expect(await ask(callers.admin, 'no json')).toBe('403 FORBIDDEN')
      const asBob = subscriptionBody({ created_by: 'bob' })
      expect(await ask(callers.bob, asBob)).toBe(isOfOne(route) ? '403 FORBIDDEN' : route.ok)
    }
    if (route.method === 'PUT' || route.method === 'POST') {
      const named = subscriptionBody({ created_by: 'bob' })
      const caller = route.side === 'user' ? callers.ann : callers.admin
      expect(await ask(caller, named)).toBe(route.side === 'user' ? '403 FORBIDDEN' : route.ok)
      expect(await ask(caller, {})).toBe('400 INVALID_BODY')
    }
  })

  test('a list shows the caller’s own, and an administrator everything', async () => {
    const own = await make()
    const ofBob = (await server.ask('POST', '/subscriptions', subscriptionBody({ created_by: 'bob' }), callers.bob))
      .seen.id
    const listed = async (path: string, headers: Headers) =>
      (await server.ask('GET', `${path}?size=1000`, undefined, headers)).seen.subscriptions.map(({ id }) => id)
    expect(await listed('/subscriptions', callers.bob)).toContain(ofBob)
    expect(await listed('/subscriptions', callers.bob)).not.toContain(own)
    expect(await listed('/subscriptions', callers.ann)).toContain(own)
    expect(await listed('/subscriptions', callers.ann)).not.toContain(ofBob)
    expect(await listed('/admin/subscriptions', callers.admin)).toEqual(expect.arrayContaining([own, ofBob]))
  })

  test('a user has what an administrator made in the user’s name', async () => {
    const made = await server.ask('POST', '/admin/subscriptions', subscriptionBody(), callers.admin)
    const path = `/subscriptions/${made.seen.id}`
    expect((await server.ask('GET', path, undefined, callers.ann)).seen.created_by_admin).toBe(true)
    expect((await server.ask('PUT', path, subscriptionBody(), callers.ann)).status).toBe(201)
    expect((await server.ask('DELETE', path, undefined, callers.bob)).status).toBe(403)
    expect((await server.ask('DELETE', path, undefined, callers.ann)).status).toBe(202)
    expect((await server.ask('DELETE', path, undefined, callers.bob)).status).toBe(403)
    expect((await server.ask('GET', path, undefined, callers.bob)).status).toBe(404)
  })

  test('an unknown one is 404 before it is anybody’s', async () => {
    expect((await server.ask('GET', '/subscriptions/none', undefined, callers.ann)).status).toBe(404)
    const other = subscriptionBody({ created_by: 'bob' })
    expect((await server.ask('PUT', '/subscriptions/none', other, callers.ann)).status).toBe(404)
  })
}

describe('callers named by a header', () => {
  matrix(async () => {
    const server = await startSubscriptionServer({ 'subscriptions.identity.header': 'X-User' })
    const callers = { nobody: {}, ann: { 'x-user': 'ann' }, bob: { 'x-user': 'bob' }, admin: { 'x-user': 'admin' } }
    return { server, callers }
  })
})

describe('callers with API keys', () => {
  matrix(async () => {
    const server = await startSubscriptionServer({ 'auth.modes': 'apikey' })
    const key = (user: string, role: string, rules: readonly string[] = []) => ({
      'x-api-key': server.addKey(user, [role], rules),
    })
    const callers = {
      nobody: {},
      ann: key('ann', 'role/arlas/user', ['rule:admin/.*:*']),
      bob: key('bob', 'role/arlas/user'),
      admin: key('somebody', 'role/periplus/admin'),
    }
    return { server, callers }
  })
})

describe('who is believed', () => {
  test('with proxies configured, only they name callers', async () => {
    const server = await startSubscriptionServer({
      'subscriptions.identity.header': 'x-user',
      'server.trustedProxies': '192.0.2.1',
    })
    const { seen } = await server.ask('GET', '/subscriptions', undefined, { 'x-user': 'ann' })
    expect(seen).toMatchObject({
      status: 401,
      error: 'UNAUTHORIZED',
      message: 'The header x-user must name the caller',
    })
    await server.stop()
  })

  test('names are UTF-8, answers vary by them', async () => {
    const server = await startSubscriptionServer({ 'subscriptions.identity.header': 'X-User' })
    const name = Buffer.from('J\u00f6rg').toString('latin1')
    // As bytes: beside a text the client would encode the header once more.
    const body = Buffer.from(JSON.stringify(subscriptionBody({ created_by: 'J\u00f6rg' })))
    const { status, headers } = await server.ask('POST', '/subscriptions', body, { 'x-user': name })
    expect(status).toBe(201)
    expect(headers.vary).toMatch(/, X-User$/)
    await server.stop()
  })

  test('rules of permissions come first', async () => {
    const server = await startSubscriptionServer({ 'auth.modes': 'apikey' })
    const key = server.addKey('ann', ['role/arlas/tagger'])
    const { status, headers } = await server.ask('GET', '/subscriptions')
    expect([status, headers['www-authenticate']]).toEqual([401, 'Bearer'])
    expect((await server.ask('GET', '/subscriptions', undefined, { 'x-api-key': key })).status).toBe(403)
    await server.stop()
  })

  test('on public paths too', async () => {
    const server = await startSubscriptionServer({ 'auth.modes': 'apikey', 'auth.publicPaths': 'subscriptions.*' })
    const { status, headers } = await server.ask('GET', '/subscriptions')
    expect([status, headers['www-authenticate']]).toEqual([401, 'Bearer'])
    await server.stop()
  })

  test('without administrators, their paths do not exist', async () => {
    const server = await startSubscriptionServer({ 'subscriptions.admin': 'false' })
    for (const path of [
      '/admin/subscriptions',
      '/admin/subscriptions/x',
      '/arlas-subscriptions-manager/admin/subscriptions',
    ]) {
      expect((await server.ask('GET', path)).seen).toMatchObject({ status: 404, error: 'ROUTE_NOT_FOUND' })
    }
    expect((await server.ask('GET', '/subscriptions')).status).toBe(200)
    await server.stop()
  })
})
