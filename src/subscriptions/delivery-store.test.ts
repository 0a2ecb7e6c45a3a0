import { randomUUID } from 'node:crypto'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { clusterUnderTest } from '../engine/cluster/cluster-under-test.fixture.ts'
import { SqliteFile } from '../storage/sqlite-file.ts'
import { clusterDeliveryStore, createDeliveries, deliveryIndex } from './cluster-delivery-store.ts'
import type { Attempt, NewDelivery } from './delivery-record.ts'
import type { AttemptOutcome, DeliveryStore, HeldTargets } from './delivery-store.ts'
import { prepareStatements } from './sqlite-delivery-statements.ts'
import { insertDeliveries, sqliteDeliveryStore } from './sqlite-delivery-store.ts'

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

interface Opened {
  readonly store: DeliveryStore
  insert(deliveries: readonly NewDelivery[]): Promise<void>
  close(): Promise<void>
}

const kinds: readonly (readonly [string, () => Opened])[] = [
  [
    'SQLite',
    () => {
      const file = SqliteFile.open(':memory:')
      const store = sqliteDeliveryStore(file)
      return {
        store,
        insert: (deliveries) => file.commit(() => insertDeliveries(file.database, deliveries)),
        close: async () => file.close(),
      }
    },
  ],
  [
    'the cluster',
    () => {
      const { client } = clusterUnderTest()
      const index = deliveryIndex(client, `t-delivery-store-${randomUUID().slice(0, 8)}-`)
      return {
        store: clusterDeliveryStore(index),
        insert: (deliveries) => createDeliveries(index, deliveries),
        close: async () => {
          await client.send({ method: 'DELETE', path: `/${index.name}`, query: { ignore_unavailable: true } })
          await client.close()
        },
      }
    },
  ],
]

describe.each(kinds)('deliveries in %s', (_name, open) => {
  const opened: Opened[] = []
  let store: DeliveryStore
  let insert: Opened['insert']

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

  const ofMany = (count: number): readonly NewDelivery[] =>
    Array.from({ length: count }, (_, n) => delivery(`m${n}`, { subscriptionId: `s${n}`, createdAt: T - 9 }))

  it.each([10, 2_000])('are claimed by looking at those there is room for, not at the %i that wait', async (count) => {
    await insert(ofMany(count))
    let asked = 0
    let room = 0
    const freed = new Set<string>()
    const held: HeldTargets = {
      lineOf: () => 'line',
      holdOf: () => {
        asked += 1
        return room > 0 ? undefined : { key: 'line' }
      },
      onTaken: () => {
        room -= 1
      },
      takeFreed: () => {
        const keys = [...freed]
        freed.clear()
        return keys
      },
    }
    const claimed: (readonly [number, number])[] = []
    for (const places of [0, 1, 0, 3]) {
      asked = 0
      room = places
      if (places > 0) freed.add('line')
      claimed.push([(await claimIds(10, NOW, held)).length, asked])
    }
    expect(claimed).toEqual([
      [0, 1],
      [1, 2],
      [0, 0],
      [3, 4],
    ])
  })

  it('let others have a turn while very many are found to be held', async () => {
    await insert(ofMany(3_000))
    let inTurn = 0
    let most = 0
    let isOver = false
    const held: HeldTargets = {
      lineOf: () => 'line',
      holdOf: (subscriptionId) => {
        inTurn += 1
        most = Math.max(most, inTurn)
        return { key: subscriptionId }
      },
    }
    const beat = (): void => {
      inTurn = 0
      if (!isOver) setImmediate(beat)
    }
    beat()
    expect(await claimIds(10, NOW, held)).toEqual([])
    isOver = true
    expect(most).toBeGreaterThan(0)
    expect(most).toBeLessThanOrEqual(600)
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

describe('deliveries in SQLite', () => {
  it('are told of once they are inserted, and wait for whoever opens the file next', async () => {
    const file = SqliteFile.open(':memory:')
    const store = sqliteDeliveryStore(file)
    const told = new Promise<void>((resolve) => store.onDue(resolve))
    await file.commit(() => insertDeliveries(file.database, [delivery('a')]))
    await told
    expect((await sqliteDeliveryStore(file).claim('webhook', 1, NOW, CLAIM, none)).map(({ id }) => id)).toEqual([
      'msg_a',
    ])
    file.close()
  })

  it('are claimed, recorded and found at the start by single look-ups, whatever waits', () => {
    const file = SqliteFile.open(':memory:')
    sqliteDeliveryStore(file)
    const { nextWaiting, next, due, claim, find, record, log, release } = prepareStatements(file.database)
    const plans = [nextWaiting, next, due, claim, find, record, log, release].map(({ sourceSQL }) =>
      file.database
        .prepare(`EXPLAIN QUERY PLAN ${sourceSQL}`)
        .all()
        .map(({ detail }) => String(detail))
        .join('; '),
    )
    expect(plans.filter((plan) => /SCAN|TEMP B-TREE/.test(plan))).toEqual([])
    for (const plan of plans.slice(0, 3))
      expect(plan).toMatch(/^SEARCH delivery USING (COVERING )?INDEX delivery_waiting /)
    file.close()
  })

  it('whose outcome could not be written are found again', async () => {
    const file = SqliteFile.open(':memory:')
    const store = sqliteDeliveryStore(file)
    await file.commit(() => insertDeliveries(file.database, [delivery('a')]))
    await store.claim('webhook', 1, NOW, CLAIM, none)
    // as when the disk is full: the commit fails, and with it all that was written
    file.database.exec(`PRAGMA foreign_keys = ON;
      CREATE TABLE there (id INTEGER PRIMARY KEY);
      CREATE TABLE missing (id INTEGER REFERENCES there (id) DEFERRABLE INITIALLY DEFERRED);
      CREATE TRIGGER full AFTER INSERT ON attempt BEGIN INSERT INTO missing VALUES (1); END`)
    await expect(store.record('msg_a', 'webhook', succeeded(1))).rejects.toThrow('not available')
    file.database.exec('DROP TRIGGER full')
    expect((await store.claim('webhook', 1, NOW + CLAIM, CLAIM, none)).map(({ id }) => id)).toEqual(['msg_a'])
    file.close()
  })

  it('that were undone are not found, nor counted for long', async () => {
    const file = SqliteFile.open(':memory:')
    let now = 0
    const store = sqliteDeliveryStore(file, () => now)
    await store.pendingCount()
    const undone = file.commit(() => {
      insertDeliveries(file.database, [delivery('a')])
      throw new Error('no')
    })
    await expect(undone).rejects.toThrow('no')
    expect(await store.claim('webhook', 1, NOW, CLAIM, none)).toEqual([])
    expect(await store.nextDue('webhook', NOW, none)).toBeUndefined()
    now += 60_000
    expect(await store.pendingCount()).toBe(0)
    file.close()
  })
})
