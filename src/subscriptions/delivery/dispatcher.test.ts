import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { NameNotResolved } from '../../access/egress/egress-denied.ts'
import { type DeliveryUnderTest, deliveryUnderTest, newDelivery, newSubscription, T } from './delivery.fixture.ts'
import { type Answer, openReceiver, type Receiver, status } from './receiver.fixture.ts'

let receiver: Receiver
let test: DeliveryUnderTest

const start = async (flags: Readonly<Record<string, string>> = {}, callback = receiver.url): Promise<void> => {
  test = deliveryUnderTest(flags)
  await test.subscriptions.insert(newSubscription('s1', callback))
  test.delivering.start()
}

beforeEach(async () => {
  receiver = await openReceiver()
})
afterEach(async () => {
  await test.close()
  await receiver.close()
})

const outcome = (id: string, expected: readonly unknown[]) => expect.poll(() => test.outcome(id)).toEqual(expected)
const activeState = async () => {
  const found = await test.subscriptions.get('s1')
  return [found?.active, found?.disabled]
}

describe('a delivery', () => {
  it('arrives signed, with its bytes as they are', async () => {
    await start()
    const payload = '{"type":"hit.update","timestamp":"2026-11-15T10:00:00.000Z","name":"Zoë"}'
    await test.insert(newDelivery('a', { payload }))
    await outcome('a', ['DELIVERED', 1, 200, undefined])
    const [request] = receiver.received
    expect([request?.method, request?.path, request?.body]).toEqual(['POST', '/hook', payload])
    expect(request?.headers).toMatchObject({
      'webhook-id': 'msg_a',
      'webhook-timestamp': String(T),
      'content-type': 'application/json',
      'user-agent': 'Periplus/1.2.3',
      host: `127.0.0.1:${receiver.port}`,
    })
    expect(Object.keys(request?.headers ?? {}).filter((name) => /^ce-|cookie|traceparent/.test(name))).toEqual([])
    const secret = await test.secrets.get('s1')
    const signature = String(request?.headers['webhook-signature'])
    expect(new Webhook(secret?.secret ?? '').sign('msg_a', new Date(T * 1000), payload)).toBe(signature)
    expect((await test.get('a'))?.deliveredAt).toBe(T)
    expect(test.delivering.figures.attempts().get('DELIVERED')).toBe(1)
  })

  it('carries the headers of CloudEvents when asked to', async () => {
    await start({ 'delivery.cloudEvents': 'true' })
    await test.insert(newDelivery('a', { collection: 'géo data' }))
    await outcome('a', ['DELIVERED', 1, 200, undefined])
    expect(receiver.received[0]?.headers).toMatchObject({
      'ce-specversion': '1.0',
      'ce-id': 'msg_a',
      'ce-type': 'org.periplus.hit.update',
      'ce-source': 'https://geo.example.com/collections/g%C3%A9o%20data',
      'ce-time': '2026-11-15T10:00:00.000Z',
    })
  })

  it('is attempted ten times by schedule; then it failed, and its subscription is switched off', async () => {
    receiver.answer = status(500)
    await start()
    await test.insert(newDelivery('a'))
    const waits: number[] = []
    for (let n = 1; n < 10; n++) {
      await outcome('a', ['PENDING', n, 500, 'HTTP_STATUS'])
      const next = (await test.get('a'))?.nextAttemptAt ?? 0
      waits.push((next - test.clock.now()) / 1000)
      test.clock.moveTo(next - 1)
      await expect.poll(() => test.clock.next).toBeDefined()
      expect(receiver.received.length).toBe(n)
      test.clock.moveTo(next)
      test.clock.moveBy(20)
    }
    await outcome('a', ['FAILED', 10, 500, 'HTTP_STATUS'])
    const hour = 3600
    expect(waits).toEqual([5, 300, 1800, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour])
    expect(new Set(receiver.received.map(({ body, headers }) => `${headers['webhook-id']} ${body}`)).size).toBe(1)
    const timestamps = receiver.received.map(({ headers }) => Number(headers['webhook-timestamp']))
    expect(timestamps[9]).toBeGreaterThanOrEqual(T + 75 * hour + 35 * 60 + 5)
    const at = Math.floor(test.clock.now() / 1000)
    expect(await activeState()).toEqual([false, { reason: 'EXHAUSTED', at }])
    expect((await test.subscriptions.get('s1'))?.modified_at).toBe(at)
    expect((await test.store.attempts('msg_a', 'webhook')).map(({ number, cause }) => `${number} ${cause}`)).toEqual(
      Array.from({ length: 10 }, (_, i) => `${i + 1} schedule`),
    )
  })

  it('that fails does not switch the subscription off when another one arrived meanwhile', async () => {
    receiver.answer = (response, request) =>
      status(request.headers['webhook-id'] === 'msg_a' ? 500 : 200)(response, request)
    await start()
    await test.insert(newDelivery('a'))
    for (let n = 1; n < 10; n++) {
      await outcome('a', ['PENDING', n, 500, 'HTTP_STATUS'])
      if (n === 5) {
        await test.insert(newDelivery('b', { createdAt: Math.floor(test.clock.now() / 1000) }))
        await outcome('b', ['DELIVERED', 1, 200, undefined])
      }
      test.clock.moveTo((await test.get('a'))?.nextAttemptAt ?? 0)
      test.clock.moveBy(20)
    }
    await outcome('a', ['FAILED', 10, 500, 'HTTP_STATUS'])
    expect(await activeState()).toEqual([true, undefined])
  })

  it('to a target that is gone fails, switches the subscription off and cancels the others', async () => {
    receiver.answer = (response, request) =>
      status(request.headers['webhook-id'] === 'msg_a' ? 500 : 410)(response, request)
    await start({ 'delivery.perSubscription': '1' })
    await test.insert(newDelivery('a'))
    await outcome('a', ['PENDING', 1, 500, 'HTTP_STATUS'])
    await test.insert(...['b', 'c', 'd', 'e'].map((id) => newDelivery(id)))
    await outcome('b', ['FAILED', 1, 410, 'GONE'])
    await outcome('a', ['CANCELLED', 1, 500, 'HTTP_STATUS'])
    for (const id of ['c', 'd', 'e']) await outcome(id, ['CANCELLED', 0, undefined, undefined])
    expect(await activeState()).toEqual([false, { reason: 'GONE', at: T }])
    expect(receiver.received.length).toBe(2)
  })

  it.each<readonly [string, Answer, readonly unknown[]]>([
    ['redirects', status(302, { location: 'http://127.0.0.1:1/' }), [302, 'REDIRECT']],
    ['refuses', status(404), [404, 'HTTP_STATUS']],
    ['hangs', () => undefined, [undefined, 'TIMEOUT']],
    ['closes', (response) => response.destroy(), [undefined, 'CONNECT']],
    ['answers no HTTP', (response) => response.socket?.end('what?\r\n\r\n'), [undefined, 'CONNECT']],
  ])('to a target that %s is attempted again', async (name, answer, expected) => {
    receiver.answer = answer
    await start(name === 'hangs' ? { 'delivery.timeout': '150ms' } : {})
    await test.insert(newDelivery('a'))
    await outcome('a', ['PENDING', 1, ...expected])
    expect(receiver.received.length).toBe(1)
    receiver.answer = status(204)
    test.clock.moveBy(5020)
    await outcome('a', ['DELIVERED', 2, 204, undefined])
  })

  it('is done when it was taken, although the answer never ends', async () => {
    let sent = 0
    receiver.answer = (response) => {
      const chunk = Buffer.alloc(64 * 1024)
      const write = (): void => {
        while (!response.destroyed && response.write(chunk)) sent += chunk.length
      }
      response.writeHead(200, { 'content-length': String(2 ** 30) }).on('drain', write)
      write()
    }
    await start()
    const ids = Array.from({ length: 10 }, (_, n) => `x${n}`)
    await test.insert(...ids.map((id) => newDelivery(id)))
    for (const id of ids) await outcome(id, ['DELIVERED', 1, 200, undefined])
    // At most ten times the socket buffers, and not ten gigabytes.
    expect(sent).toBeLessThan(100 * 2 ** 20)
  })

  it('to a target that cannot be reached, named or allowed says so', async () => {
    const closed = createTcpServer()
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve))
    const { port } = closed.address() as AddressInfo
    await new Promise((resolve) => closed.close(resolve))
    test = deliveryUnderTest({ 'egress.allow': '127.0.0.1,nowhere.invalid' })
    const callbacks = {
      a: `http://127.0.0.1:${port}/`,
      b: 'http://nowhere.invalid/',
      c: 'http://127.0.0.2:8080/',
      d: 'http://localhost/',
      e: `https://127.0.0.1:${receiver.port}/`,
    }
    for (const [id, callback] of Object.entries(callbacks)) {
      await test.subscriptions.insert(newSubscription(id, callback))
      await test.insert(newDelivery(id, { subscriptionId: id }))
    }
    test.delivering.start()
    const errorOf = async (id: string) => (await test.store.get(id, `msg_${id}`))[0]?.lastError
    await expect
      .poll(() => Promise.all(Object.keys(callbacks).map(errorOf)))
      .toEqual(['CONNECT', 'DNS', 'EGRESS_DENIED', 'EGRESS_DENIED', 'TLS'])
    expect(Object.fromEntries(test.delivering.figures.denied())).toEqual({ address: 1, host: 1 })
    expect(receiver.received).toEqual([])
  })

  it('to a name that does not resolve is a fault of DNS, tried again; one that leads to a refused address is denied', async () => {
    let addresses: readonly string[] = []
    const resolve = async () => {
      if (addresses.length === 0) throw new NameNotResolved()
      return addresses
    }
    test = deliveryUnderTest({}, { resolve })
    await test.subscriptions.insert(newSubscription('s1', 'http://hooks.example.com/'))
    test.delivering.start()
    await test.insert(newDelivery('a'))
    await outcome('a', ['PENDING', 1, undefined, 'DNS'])
    expect([...test.delivering.figures.denied()]).toEqual([])
    addresses = ['10.0.0.1']
    test.clock.moveBy(5020)
    await outcome('a', ['PENDING', 2, undefined, 'EGRESS_DENIED'])
    addresses = ['93.184.215.14', '127.0.0.2']
    test.clock.moveBy(301_000)
    await outcome('a', ['PENDING', 3, undefined, 'EGRESS_DENIED'])
    const attempts = await test.store.attempts('msg_a', 'webhook')
    expect(attempts.map(({ error }) => error)).toEqual(['DNS', 'EGRESS_DENIED', 'EGRESS_DENIED'])
  })

  it('waits for Retry-After, and on 429 the others of the subscription too', async () => {
    receiver.answer = (response, request) => {
      const isFirst = request.headers['webhook-id'] === 'msg_a'
      status(isFirst ? 429 : 200, isFirst ? { 'retry-after': '120' } : {})(response, request)
    }
    await start()
    await test.insert(newDelivery('a'))
    await outcome('a', ['PENDING', 1, 429, 'HTTP_STATUS'])
    expect((await test.get('a'))?.nextAttemptAt).toBe(test.clock.now() + 120_000)
    await test.insert(newDelivery('b'))
    await expect.poll(() => test.clock.next).toBe(test.clock.now() + 120_000)
    expect(await test.outcome('b')).toEqual(['PENDING', 0, undefined, undefined])
    receiver.answer = status(200)
    test.clock.moveBy(120_020)
    await outcome('a', ['DELIVERED', 2, 200, undefined])
    await outcome('b', ['DELIVERED', 1, 200, undefined])
  })

  it.each<readonly [number, string, number, number]>([
    [500, '120', 120_000, 0],
    [500, '1', 5_000, 0],
    [503, '999999', 86_400_000, 3_600_000],
    [429, 'soon', 5_000, 0],
    [503, 'Sun, 15 Nov 2026 10:02:00 GMT', 120_000, 120_000],
  ])('on %i with Retry-After %s waits %i ms, others %i ms', async (code, retryAfter, own, others) => {
    receiver.answer = (response, request) => {
      const isFirst = request.headers['webhook-id'] === 'msg_a'
      status(isFirst ? code : 200, isFirst ? { 'retry-after': retryAfter } : {})(response, request)
    }
    await start()
    await test.insert(newDelivery('a'))
    await outcome('a', ['PENDING', 1, code, 'HTTP_STATUS'])
    expect((await test.get('a'))?.nextAttemptAt).toBe(T * 1000 + own)
    await test.insert(newDelivery('b'))
    if (others > 0) {
      await expect.poll(() => test.clock.next).toBe(T * 1000 + others)
      expect((await test.get('b'))?.attempts).toBe(0)
      test.clock.moveBy(others)
    }
    await outcome('b', ['DELIVERED', 1, 200, undefined])
  })
})

