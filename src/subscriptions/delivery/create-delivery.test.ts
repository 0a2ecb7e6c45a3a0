import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type DeliveryUnderTest, deliveryUnderTest, newDelivery, newSubscription, T } from './delivery.fixture.ts'
import { openReceiver, type Receiver, status } from './receiver.fixture.ts'

let receiver: Receiver
let test: DeliveryUnderTest

const start = async (flags: Readonly<Record<string, string>> = {}): Promise<void> => {
  test = deliveryUnderTest(flags)
  await test.subscriptions.insert(newSubscription('s1', receiver.url))
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

describe('stopping', () => {
  it('lets attempts end, gives back what waits, and begins nothing', async () => {
    const ends: (() => void)[] = []
    receiver.answer = (response) => void ends.push(() => response.writeHead(200).end())
    await start({ 'delivery.perSubscription': '1' })
    await test.insert(newDelivery('a'), newDelivery('b'), newDelivery('c'))
    await expect.poll(() => ends.length).toBe(1)
    const stopped = test.delivering.stop()
    await expect.poll(async () => (await test.get('b'))?.state).toBe('PENDING')
    ends[0]?.()
    await stopped
    expect([await test.outcome('a'), await test.outcome('b')]).toEqual([
      ['DELIVERED', 1, 200, undefined],
      ['PENDING', 0, undefined, undefined],
    ])
    await test.insert(newDelivery('d'))
    test.delivering.wake()
    expect(receiver.received.length).toBe(1)
  })

  it('waits for fifteen seconds, and no longer', async () => {
    receiver.answer = () => undefined
    await start()
    await test.insert(newDelivery('a'))
    await expect.poll(() => receiver.received.length).toBe(1)
    let isStopped = false
    const stopped = test.delivering.stop().then(() => {
      isStopped = true
    })
    await expect.poll(() => test.clock.next).toBe(test.clock.now() + 15_000)
    test.clock.moveBy(14_999)
    await new Promise((resolve) => setImmediate(resolve))
    expect(isStopped).toBe(false)
    test.clock.moveBy(1)
    await stopped
    expect(await test.outcome('a')).toEqual(['PENDING', 0, undefined, undefined])
  })
})

describe('retention', () => {
  it('removes finished deliveries after thirty days', async () => {
    await start()
    await test.insert(newDelivery('a'))
    await outcome('a', ['DELIVERED', 1, 200, undefined])
    test.clock.moveBy(29 * 86_400_000)
    expect(await test.get('a')).toBeDefined()
    test.clock.moveBy(86_400_000)
    test.clock.moveBy(3_600_000)
    await expect.poll(() => test.get('a')).toBeUndefined()
  })
})

describe('secrets that cannot be kept', () => {
  it('in a cluster without a key: nothing is delivered', async () => {
    test = deliveryUnderTest({}, { isShared: true })
    await test.subscriptions.insert(newSubscription('s1', receiver.url))
    await test.insert(newDelivery('a'))
    test.delivering.start()
    test.delivering.wake('s1')
    await expect(test.delivering.test('s1')).rejects.toThrow('secrets.key must be set')
    expect(await test.outcome('a')).toEqual(['PENDING', 0, undefined, undefined])
    expect(test.logged.join()).toContain('secrets.key must be set')
    await new Promise((resolve) => setImmediate(resolve))
    expect((await test.get('a'))?.state).toBe('PENDING')
    expect(receiver.received).toEqual([])
  })

  it('in a file without a key are told of', async () => {
    await start()
    expect(test.logged.join()).toContain('secrets of subscriptions are stored unencrypted')
  })
})

describe('consent', () => {
  const agreeing = (headers: Readonly<Record<string, string>>) => {
    receiver.answer = (response, request) => {
      if (request.method === 'OPTIONS') status(200, headers)(response, request)
      else status(202)(response, request)
    }
  }

  it('is asked for before the first delivery, once', async () => {
    agreeing({ 'webhook-allowed-origin': 'geo.example.com' })
    await start({ 'delivery.handshake': 'true' })
    await test.insert(newDelivery('a'))
    await outcome('a', ['DELIVERED', 1, 202, undefined])
    await test.insert(newDelivery('b'))
    await outcome('b', ['DELIVERED', 1, 202, undefined])
    expect(receiver.received.map(({ method }) => method)).toEqual(['OPTIONS', 'POST', 'POST'])
    expect(receiver.received[0]?.headers['webhook-request-origin']).toBe('geo.example.com')
  })

  it('holds deliveries until it is given', async () => {
    agreeing({ 'webhook-allowed-origin': 'other.example.com' })
    await start({ 'delivery.handshake': 'true' })
    await test.insert(newDelivery('a'))
    await expect.poll(() => receiver.received.length).toBe(1)
    await expect.poll(() => test.clock.next).toBe(test.clock.now() + 5_000)
    expect(await test.outcome('a')).toEqual(['PENDING', 0, undefined, undefined])
    expect(await test.delivering.test('s1').then((id) => test.outcome(id.slice(4)))).toEqual([
      'FAILED',
      1,
      undefined,
      'EGRESS_DENIED',
    ])
    agreeing({ 'webhook-allowed-origin': '*' })
    test.clock.moveBy(20_000)
    await outcome('a', ['DELIVERED', 1, 202, undefined])
  })

  it('may limit how many come in a minute', async () => {
    agreeing({ 'webhook-allowed-origin': '*', 'webhook-allowed-rate': '2' })
    await start({ 'delivery.handshake': 'true' })
    await test.insert(...['a', 'b', 'c'].map((id) => newDelivery(id)))
    const posts = () => receiver.received.filter(({ method }) => method === 'POST').length
    // Wait for the outcomes before the clock moves, because claims expire after a minute.
    for (const id of ['a', 'b']) await outcome(id, ['DELIVERED', 1, 202, undefined])
    await expect.poll(async () => (await test.get('c'))?.state).toBe('PENDING')
    test.clock.moveBy(59_999)
    expect(posts()).toBe(2)
    test.clock.moveBy(1)
    await outcome('c', ['DELIVERED', 1, 202, undefined])
    expect(posts()).toBe(3)
  })
})

describe('the clock of an attempt', () => {
  it('is that of the request, not of the match', async () => {
    await start()
    test.clock.moveBy(7_000)
    await test.insert(newDelivery('a'))
    await outcome('a', ['DELIVERED', 1, 200, undefined])
    expect(receiver.received[0]?.headers['webhook-timestamp']).toBe(String(T + 7))
  })
})
