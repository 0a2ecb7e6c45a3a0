import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import type { Attempt, NewDelivery } from '../record/delivery-record.ts'
import type { AttemptOutcome, DeliveryStore, HeldTargets } from '../record/delivery-store.ts'
import { deliveryStores, type OpenedDeliveries } from './delivery-stores.fixture.ts'

const T = 1_794_736_800
const NOW = T * 1000 + 500
const CLAIM = 60_000
const none: HeldTargets = { lineOf: () => 'line', holdOf: () => undefined }

const delivery = (id: string, changes: Partial<NewDelivery> = {}): NewDelivery => ({
  id: `msg_${id}`,
  subscriptionId: 's1',
  channel: 'webhook',
  eventId: `evt-${id}`,
  collection: 'geodata',
  documentId: 'd1',
  type: 'hit.update',
  payload: `{"n":"${id}"}`,
  createdAt: T,
  ...changes,
})

const attempt = (number: number, changes: Partial<Attempt> = {}): Attempt => ({
  number,
  at: T + number,
  durationMs: 12,
  cause: 'schedule',
  ...changes,
})

const failed = (number: number, nextAttemptAt: number): AttemptOutcome => ({
  attempt: attempt(number, { status: 503, error: 'HTTP_STATUS' }),
  state: 'PENDING',
  nextAttemptAt,
  status: 503,
  error: 'HTTP_STATUS',
})

const succeeded = (number: number): AttemptOutcome => ({
  attempt: attempt(number, { status: 200 }),
  state: 'DELIVERED',
  status: 200,
  deliveredAt: T + number,
})