describe('deliveries of a subscription', () => {
  it('wait while it is switched off, and go to the callback it has then', async () => {
    await start({}, 'http://127.0.0.1:9/')
    await test.subscriptions.change('s1', (current) => ({ ...current, active: false }))
    await test.insert(newDelivery('a'))
    test.clock.moveBy(1000)
    expect(await test.outcome('a')).toEqual(['PENDING', 0, undefined, undefined])
    await test.subscriptions.change('s1', (current) => ({
      ...current,
      active: true,
      expires_at: 1,
      subscription: { ...current.subscription, callback: receiver.url },
    }))
    await outcome('a', ['DELIVERED', 1, 200, undefined])
  })

  it('are cancelled with it, also those under way', async () => {
    let open = 0
    receiver.answer = (response) => {
      open++
      response.on('close', () => open--)
    }
    await start({ 'delivery.perSubscription': '2' })
    await test.insert(...['a', 'b', 'c', 'd', 'e'].map((id) => newDelivery(id)))
    await expect.poll(() => open).toBe(2)
    await test.subscriptions.change('s1', (current) => ({ ...current, deleted: true }))
    await test.delivering.cancel('s1')
    for (const id of ['a', 'b', 'c', 'd', 'e']) expect((await test.get(id))?.state).toBe('CANCELLED')
    await expect.poll(() => open).toBe(0)
    test.delivering.wake()
    expect(receiver.received.length).toBe(2)
  })

  it('begin anew when asked for, whatever the target asked for before', async () => {
    receiver.answer = status(429, { 'retry-after': '3000' })
    await start()
    await test.insert(newDelivery('a'))
    await outcome('a', ['PENDING', 1, 429, 'HTTP_STATUS'])
    receiver.answer = status(500)
    expect(await test.store.redeliver({ subscriptionId: 's1', id: 'msg_a' }, test.clock.now())).toBe(1)
    test.delivering.wake('s1')
    await outcome('a', ['PENDING', 2, 500, 'HTTP_STATUS'])
    expect((await test.get('a'))?.nextAttemptAt).toBe(test.clock.now() + 5000)
    const attempts = await test.store.attempts('msg_a', 'webhook')
    expect(attempts.map(({ cause }) => cause)).toEqual(['schedule', 'manual'])
  })

  it('of a slow host do not delay those of others', async () => {
    receiver.answer = () => undefined
    await start({
      'delivery.concurrency': '4',
      'delivery.perHost': '2',
      'delivery.timeout': '2m',
      'delivery.claim': '3m',
    })
    const quick = await openReceiver()
    await test.subscriptions.insert(newSubscription('s2', quick.url))
    await test.insert(...Array.from({ length: 50 }, (_, n) => newDelivery(`slow${n}`)))
    await expect.poll(() => receiver.received.length).toBe(2)
    const others = Array.from({ length: 30 }, (_, n) => newDelivery(`quick${n}`, { subscriptionId: 's2' }))
    await test.insert(...others)
    await expect.poll(() => quick.received.length).toBe(30)
    expect(receiver.received.length).toBe(2)
    await quick.close()
    // Ends the requests that hang.
    await receiver.close()
  })
})
