import { Webhook } from 'standardwebhooks'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { newDelivery, T } from '../../../src/subscriptions/delivery/delivery.fixture.ts'
import { openReceiver, type Receiver, status } from '../../../src/subscriptions/delivery/receiver.fixture.ts'
import { type DeliveryServer, startDeliveryServer } from './delivery-server.ts'

let server: DeliveryServer
let receiver: Receiver

beforeEach(async () => {
  receiver = await openReceiver()
  server = await startDeliveryServer()
})
afterEach(async () => {
  await server.stop()
  await receiver.close()
})

const settled = (id: string, state: string) => expect.poll(async () => (await server.get(id))?.state).toBe(state)

const get = async (path: string) => (await server.ask('GET', path)).seen
const refusal = async (method: string, path: string, body?: unknown) => {
  const { status, seen } = await server.ask(method, path, body)
  return [status, seen.error]
}

describe('a delivery over HTTP', () => {
  it('is shown with its attempts and its payload', async () => {
    receiver.answer = status(503)
    await server.subscribe('s1', receiver.url)
    await server.deliver('a')
    await expect.poll(async () => (await server.get('a'))?.attempts).toBe(1)
    const { headers, seen } = await server.ask('GET', '/subscriptions/s1/deliveries/msg_a')
    expect(headers['content-type']).toBe('application/json;charset=utf-8')
    const url = `${server.base}/subscriptions/s1/deliveries`
    const link = (relation: string, href: string, method: string) => ({
      relation,
      href,
      type: 'application/json',
      method,
    })
    const { duration_ms, ...attempt } = seen.attempt_log[0] ?? {}
    expect(duration_ms).toBe(0)
    expect(attempt).toEqual({ number: 1, at: T, status: 503, error: 'HTTP_STATUS', cause: 'schedule' })
    expect({ ...seen, attempt_log: [] }).toEqual({
      id: 'msg_a',
      subscription_id: 's1',
      channel: 'webhook',
      event_id: 'evt-a',
      collection: 'geodata',
      document_id: 'd1',
      type: 'hit.update',
      state: 'PENDING',
      attempts: 1,
      created_at: T,
      next_attempt_at: T + 5,
      last_status: 503,
      last_error: 'HTTP_STATUS',
      attempt_log: [],
      payload: { timestamp: '2026-11-15T10:00:00.000Z', n: 'a' },
      _links: {
        self: link('self', `${url}/msg_a`, 'GET'),
        list: link('list', url, 'GET'),
        redeliver: link('redeliver', `${url}/msg_a/_redeliver`, 'POST'),
      },
    })
    const { _links } = await get('/arlas-subscriptions-manager/admin/subscriptions/s1/deliveries/msg_a/')
    expect(_links.self?.href).toBe(`${server.base}/arlas-subscriptions-manager/admin/subscriptions/s1/deliveries/msg_a`)
  })

  it('is listed newest first, by state, channel and time, page by page', async () => {
    await server.subscribe('s1', receiver.url, { active: false })
    await server.deliver('a', newDelivery('b', { createdAt: T + 1 }), newDelivery('c', { createdAt: T + 2 }))
    await server.deliver(
      newDelivery('k', { channel: 'kafka', createdAt: T - 1 }),
      newDelivery('f', { failed: 'INVALID_FILTER' }),
    )
    const ids = async (query: string) => {
      const { total, count, deliveries } = await get(`/subscriptions/s1/deliveries${query}`)
      expect(count).toBe(deliveries.length)
      return [total, ...deliveries.map(({ id }) => id.slice(4))]
    }
    expect(await ids('')).toEqual([5, 'c', 'b', 'f', 'a', 'k'])
    expect(await ids('?state=FAILED')).toEqual([1, 'f'])
    expect(await ids('?channel=kafka')).toEqual([1, 'k'])
    expect(await ids(`?after=${T}&before=${T + 1}`)).toEqual([3, 'b', 'f', 'a'])
    expect(await ids('?size=2&page=2')).toEqual([5, 'f', 'a'])
    expect(await ids('?size=2&page=9')).toEqual([5])
    const { _links, deliveries } = await get('/subscriptions/s1/deliveries?state=PENDING&size=2&page=1')
    expect(_links.next?.href).toBe(`${server.base}/subscriptions/s1/deliveries?state=PENDING&size=2&page=2`)
    expect(deliveries[0]).not.toHaveProperty('payload')
    for (const query of ['state=pending', 'channel=mail', 'before=x', 'size=0', 'size=1001', 'page=0', 'pretty=x']) {
      expect(await refusal('GET', `/subscriptions/s1/deliveries?${query}`)).toEqual([400, 'INVALID_PARAMETER'])
    }
  })

  it('says why the server switched its subscription off', async () => {
    receiver.answer = status(410)
    await server.subscribe('s1', receiver.url)
    await server.deliver('a')
    await settled('a', 'FAILED')
    expect((await get('/subscriptions/s1/deliveries')).disabled).toEqual({ reason: 'GONE', at: T })
    expect((await get('/subscriptions/s1')).active).toBe(false)
    expect(await refusal('POST', '/subscriptions/s1/deliveries/msg_a/_redeliver')).toEqual([
      409,
      'SUBSCRIPTION_INACTIVE',
    ])
    expect(await refusal('POST', '/subscriptions/s1/deliveries/_redeliver')).toEqual([409, 'SUBSCRIPTION_INACTIVE'])
    await server.subscriptions.change('s1', ({ disabled: _disabled, ...rest }) => ({ ...rest, active: true }))
    expect(await get('/subscriptions/s1/deliveries')).not.toHaveProperty('disabled')
  })

  it('is not found when it is another one’s, or gone', async () => {
    await server.subscribe('s1', receiver.url)
    await server.subscribe('s2', receiver.url)
    await server.deliver('a')
    expect(await refusal('GET', '/subscriptions/s2/deliveries/msg_a')).toEqual([404, 'DELIVERY_NOT_FOUND'])
    expect(await refusal('GET', '/subscriptions/s1/deliveries/msg_x')).toEqual([404, 'DELIVERY_NOT_FOUND'])
    expect(await refusal('POST', '/subscriptions/s1/deliveries/msg_x/_redeliver')).toEqual([404, 'DELIVERY_NOT_FOUND'])
    for (const path of ['deliveries', 'deliveries/msg_a', 'secret']) {
      expect(await refusal('GET', `/subscriptions/nobody/${path}`)).toEqual([404, 'SUBSCRIPTION_NOT_FOUND'])
    }
    for (const path of ['deliveries/_redeliver', 'deliveries/msg_a/_redeliver', '_test', 'secret']) {
      expect(await refusal('POST', `/subscriptions/nobody/${path}`)).toEqual([404, 'SUBSCRIPTION_NOT_FOUND'])
    }
  })

  it('of a deleted subscription is for administrators', async () => {
    await server.subscribe('s1', receiver.url, { deleted: true })
    await server.deliver('a')
    await settled('a', 'CANCELLED')
    expect(await refusal('GET', '/subscriptions/s1/deliveries')).toEqual([404, 'SUBSCRIPTION_NOT_FOUND'])
    expect((await get('/admin/subscriptions/s1/deliveries')).total).toBe(1)
    expect((await get('/admin/subscriptions/s1/secret')).shown).toBe(false)
    const again = '/admin/subscriptions/s1/deliveries/msg_a/_redeliver'
    expect(await refusal('POST', again)).toEqual([409, 'SUBSCRIPTION_INACTIVE'])
    expect(await refusal('POST', '/admin/subscriptions/s1/_test')).toEqual([409, 'SUBSCRIPTION_INACTIVE'])
  })
})

