import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type SubscriptionServer, startSubscriptionServer, subscriptionBody } from './subscription-server.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

let server: SubscriptionServer
beforeAll(async () => {
  server = await startSubscriptionServer()
})
afterAll(() => server?.stop())

const ask: SubscriptionServer['ask'] = (...call) => server.ask(...call)
const seconds = (): number => Math.floor(server.now / 1000)

async function make(changes: object = {}, side = ''): Promise<string> {
  const { status, seen, text } = await ask('POST', `${side}/subscriptions`, subscriptionBody(changes))
  expect(status, text).toBe(201)
  return seen.id
}

describe('POST', () => {
  test('answers the resource, its place and the place of its secret', async () => {
    const body = subscriptionBody()
    const { status, headers, seen, text } = await ask('POST', '/subscriptions', body)
    expect(status).toBe(201)
    expect(headers['content-type']).toBe('application/json;charset=utf-8')
    expect(seen.id).toMatch(UUID)
    const url = `${server.base}/subscriptions/${seen.id}`
    expect(headers.location).toBe(url)
    expect(headers.link).toBe(`<${url}/secret>; rel="webhook-secret"`)
    const link = (relation: string, href: string, method: string) => ({
      relation,
      href,
      type: 'application/json',
      method,
    })
    const { created_by, active, starts_at, expires_at, title, subscription, userMetadatas } = body
    expect(text).toBe(
      JSON.stringify({
        id: seen.id,
        created_at: seconds(),
        modified_at: seconds(),
        created_by_admin: false,
        deleted: false,
        created_by,
        active,
        starts_at,
        expires_at,
        title,
        subscription,
        userMetadatas,
        _links: {
          self: link('self', url, 'GET'),
          list: link('list', `${server.base}/subscriptions`, 'GET'),
          update: link('update', url, 'PUT'),
          delete: link('delete', url, 'DELETE'),
        },
      }),
    )
  })

  test('makes a secret nobody has seen', async () => {
    const id = await make()
    const secret = await server.notifications.secrets.get(id)
    expect(secret?.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(secret).toMatchObject({ createdAt: seconds(), shown: false })
    const { text } = await ask('GET', `/subscriptions/${id}`)
    expect(text).not.toContain('whsec')
  })

  test('ignores what the server makes itself', async () => {
    const own = { id: 'mine', created_at: 1, modified_at: 2, created_by_admin: true, deleted: true, _links: {} }
    const { seen } = await ask('POST', '/subscriptions', { ...own, ...subscriptionBody() })
    expect(seen).toMatchObject({ created_at: seconds(), created_by_admin: false, deleted: false })
    expect(seen.id).toMatch(UUID)
  })

  test('takes the spelling of the public client and answers the documented one', async () => {
    const { userMetadatas, ...rest } = subscriptionBody()
    const { seen } = await ask('POST', '/subscriptions', { ...rest, user_metadatas: userMetadatas })
    expect(seen.userMetadatas).toEqual(userMetadatas)
    expect(seen.user_metadatas).toBeUndefined()
  })

  test('by an administrator: the links are those of administrators', async () => {
    const { seen, headers } = await ask('POST', '/admin/subscriptions', subscriptionBody())
    expect(seen.created_by_admin).toBe(true)
    const url = `${server.base}/admin/subscriptions/${seen.id}`
    expect(headers.location).toBe(url)
    expect(headers.link).toBe(`<${url}/secret>; rel="webhook-secret"`)
    expect(Object.values(seen._links).map(({ href }) => href)).toEqual([
      url,
      `${server.base}/admin/subscriptions`,
      url,
      url,
    ])
  })

  test('echoes the callback as it was sent', async () => {
    const callback = ' HTTPS://Hooks.Example.com:443/a b '
    const { seen } = await ask('POST', '/subscriptions', subscriptionBody({}, { callback }))
    expect(seen.subscription).toMatchObject({ callback })
  })
})

describe('PUT', () => {
  test('replaces everything that can be sent, and nothing else', async () => {
    const id = await make({}, '/admin')
    const created = seconds()
    server.now += 5_000
    const { userMetadatas: _left, ...rest } = subscriptionBody(
      { active: false, starts_at: 1, expires_at: 2, title: 'new', id: 'x', deleted: true, created_at: 1 },
      { trigger: {}, callback: 'http://b.example/', hits: { filter: '' } },
    )
    const { status, headers, seen } = await ask('PUT', `/subscriptions/${id}`, rest)
    expect(status).toBe(201)
    expect(headers.location).toBe(`${server.base}/subscriptions/${id}`)
    expect(headers.link).toBeUndefined()
    expect(seen).toMatchObject({
      id,
      created_at: created,
      modified_at: created + 5,
      created_by_admin: true,
      deleted: false,
      active: false,
      title: 'new',
      subscription: { trigger: {}, callback: 'http://b.example/', hits: { filter: '', projection: '' } },
      userMetadatas: {},
    })
    expect((await ask('GET', `/subscriptions/${id}`)).seen).toEqual(seen)
  })

  test('keeps the creator on the paths of end users; an administrator may change it', async () => {
    const id = await make({ created_by: 'ann' })
    const other = subscriptionBody({ created_by: 'bob' })
    expect((await ask('PUT', `/subscriptions/${id}`, other)).seen).toMatchObject({ status: 403, error: 'FORBIDDEN' })
    expect((await ask('GET', `/subscriptions/${id}`)).seen.created_by).toBe('ann')
    expect((await ask('PUT', `/admin/subscriptions/${id}`, other)).seen).toMatchObject({
      created_by: 'bob',
      created_by_admin: false,
    })
    expect((await ask('PUT', `/subscriptions/${id}`, other)).status).toBe(201)
  })

  test('wakes deliveries that were held, and forgets why it was switched off', async () => {
    const id = await make()
    const { subscriptions } = server.notifications
    const disabled = { reason: 'GONE', at: 5 } as const
    await subscriptions.change(id, (current) => ({ ...current, active: false, disabled }))
    const before = server.dispatched.length
    await ask('PUT', `/subscriptions/${id}`, subscriptionBody({ active: false }))
    expect(server.dispatched.slice(before)).toEqual([])
    expect((await subscriptions.get(id))?.disabled).toEqual(disabled)
    await ask('PUT', `/subscriptions/${id}`, subscriptionBody({ active: true }))
    expect(server.dispatched.slice(before)).toEqual(['wake'])
    expect((await subscriptions.get(id))?.disabled).toBeUndefined()
  })

  test('of one that does not exist: 404, after the body was read', async () => {
    expect((await ask('PUT', '/subscriptions/none', subscriptionBody())).seen).toMatchObject({
      status: 404,
      error: 'SUBSCRIPTION_NOT_FOUND',
      message: 'Subscription none does not exist',
    })
    expect((await ask('PUT', '/subscriptions/none', {})).seen.error).toBe('INVALID_BODY')
  })
})

describe('DELETE', () => {
  test('marks, cancels, and does so again', async () => {
    const id = await make()
    const created = seconds()
    server.now += 5_000
    const first = await ask('DELETE', `/subscriptions/${id}`)
    expect(first.status).toBe(202)
    expect(first.seen).toMatchObject({ id, deleted: true, modified_at: created })
    expect(Object.keys(first.seen._links)).toEqual(['list'])
    expect(server.dispatched).toContain(`cancel ${id}`)
    const again = await ask('DELETE', `/subscriptions/${id}`)
    expect([again.status, again.text]).toEqual([202, first.text])
  })

  test('leaves it to administrators', async () => {
    const id = await make()
    await ask('DELETE', `/admin/subscriptions/${id}`)
    const ofUser = ['GET', 'PUT'].map((method) =>
      ask(method, `/subscriptions/${id}`, method === 'PUT' ? subscriptionBody() : undefined),
    )
    expect((await Promise.all(ofUser)).map(({ seen }) => seen.error)).toEqual([
      'SUBSCRIPTION_NOT_FOUND',
      'SUBSCRIPTION_NOT_FOUND',
    ])
    const path = `/admin/subscriptions/${id}`
    const found = await ask('GET', path)
    expect([found.status, found.seen.deleted]).toEqual([200, true])
    expect(Object.keys(found.seen._links)).toEqual(['self', 'list'])
    expect((await ask('GET', `${path}?deleted=true`)).status).toBe(200)
    expect((await ask('GET', `${path}?deleted=false`)).seen.error).toBe('SUBSCRIPTION_NOT_FOUND')
    expect((await ask('GET', `${path}?deleted=maybe`)).seen.error).toBe('INVALID_PARAMETER')
    expect((await ask('PUT', path, subscriptionBody())).status).toBe(404)
    expect((await ask('DELETE', path)).status).toBe(202)
    const other = await make()
    expect((await ask('GET', `/admin/subscriptions/${other}?deleted=true`)).status).toBe(200)
  })

  test('of one that does not exist: 404', async () => {
    expect((await ask('DELETE', '/subscriptions/none')).seen.error).toBe('SUBSCRIPTION_NOT_FOUND')
    expect((await ask('DELETE', '/admin/subscriptions/none')).seen.error).toBe('SUBSCRIPTION_NOT_FOUND')
  })
})

describe('on the wire', () => {
  test('a slash at the end, HEAD, pretty, 405', async () => {
    const id = await make()
    expect((await ask('GET', `/subscriptions/${id}/`)).seen.id).toBe(id)
    expect((await ask('HEAD', `/subscriptions/${id}`)).status).toBe(200)
    expect((await ask('GET', `/subscriptions/${id}?pretty=true`)).text).toContain('{\n  "id"')
    const patched = await ask('PATCH', '/subscriptions', {})
    expect([patched.status, patched.headers.allow]).toEqual([405, 'GET, HEAD, POST, OPTIONS'])
    expect((await ask('POST', `/subscriptions/${id}`, {})).status).toBe(405)
  })

  test('a bad pretty is 400 everywhere, and nothing is done', async () => {
    const id = await make()
    for (const side of ['', '/admin']) {
      const one = `${side}/subscriptions/${id}?pretty=1`
      const all = `${side}/subscriptions?pretty=1`
      const answers = [
        await ask('GET', one),
        await ask('PUT', one, subscriptionBody({ title: 'changed' })),
        await ask('DELETE', one),
        await ask('GET', all),
        await ask('POST', all, subscriptionBody({ created_by: 'pretty' })),
      ]
      expect(answers.map(({ seen }) => seen.error)).toEqual(Array.from({ length: 5 }, () => 'INVALID_PARAMETER'))
    }
    expect((await ask('GET', `/subscriptions/${id}`)).seen).toMatchObject({ title: 'title', deleted: false })
    expect((await ask('GET', '/admin/subscriptions?created-by=pretty')).seen.total).toBe(0)
  })

  test('media types and sizes', async () => {
    const text = JSON.stringify(subscriptionBody())
    const type = (value: string) => ({ 'content-type': value })
    expect((await ask('POST', '/subscriptions', text, type('text/plain'))).status).toBe(415)
    expect((await ask('POST', '/subscriptions', text, type('application/json;charset=utf-8'))).status).toBe(201)
    expect((await ask('POST', '/subscriptions', text)).status).toBe(201)
    const gzip = { ...type('application/json'), 'content-encoding': 'gzip' }
    expect((await ask('POST', '/subscriptions', gzipSync(text), gzip)).status).toBe(201)
    const large = `${text}${' '.repeat((1 << 20) - text.length)}`
    expect((await ask('POST', '/subscriptions', large, type('application/json'))).status).toBe(201)
    expect((await ask('POST', '/subscriptions', `${large} `, type('application/json'))).seen).toMatchObject({
      status: 413,
      error: 'BODY_TOO_LARGE',
    })
    expect((await ask('POST', '/subscriptions', undefined, type('text/plain'))).seen.error).toBe('INVALID_BODY')
    expect((await ask('POST', '/subscriptions', '{', type('application/json'))).seen.error).toBe('MALFORMED_JSON')
  })

  test('under the prefix of the public client, links have it too', async () => {
    const prefix = '/arlas-subscriptions-manager'
    const { headers, seen } = await ask('POST', `${prefix}/subscriptions`, subscriptionBody())
    expect(headers.location).toBe(`${server.base}${prefix}/subscriptions/${seen.id}`)
    expect(seen._links.list?.href).toBe(`${server.base}${prefix}/subscriptions`)
    const list = await ask('GET', `${prefix}/admin/subscriptions/?size=1`)
    expect(list.seen._links.self?.href).toBe(`${server.base}${prefix}/admin/subscriptions?size=1&page=1`)
  })

  test('the OpenAPI document knows the ten routes', async () => {
    const { seen } = await ask('GET', '/openapi.json')
    const paths = Object.entries(seen.paths as Record<string, object>).filter(([path]) =>
      path.includes('subscriptions'),
    )
    const named = paths.flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method} ${path}`))
    expect(named.filter((name) => /subscriptions(?:\/\{id\})?$/.test(name)).toSorted()).toEqual(
      ['/admin/subscriptions', '/subscriptions']
        .flatMap((path) => [
          `get ${path}`,
          `post ${path}`,
          `get ${path}/{id}`,
          `put ${path}/{id}`,
          `delete ${path}/{id}`,
        ])
        .toSorted(),
    )
  })
})
