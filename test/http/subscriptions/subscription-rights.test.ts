import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openReceiver, type Receiver, status } from '../../../src/subscriptions/delivery/receiver.fixture.ts'
import { describeEach, engines } from '../../support/engines.ts'
import { type GuardedServer, loadTwoCollections, startGuardedServer } from '../access/guarded-server.ts'
import { AUDIENCE, startIssuer } from '../access/token-issuer.ts'

type Headers = Readonly<Record<string, string>>
interface Shown {
  readonly id: string
  readonly state: string
  readonly attempts: number
  readonly event_id: string
}
interface Listed {
  readonly stopped?: { readonly reason: string }
  readonly deliveries: readonly Shown[]
}

const subscriptionOf = (created_by: string, callback: string, trigger: object = { collections: ['shut'] }) => ({
  created_by,
  active: true,
  starts_at: 0,
  expires_at: 4_000_000_000,
  title: 'title',
  subscription: { trigger: { event: ['UPDATE'], ...trigger }, callback, hits: { filter: '' } },
})

/** What tests do with a server that matches and delivers. */
function talk(server: GuardedServer, admin: Headers) {
  let events = 0
  const must = async (method: string, path: string, headers: Headers, body?: unknown) => {
    const answer = await server.ask(path, headers, { method, ...(body === undefined ? {} : { body }) })
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`)
    return answer
  }
  return {
    must,
    subscribe: async (headers: Headers, body: object): Promise<string> =>
      ((await must('POST', '/subscriptions', headers, body)).json() as Shown).id,
    /** Tells of a change of a document; answers how many were told of it. */
    tell: async (collection = 'shut', document = 'a'): Promise<readonly [id: string, matched: number]> => {
      const id = `event-${events++}`
      await must('POST', '/events', admin, { id, collection, event: 'UPDATE', object: { id: document } })
      const outcome = async () =>
        (await must('GET', `/events/${id}`, admin)).json() as { state: string; matched: number }
      await expect.poll(async () => (await outcome()).state).toBe('MATCHED')
      return [id, (await outcome()).matched]
    },
    list: async (id: string): Promise<Listed> =>
      (await must('GET', `/admin/subscriptions/${id}/deliveries`, admin)).json() as Listed,
  }
}

describeEach(engines)('on the $name engine, a subscription whose writer has an API key', (engine) => {
  let server: GuardedServer
  let receiver: Receiver
  let admin: Headers
  let words: ReturnType<typeof talk>
  const keys = { ann: '', bob: '' }
  const ids = { ann: '', bob: '' }
  const annKey = () => keys.ann.split('.')[0] ?? ''

  beforeAll(async () => {
    receiver = await openReceiver()
    const settings = { 'auth.modes': 'apikey', 'egress.allow': new URL(receiver.url).origin, 'cache.enabled': 'false' }
    server = await startGuardedServer(settings, Date.now, engine.space?.())
    admin = { 'x-api-key': server.addKey({ user: 'root', roles: ['role/periplus/admin'] }) }
    words = talk(server, admin)
    await loadTwoCollections(server, admin)
    for (const name of ['ann', 'bob'] as const) {
      const organisations = name === 'ann' ? ['bar'] : ['bar', 'team']
      keys[name] = server.addKey({ user: name, roles: ['role/arlas/user'], organisations })
      ids[name] = await words.subscribe({ 'x-api-key': keys[name] }, subscriptionOf(name, `${receiver.url}/${name}`))
    }
    server.notify()
  })
  afterAll(async () => {
    await server?.stop()
    await receiver?.close()
  })

  /** Ids of the events the receiver was told of, each once for every attempt. */
  const toldOf = (name: string): readonly string[] =>
    receiver.received.filter(({ path }) => path.endsWith(name)).map(({ body }) => (JSON.parse(body) as Shown).id)

  const deliveryOf = async (name: 'ann' | 'bob', event: string): Promise<Shown | undefined> =>
    (await words.list(ids[name])).deliveries.find(({ event_id }) => event_id === event)

  /** False while it is being attempted; one that has arrived meanwhile need not leave again. */
  const redeliver = async (name: 'ann' | 'bob', event: string): Promise<boolean> => {
    const { id = '', state } = (await deliveryOf(name, event)) ?? {}
    if (state === 'DELIVERED') return true
    const path = `/admin/subscriptions/${ids[name]}/deliveries/${id}/_redeliver`
    return (await server.ask(path, admin, { method: 'POST' })).status === 202
  }

  const patchShut = (body: object) => words.must('PATCH', '/collections/shut/organisations', admin, body)
  const only = '{"f":[[{"field":"kind","op":"eq","value":"b"}]]}'

  const losses: readonly (readonly [string, () => Promise<() => unknown> | (() => unknown)])[] = [
    [
      'key',
      () => {
        const giveBack = server.changeKey(annKey(), {})
        server.revokeKey(annKey())
        return giveBack
      },
    ],
    ['time', () => server.changeKey(annKey(), { expires: '2020-01-01T00:00:00Z' })],
    ['organisation', () => server.changeKey(annKey(), { organisations: ['other'] })],
    ['role', () => server.changeKey(annKey(), { roles: [] })],
    ['role for subscriptions', () => server.changeKey(annKey(), { roles: [], permissions: ['rule:explore/.*:GET'] })],
    [
      'role for the collection',
      () =>
        server.changeKey(annKey(), { roles: [], permissions: ['rule:subscriptions.*:*', 'rule:explore/open/.*:*'] }),
    ],
    ['documents', () => server.changeKey(annKey(), { permissions: [`header:partition-filter:${only}`] })],
    ['columns', () => server.changeKey(annKey(), { permissions: ['header:column-filter:shut:kind'] })],
    [
      'share of the collection',
      async () => {
        await patchShut({ shared: ['team'] })
        return () => patchShut({ shared: ['bar'] })
      },
    ],
  ]

  test.each(losses)('stops with the %s, is marked, and goes on when it returns', async (_title, lose) => {
    receiver.answer = status(503)
    const [waiting, matched] = await words.tell()
    expect(matched).toBe(2)
    for (const name of ['ann', 'bob'] as const) {
      await expect.poll(async () => (await deliveryOf(name, waiting))?.attempts).toBe(1)
    }
    receiver.answer = status(200)
    const giveBack = await lose()

    const [missed, others] = await words.tell()
    expect(others).toBe(1)
    // Both are due now; when that of bob has left, it was ann's turn, too.
    for (const name of ['ann', 'bob'] as const) await expect.poll(() => redeliver(name, waiting)).toBe(true)
    await expect.poll(async () => (await deliveryOf('bob', waiting))?.state).toBe('DELIVERED')
    await expect.poll(async () => (await deliveryOf('ann', waiting))?.state).toBe('PENDING')
    expect(await deliveryOf('ann', waiting)).toMatchObject({ attempts: 1 })
    expect(toldOf('ann').filter((id) => id === waiting)).toHaveLength(1)
    expect((await words.list(ids.ann)).stopped).toEqual({ reason: 'RIGHTS' })
    expect((await words.list(ids.bob)).stopped).toBeUndefined()
    expect((await server.ask('/metrics', admin)).text).toMatch(/^periplus_subscriptions_stopped 1$/m)

    await giveBack()
    await expect.poll(async () => (await deliveryOf('ann', waiting))?.state).toBe('DELIVERED')
    expect((await words.list(ids.ann)).stopped).toBeUndefined()
    const [after, all] = await words.tell()
    expect(all).toBe(2)
    await expect.poll(() => toldOf('ann')).toContain(after)
    expect(toldOf('ann')).not.toContain(missed)
    expect((await server.ask('/metrics', admin)).text).toMatch(/^periplus_subscriptions_stopped 0$/m)
  })

  test('goes on with another key once it is written with that', async () => {
    const giveBack = server.changeKey(annKey(), {})
    server.revokeKey(annKey())
    expect((await words.tell())[1]).toBe(1)
    const fresh = server.addKey({ user: 'ann', roles: ['role/arlas/user'], organisations: ['bar'] })
    expect((await words.tell())[1]).toBe(1)
    const body = subscriptionOf('ann', `${receiver.url}/ann`)
    await words.must('PUT', `/subscriptions/${ids.ann}`, { 'x-api-key': fresh }, body)
    expect((await words.tell())[1]).toBe(2)
    giveBack()
    await words.must('PUT', `/subscriptions/${ids.ann}`, { 'x-api-key': keys.ann }, body)
    server.revokeKey(fresh.split('.')[0] ?? '')
    expect((await words.tell())[1]).toBe(2)
  })

  test('does not name a collection its writer may not search', async () => {
    const permissions = ['rule:subscriptions.*:*', 'rule:explore/open/.*:*']
    const key = { 'x-api-key': server.addKey({ user: 'eve', permissions, organisations: ['bar'] }) }
    const post = (name: string) =>
      server.ask('/subscriptions', key, {
        method: 'POST',
        body: subscriptionOf('eve', `${receiver.url}/eve`, { collections: [name] }),
      })
    expect((await post('shut')).json()).toMatchObject({ status: 404, error: 'COLLECTION_NOT_FOUND' })
    const open = await post('open')
    expect(open.status).toBe(201)
    await words.must('DELETE', `/subscriptions/${(open.json() as Shown).id}`, key)
  })

  test('shows what it tells to no other key of its writer that sees less', async () => {
    const [event] = await words.tell()
    await expect.poll(async () => (await deliveryOf('ann', event))?.state).toBe('DELIVERED')
    const { id } = (await deliveryOf('ann', event)) ?? { id: '' }
    const narrow = {
      'x-api-key': server.addKey({
        user: 'ann',
        roles: ['role/arlas/user'],
        permissions: [`header:partition-filter:${only}`],
        organisations: ['bar'],
      }),
    }
    const path = `/subscriptions/${ids.ann}/deliveries`
    const wide = { 'x-api-key': keys.ann }
    expect((await server.ask(`${path}/${id}`, wide)).text).toContain('"secret":"s0"')
    for (const [method, where] of [
      ['GET', `${path}/${id}`],
      ['POST', `${path}/${id}/_redeliver`],
      ['POST', `${path}/_redeliver`],
    ] as const) {
      expect((await server.ask(where, narrow, { method })).json()).toEqual({
        status: 403,
        error: 'FORBIDDEN',
        message: 'The subscription was written with a wider view than the caller has',
      })
    }
    const list = await server.ask(path, narrow)
    expect(list.status).toBe(200)
    expect(list.text).not.toContain('document_id')
    expect((await server.ask(path, wide)).text).toContain('"document_id":"a"')
    // Written by that key, it is narrower from then on; what was made before stays closed.
    const body = subscriptionOf('ann', `${receiver.url}/ann`)
    await words.must('PUT', `/subscriptions/${ids.ann}`, narrow, body)
    expect((await words.tell())[1]).toBe(1)
    for (const caller of [narrow, wide]) {
      expect((await server.ask(`${path}/${id}`, caller)).json()).toMatchObject({
        error: 'FORBIDDEN',
        message: 'The delivery was created with a wider view than the subscription has now',
      })
    }
    const again = (await words.must('POST', `${path}/_redeliver?state=DELIVERED`, narrow)).json()
    expect(again).toEqual({ count: 0 })
  })
})

describe('a subscription of a caller whom requests tell of', () => {
  /** What the same caller sends with less, and with the same rights as before. */
  async function follows(server: GuardedServer, admin: Headers, rich: Headers, poor: Headers) {
    const words = talk(server, admin)
    await loadTwoCollections(server, admin)
    const id = await words.subscribe(rich, subscriptionOf('ann', 'https://hooks.example.com/x'))
    server.notify()
    expect((await words.tell())[1]).toBe(1)
    const told = async (): Promise<number> => (await words.tell())[1]
    // Whatever the request asks for, and whatever becomes of it.
    await server.ask('/explore/open/_count', poor)
    await expect.poll(told).toBe(0)
    expect((await words.list(id)).stopped).toEqual({ reason: 'RIGHTS' })
    await server.ask('/nowhere', rich)
    await expect.poll(told).toBe(1)
    expect((await words.list(id)).stopped).toBeUndefined()
    await server.stop()
  }

  test('named by a proxy has the rights of the last request', async () => {
    const server = await startGuardedServer({ 'auth.modes': 'header', 'server.trustedProxies': '127.0.0.1' })
    const as = (user: string, role: string, more: Headers = {}) => ({
      'arlas-user': user,
      'arlas-groups': role,
      ...more,
    })
    const rich = as('ann', 'role/arlas/user', { 'arlas-organization': 'bar' })
    await follows(server, as('root', 'role/periplus/admin'), rich, { ...rich, 'arlas-organization': 'other' })
  })

  test('with a token has those of the last token', async () => {
    const issuer = await startIssuer()
    const server = await startGuardedServer({
      'auth.modes': 'jwt',
      'auth.jwt.issuer': issuer.url,
      'auth.jwt.audience': AUDIENCE,
      'auth.jwt.organisationsClaim': 'organisations',
    })
    const token = async (sub: string, role: string, organisations: readonly string[]) => ({
      authorization: `Bearer ${await issuer.sign({ sub, 'http://arlas.io/roles': [role], organisations })}`,
    })
    const admin = await token('root', 'role/periplus/admin', ['foo'])
    const rich = await token('ann', 'role/arlas/user', ['bar'])
    await follows(server, admin, rich, await token('ann', 'role/arlas/tagger', ['bar']))
    await issuer.stop()
  })
})