describe('redelivery', () => {
  it('sends the same bytes under the same id, signed anew', async () => {
    await server.subscribe('s1', receiver.url)
    await server.deliver('a')
    await settled('a', 'DELIVERED')
    server.clock.moveBy(10_000)
    const { status, seen } = await server.ask('POST', '/subscriptions/s1/deliveries/msg_a/_redeliver', 'ignored', {
      'content-type': 'text/odd',
    })
    expect([status, seen.id]).toEqual([202, 'msg_a'])
    await expect.poll(() => receiver.received.length).toBe(2)
    const [first, second] = receiver.received
    expect([second?.body, second?.headers['webhook-id']]).toEqual([first?.body, first?.headers['webhook-id']])
    expect(second?.headers['webhook-timestamp']).toBe(String(T + 10))
    expect(second?.headers['webhook-signature']).not.toBe(first?.headers['webhook-signature'])
    await expect.poll(async () => (await server.get('a'))?.attempts).toBe(2)
    const { attempt_log, state } = await get('/subscriptions/s1/deliveries/msg_a')
    expect([state, attempt_log.map(({ cause }) => cause)]).toEqual(['DELIVERED', ['schedule', 'manual']])
  })

  it('is refused while one is under way', async () => {
    receiver.answer = () => undefined
    await server.subscribe('s1', receiver.url)
    await server.deliver('a')
    await expect.poll(() => receiver.received.length).toBe(1)
    expect(await refusal('POST', '/subscriptions/s1/deliveries/msg_a/_redeliver')).toEqual([
      409,
      'DELIVERY_IN_PROGRESS',
    ])
    await receiver.close()
  })

  it('takes all that match', async () => {
    receiver.answer = status(500)
    await server.subscribe('s1', receiver.url)
    await server.deliver('a', newDelivery('b', { createdAt: T - 5 }), newDelivery('f', { failed: 'INVALID_FILTER' }))
    for (const id of ['a', 'b']) await expect.poll(async () => (await server.get(id))?.attempts).toBe(1)
    const all = async (query: string) =>
      (await server.ask('POST', `/subscriptions/s1/deliveries/_redeliver${query}`)).seen
    expect(await all('')).toEqual({ count: 0 })
    expect(await all(`?state=PENDING&before=${T - 1}`)).toEqual({ count: 1 })
    await expect.poll(async () => (await server.get('b'))?.attempts).toBe(2)
    expect((await server.get('a'))?.attempts).toBe(1)
    expect(await refusal('POST', '/subscriptions/s1/deliveries/_redeliver?state=x')).toEqual([400, 'INVALID_PARAMETER'])
    expect(await refusal('POST', '/subscriptions/s1/deliveries/msg_f/_redeliver')).toEqual([409, 'CONFLICT'])
  })

  it('and tests are taken ten times a minute', async () => {
    await server.subscribe('s1', receiver.url)
    await server.subscribe('s2', receiver.url)
    for (let n = 0; n < 5; n++) {
      expect((await server.ask('POST', '/subscriptions/s1/_test')).status).toBe(200)
      expect((await server.ask('POST', '/admin/subscriptions/s1/deliveries/_redeliver')).status).toBe(202)
      server.clock.moveBy(1000)
    }
    const { status, headers, seen } = await server.ask('POST', '/subscriptions/s1/_test')
    expect([status, seen.error, headers['retry-after']]).toEqual([429, 'TOO_MANY_REQUESTS', '55'])
    expect((await server.ask('POST', '/subscriptions/s2/_test')).status).toBe(200)
    server.clock.moveBy(55_000)
    expect((await server.ask('POST', '/subscriptions/s1/_test')).status).toBe(200)
  })
})