describe.each(deliveryStores)('deliveries in %s', (_name, open) => {
  const opened: OpenedDeliveries[] = []
  let store: DeliveryStore
  let insert: OpenedDeliveries['insert']

  beforeEach(() => {
    const next = open()
    opened.push(next)
    store = next.store
    insert = next.insert
  })
  afterAll(async () => {
    for (const one of opened) await one.close()
  })

  const claimIds = async (limit = 10, nowMs = NOW, held = none) =>
    (await store.claim('webhook', limit, nowMs, CLAIM, held)).map(({ id }) => id)
  const stateOf = async (id: string) => (await store.get('s1', `msg_${id}`))[0]?.state

  it('are claimed once, oldest first, as they were inserted', async () => {
    await insert([
      delivery('b', { createdAt: T - 1 }),
      delivery('c'),
      delivery('a', { createdAt: T - 5, subscriptionId: 's2' }),
    ])
    const [first, ...others] = await store.claim('webhook', 2, NOW, CLAIM, none)
    expect(first).toEqual({
      ...delivery('a', { createdAt: T - 5, subscriptionId: 's2' }),
      state: 'DELIVERING',
      attempts: 0,
      earlierAttempts: 0,
      manual: false,
      nextAttemptAt: (T - 5) * 1000,
    })
    expect(others.map(({ id }) => id)).toEqual(['msg_b'])
    expect(await claimIds()).toEqual(['msg_c'])
    expect(await claimIds()).toEqual([])
    expect(await stateOf('c')).toBe('DELIVERING')
  })

  it('are left as they are when their id is known', async () => {
    await insert([delivery('a')])
    await insert([delivery('a', { payload: '{"other":1}' }), delivery('a', { channel: 'kafka' })])
    const [webhook, kafka] = await store.get('s1', 'msg_a')
    expect([webhook?.payload, webhook?.channel, kafka?.channel]).toEqual(['{"n":"a"}', 'webhook', 'kafka'])
    expect(await store.get('s2', 'msg_a')).toEqual([])
  })

  it('are due again when their claim runs out', async () => {
    await insert([delivery('a')])
    expect(await claimIds()).toEqual(['msg_a'])
    expect(await claimIds(10, NOW + CLAIM - 1)).toEqual([])
    expect(await store.nextDue('webhook', NOW, none)).toBe(NOW + CLAIM)
    expect(await claimIds(10, NOW + CLAIM)).toEqual(['msg_a'])
  })

  it('of held subscriptions wait, and do not stand in the way', async () => {
    const many = Array.from({ length: 60 }, (_, i) => delivery(`h${i}`, { createdAt: T - 100 }))
    await insert([...many, delivery('free', { subscriptionId: 's2' })])
    const held: HeldTargets = {
      lineOf: () => 'line',
      holdOf: (subscriptionId) => (subscriptionId === 's1' ? { key: 'off' } : undefined),
    }
    expect(await store.nextDue('webhook', NOW, held)).toBe(T * 1000)
    expect(await claimIds(10, NOW, held)).toEqual(['msg_free'])
    expect(await store.nextDue('webhook', NOW, held)).toBe(NOW + CLAIM)
    const freed: HeldTargets = { ...none, takeFreed: () => ['off'] }
    expect(await store.nextDue('webhook', NOW, freed)).toBe((T - 100) * 1000)
    const claimed: string[] = []
    for (let next = await claimIds(25); next.length > 0; next = await claimIds(25)) claimed.push(...next)
    expect([claimed.length, new Set(claimed).size]).toEqual([60, 60])
  })

  it('are claimed as long as there is room', async () => {
    await insert([delivery('a'), delivery('b'), delivery('c', { subscriptionId: 's2' })])
    let room = 1
    const held: HeldTargets = {
      lineOf: (subscriptionId) => subscriptionId,
      holdOf: (subscriptionId) => (subscriptionId === 's1' && room === 0 ? { key: 's1' } : undefined),
      onTaken: (subscriptionId) => {
        if (subscriptionId === 's1') room -= 1
      },
    }
    expect(await claimIds(10, NOW, held)).toEqual(['msg_a', 'msg_c'])
  })

  it('keep their attempts, and wait for the next', async () => {
    await insert([delivery('a')])
    await claimIds()
    await store.record('msg_a', 'webhook', failed(1, NOW + 5000))
    const [after] = await store.get('s1', 'msg_a')
    const expected = {
      state: 'PENDING',
      attempts: 1,
      nextAttemptAt: NOW + 5000,
      lastStatus: 503,
      lastError: 'HTTP_STATUS',
    }
    expect(after).toMatchObject(expected)
    expect(await claimIds(10, NOW + 4999)).toEqual([])
    expect(await claimIds(10, NOW + 5000)).toEqual(['msg_a'])
    await store.record('msg_a', 'webhook', succeeded(2))
    expect(await store.attempts('msg_a', 'webhook')).toEqual([
      { number: 1, at: T + 1, durationMs: 12, status: 503, error: 'HTTP_STATUS', cause: 'schedule' },
      { number: 2, at: T + 2, durationMs: 12, status: 200, cause: 'schedule' },
    ])
    const [done] = await store.get('s1', 'msg_a')
    expect(done).toMatchObject({ state: 'DELIVERED', attempts: 2, lastStatus: 200, deliveredAt: T + 2 })
    expect(done).not.toHaveProperty('nextAttemptAt')
    expect(done).not.toHaveProperty('lastError')
    expect(await store.nextDue('webhook', NOW, none)).toBeUndefined()
  })

  it('keep the latest of very many attempts', async () => {
    await insert([delivery('a', { channel: 'kafka' })])
    for (let n = 1; n <= 103; n++) {
      await store.record('msg_a', 'kafka', { attempt: attempt(n), state: 'PENDING', nextAttemptAt: NOW })
    }
    const kept = await store.attempts('msg_a', 'kafka')
    expect([kept.length, kept[0]?.number, kept.at(-1)?.number]).toEqual([100, 4, 103])
  })

  it('are given back as they were', async () => {
    await insert([delivery('a')])
    await store.release(await store.claim('webhook', 10, NOW, CLAIM, none))
    expect((await store.get('s1', 'msg_a'))[0]).toMatchObject({
      state: 'PENDING',
      attempts: 0,
      nextAttemptAt: T * 1000,
    })
    expect(await claimIds()).toEqual(['msg_a'])
  })

  it('are cancelled when they wait, in both channels', async () => {
    await insert([delivery('a'), delivery('k', { channel: 'kafka' }), delivery('o', { subscriptionId: 's2' })])
    await store.cancel('s1')
    expect([await stateOf('a'), await stateOf('k')]).toEqual(['CANCELLED', 'CANCELLED'])
    expect(await claimIds()).toEqual(['msg_o'])
    expect(await store.pendingCount()).toBe(1)
  })

  it('begin anew when they are sent again, but not while they are being sent', async () => {
    await insert([delivery('a'), delivery('b', { createdAt: T + 1 }), delivery('c')])
    await claimIds(1)
    await store.record('msg_a', 'webhook', {
      attempt: attempt(1, { error: 'TIMEOUT' }),
      state: 'FAILED',
      error: 'TIMEOUT',
    })
    let told = 0
    const stop = store.onDue(() => told++)
    expect(await store.redeliver({ subscriptionId: 's1', state: 'FAILED', before: T - 1 }, NOW)).toBe(0)
    expect(await store.redeliver({ subscriptionId: 's1', state: 'FAILED' }, NOW + 7)).toBe(1)
    await expect.poll(() => told).toBeGreaterThan(0)
    stop()
    const [again] = await store.get('s1', 'msg_a')
    expect(again).toMatchObject({
      state: 'PENDING',
      attempts: 1,
      earlierAttempts: 1,
      manual: true,
      nextAttemptAt: NOW + 7,
    })
    expect(await claimIds(10, NOW + 2000)).toEqual(['msg_c', 'msg_a', 'msg_b'])
    expect(await store.redeliver({ subscriptionId: 's1', id: 'msg_a' }, NOW)).toBe(0)
    await store.record('msg_a', 'webhook', failed(2, NOW + 5000))
    expect((await store.get('s1', 'msg_a'))[0]).toMatchObject({ manual: false, earlierAttempts: 1, attempts: 2 })
  })

  it('fail from the start when they cannot be made', async () => {
    await insert([delivery('a', { failed: 'INVALID_FILTER' })])
    expect((await store.get('s1', 'msg_a'))[0]).toMatchObject({
      state: 'FAILED',
      lastError: 'INVALID_FILTER',
      attempts: 0,
    })
    expect(await store.redeliver({ subscriptionId: 's1', state: 'FAILED' }, NOW)).toBe(0)
    expect(await claimIds()).toEqual([])
  })

  it('are listed newest first, then in the order of insertion', async () => {
    await insert([
      delivery('a'),
      delivery('b', { createdAt: T - 9 }),
      delivery('c'),
      delivery('d', { createdAt: T + 1 }),
    ])
    await insert([delivery('other', { subscriptionId: 's2' }), delivery('k', { channel: 'kafka', createdAt: T - 20 })])
    const list = async (filter: object, from = 0, size = 10) => {
      const { total, deliveries } = await store.list({ subscriptionId: 's1', ...filter }, from, size)
      return [total, ...deliveries.map(({ id }) => id.slice(4))]
    }
    expect(await list({})).toEqual([5, 'd', 'c', 'a', 'b', 'k'])
    expect(await list({}, 1, 2)).toEqual([5, 'c', 'a'])
    expect(await list({ before: T, after: T })).toEqual([2, 'c', 'a'])
    expect(await list({ channel: 'kafka' })).toEqual([1, 'k'])
    expect(await list({ state: 'FAILED' })).toEqual([0])
    await claimIds(1, NOW - 9000)
    expect(await list({ state: 'DELIVERING' })).toEqual([1, 'b'])
  })

  it('say whether one arrived since, tests aside', async () => {
    await insert([delivery('a')])
    await store.record('msg_a', 'webhook', succeeded(3))
    expect(await store.hasDelivered('s1', 'webhook', T + 3)).toBe(true)
    expect(await store.hasDelivered('s1', 'webhook', T + 4)).toBe(false)
    const test = { ...delivery('t', { type: 'subscription.test' }), earlierAttempts: 0, manual: false }
    const finished = { ...test, state: 'DELIVERED', attempts: 1, lastStatus: 204, deliveredAt: T + 9 } as const
    await store.insertFinished(finished, attempt(1, { status: 204, cause: 'test' }))
    expect((await store.get('s1', 'msg_t'))[0]).toEqual(finished)
    expect(await store.attempts('msg_t', 'webhook')).toEqual([attempt(1, { status: 204, cause: 'test' })])
    expect(await store.hasDelivered('s1', 'webhook', T + 4)).toBe(false)
  })

  it('are removed when they are finished and old', async () => {
    await insert([delivery('old'), delivery('waits'), delivery('young', { createdAt: T + 10 })])
    await store.record('msg_old', 'webhook', succeeded(1))
    await store.record('msg_young', 'webhook', succeeded(1))
    await store.clean(T + 10)
    expect(await Promise.all(['old', 'waits', 'young'].map(stateOf))).toEqual([undefined, 'PENDING', 'DELIVERED'])
    expect(await store.attempts('msg_old', 'webhook')).toEqual([])
    expect(await store.pendingCount()).toBe(1)
  })
})