describe('a test', () => {
  it('is one signed attempt, shown with its outcome, on an inactive subscription too', async () => {
    receiver.answer = (response) => response.writeHead(202).end('the body of the callback')
    await server.subscribe('s1', receiver.url, { active: false })
    const { status: code, seen, text } = await server.ask('POST', '/subscriptions/s1/_test')
    expect(code).toBe(200)
    expect(seen).toMatchObject({ state: 'DELIVERED', type: 'subscription.test', attempts: 1, last_status: 202 })
    expect(seen.attempt_log).toMatchObject([{ number: 1, status: 202, cause: 'test' }])
    expect(seen.delivered_at).toBe(T)
    expect(seen.id).toMatch(/^msg_[0-9a-f]{32}$/)
    expect([seen.collection, seen.document_id]).toEqual([undefined, undefined])
    expect(text).not.toContain('the body of')
    const [request] = receiver.received
    const payload = JSON.parse(request?.body ?? '')
    expect(Object.keys(payload)).toEqual([
      'type',
      'timestamp',
      'id',
      'event',
      'time',
      'object',
      'data',
      'subscription',
      'user_metadata',
    ])
    expect(payload).toMatchObject({ event: 'TEST', object: {}, data: {}, user_metadata: { correlationId: 'c1' } })
    expect(seen.payload).toEqual(payload)
    expect(request?.headers['webhook-id']).toBe(seen.id)
    const secret = await server.secrets.get('s1')
    expect(new Webhook(secret?.secret ?? '').sign(seen.id, new Date(T * 1000), request?.body ?? '')).toBe(
      request?.headers['webhook-signature'],
    )
  })

  it('that fails is not repeated, and switches nothing off', async () => {
    receiver.answer = status(410)
    await server.subscribe('s1', receiver.url)
    const { seen } = await server.ask('POST', '/subscriptions/s1/_test')
    expect(seen).toMatchObject({ state: 'FAILED', last_status: 410, last_error: 'GONE', attempts: 1 })
    await server.subscribe('s2', 'http://192.168.1.1/')
    const denied = (await server.ask('POST', '/subscriptions/s2/_test')).seen
    expect(denied).toMatchObject({ state: 'FAILED', last_error: 'EGRESS_DENIED' })
    expect(denied).not.toHaveProperty('last_status')
    expect((await get('/subscriptions/s1')).active).toBe(true)
    server.clock.moveBy(100_000_000)
    expect(receiver.received.length).toBe(1)
  })
})

describe('the secret of a subscription', () => {
  const OWN = 'whsec_//79/Pv6+fj39vX08/Lx8O/u7ezr6uno5+bl5OPi4eA='

  it('is shown once, and described afterwards', async () => {
    await server.subscribe('s1', receiver.url)
    const before = await get('/subscriptions/s1/secret')
    expect(before).toEqual({ created_at: T, shown: false, hint: expect.stringMatching(/^.{4}$/) })
    server.clock.moveBy(5000)
    const { status: code, headers, seen } = await server.ask('POST', '/subscriptions/s1/secret')
    expect([code, headers['cache-control']]).toEqual([201, 'no-store'])
    expect(seen).toEqual({ secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/), created_at: T + 5 })
    const after = await get('/subscriptions/s1/secret')
    expect(after).toEqual({ created_at: T + 5, shown: true, hint: seen.secret.slice(-4) })
    const again = (await server.ask('POST', '/subscriptions/s1/secret', { secret: OWN, overlap: 60 })).seen
    expect(again).toEqual({ secret: OWN, created_at: T + 5, previous_expires_at: T + 65 })
    expect((await get('/subscriptions/s1/secret')).previous_expires_at).toBe(T + 65)
    await server.ask('POST', '/subscriptions/s1/_test')
    const signatures = String(receiver.received[0]?.headers['webhook-signature']).split(' ')
    const body = receiver.received[0]?.body ?? ''
    const id = String(receiver.received[0]?.headers['webhook-id'])
    const signed = (secret: string) => new Webhook(secret).sign(id, new Date((T + 5) * 1000), body)
    expect(signatures).toEqual([signed(OWN), signed(seen.secret)])
    server.clock.moveBy(60_000)
    expect(await get('/subscriptions/s1/secret')).not.toHaveProperty('previous_expires_at')
  })

  it('overlaps for a day unless told otherwise', async () => {
    await server.subscribe('s1', receiver.url)
    await server.ask('POST', '/subscriptions/s1/secret', {})
    expect((await server.ask('POST', '/subscriptions/s1/secret')).seen.previous_expires_at).toBe(T + 86_400)
    expect((await server.ask('POST', '/subscriptions/s1/secret', { overlap: 0 })).seen).not.toHaveProperty(
      'previous_expires_at',
    )
  })

  it('is of 24 to 64 bytes, its overlap a week at most; neither is repeated when it is wrong', async () => {
    await server.subscribe('s1', receiver.url)
    const cases: readonly (readonly [unknown, string])[] = [
      [{ secret: 'whsec_short' }, 'INVALID_PARAMETER'],
      [{ secret: 'hunter2hunter2hunter2' }, 'INVALID_PARAMETER'],
      [{ overlap: -1 }, 'INVALID_PARAMETER'],
      [{ overlap: 604_801 }, 'INVALID_PARAMETER'],
      [{ overlap: '60' }, 'INVALID_BODY'],
      [{ overlap: 1.9 }, 'INVALID_BODY'],
      [{ secret: 12345678 }, 'INVALID_BODY'],
      [{ sekret: 'x' }, 'INVALID_BODY'],
      [['hunter2hunter2'], 'INVALID_BODY'],
      ['{"secret":"hunter2hunter2"', 'MALFORMED_JSON'],
    ]
    for (const [body, code] of cases) {
      const { status: answered, seen } = await server.ask('POST', '/subscriptions/s1/secret', body)
      expect([answered, seen.error]).toEqual([400, code])
      expect(seen.message).not.toMatch(/hunter2|short|12345678|604801|-1/)
    }
  })

  it('stays out of logs, answers and lists', async () => {
    receiver.answer = status(500)
    await server.subscribe('s1', receiver.url)
    const { secret } = (await server.ask('POST', '/subscriptions/s1/secret')).seen
    await server.deliver('a')
    await expect.poll(async () => (await server.get('a'))?.attempts).toBe(1)
    await server.ask('POST', '/subscriptions/s1/_test')
    const shown = [
      ...server.lines,
      ...server.logged,
      (await server.ask('GET', '/subscriptions/s1')).text,
      (await server.ask('GET', '/admin/subscriptions')).text,
      (await server.ask('GET', '/subscriptions/s1/deliveries')).text,
      (await server.ask('GET', '/subscriptions/s1/deliveries/msg_a')).text,
    ].join('\n')
    expect(server.lines.length).toBeGreaterThan(0)
    expect(shown).not.toContain(secret.slice(6))
  })
})
