import { randomUUID } from 'node:crypto'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { clusterUnderTest } from '../../engine/cluster/cluster-under-test.fixture.ts'
import { SqliteFile } from '../../storage/sqlite-file.ts'
import type { NewDelivery } from '../record/delivery-record.ts'
import type { DeliveryStore } from '../record/delivery-store.ts'
import type { EventStore, NewEvent } from '../record/event-store.ts'
import { clusterDeliveryStore, deliveryIndex } from './cluster/cluster-delivery-store.ts'
import { clusterEventStore } from './cluster/cluster-event-store.ts'
import { sqliteDeliveryStore } from './sqlite/sqlite-delivery-store.ts'
import { sqliteEventStore } from './sqlite/sqlite-event-store.ts'

const T = Date.UTC(2026, 10, 15, 10)
const WINDOW = 86_400_000
let now = T

const event = (id: string, changes: Partial<NewEvent> & { collection?: string; content?: string } = {}): NewEvent => {
  const { collection = 'geodata', content = id, ...others } = changes
  return {
    source: 'http',
    event: { id, collection, event: 'UPDATE', time: new Date(T).toISOString(), object: { id: `d-${id}`, n: 1 } },
    contentHash: `hash of ${content}`,
    acceptedMs: now,
    subscriptionSeq: 7,
    ...others,
  }
}

const delivery = (id: string): NewDelivery => ({
  id: `msg_${id}`,
  subscriptionId: 's1',
  channel: 'webhook',
  eventId: id,
  collection: 'geodata',
  documentId: `d-${id}`,
  type: 'hit.update',
  payload: '{}',
  createdAt: T / 1000,
})

interface Opened {
  readonly store: EventStore
  readonly deliveries: DeliveryStore
  /** The store as seen by another process, or after a restart. */
  reopen(): EventStore
  close(): Promise<void>
}

const options = { dedupeMs: WINDOW, now: () => now }

const kinds: readonly (readonly [string, () => Opened])[] = [
  [
    'SQLite',
    () => {
      const file = SqliteFile.open(':memory:')
      return {
        store: sqliteEventStore(file, options),
        deliveries: sqliteDeliveryStore(file),
        reopen: () => sqliteEventStore(file, options),
        close: async () => file.close(),
      }
    },
  ],
  [
    'a cluster',
    () => {
      const { client } = clusterUnderTest()
      const prefix = `t-event-store-${randomUUID().slice(0, 8)}-`
      const deliveries = deliveryIndex(client, prefix)
      const open = (): EventStore => clusterEventStore({ client, prefix, deliveries, ...options })
      return {
        store: open(),
        deliveries: clusterDeliveryStore(deliveries),
        reopen: open,
        close: async () => {
          for (const name of ['events', 'deliveries']) {
            const path = `/${prefix}${name}`
            await client.send({ method: 'DELETE', path, query: { ignore_unavailable: true } })
          }
        },
      }
    },
  ],
]

describe.each(kinds)('events in %s', (_name, open) => {
  const opened: Opened[] = []
  let store: EventStore
  let deliveries: DeliveryStore
  let reopen: () => EventStore
  beforeEach(() => {
    now = T
    const made = open()
    opened.push(made)
    store = made.store
    deliveries = made.deliveries
    reopen = made.reopen
  })
  afterAll(async () => {
    for (const one of opened) await one.close()
  })

  it('hands them out in the order they came, as they came', async () => {
    const others = { first: 1, object: { id: 'd-b', n: 1 }, last: [true, null] }
    const b = event('b', { before: '{"x":1}', after: '{"x":12345678901234567890}', index: 'i', source: 'load' })
    const whole = { ...b, event: { ...b.event, others, document: { gone: true } } }
    expect(await store.accept([event('a'), whole])).toEqual([true, true])
    expect(await store.accept([event('c')])).toEqual([true])
    const pending = await store.pending(0, 10)
    expect(pending.map((one) => one.event.id)).toEqual(['a', 'b', 'c'])
    const { contentHash: _, ...stored } = whole
    expect(pending[1]).toEqual({ ...stored, position: pending[1]?.position })
    expect(Object.keys(pending[1]?.event.others ?? {})).toEqual(['first', 'object', 'last'])
    expect((await store.pending(pending[0]?.position ?? 0, 1)).map((one) => one.event.id)).toEqual(['b'])
    expect(await store.backlog()).toBe(3)
  })

  it('takes the same event once, also within a batch', async () => {
    expect(await store.accept([event('a'), event('a'), event('b')])).toEqual([true, false, true])
    expect(await reopen().accept([event('b'), event('c')])).toEqual([false, true])
    expect(await store.accept([event('a', { collection: 'other' })])).toEqual([true])
    expect((await store.pending(0, 10)).length).toBe(4)
  })

  it('refuses a batch whole when one of it is known with other content', async () => {
    await store.accept([event('a')])
    const conflict = { code: 'EVENT_ID_CONFLICT', message: expect.stringContaining('a') }
    await expect(store.accept([event('x'), event('a', { content: 'other' })])).rejects.toMatchObject(conflict)
    const within = [event('y'), event('y', { content: 'other' })]
    await expect(store.accept(within)).rejects.toMatchObject({ code: 'EVENT_ID_CONFLICT' })
    expect((await store.pending(0, 10)).map((one) => one.event.id)).toEqual(['a'])
    expect(await store.find('x')).toEqual([])
    expect(await store.backlog()).toBe(1)
  })

  it('tells conflicts also when an event has been matched, until its time is over', async () => {
    await store.accept([event('a')])
    const [pending] = await store.pending(0, 1)
    await store.commit([{ position: pending?.position ?? 0, state: 'MATCHED', matched: 0 }], [])
    now = T + WINDOW
    expect(await store.accept([event('a')])).toEqual([false])
    await expect(store.accept([event('a', { content: 'other' })])).rejects.toMatchObject({ code: 'EVENT_ID_CONFLICT' })
    expect(
      await store.knownHashes([
        { collection: 'geodata', id: 'a' },
        { collection: 'geodata', id: 'b' },
      ]),
    ).toEqual(['hash of a', undefined])
    now = T + WINDOW + 1
    expect(await store.find('a')).toEqual([])
    expect(await store.accept([event('a', { content: 'other' })])).toEqual([true])
    expect(await store.find('a')).toMatchObject([{ state: 'PENDING' }])
  })

  it('commits outcomes with their notifications', async () => {
    await store.accept([event('a'), event('b'), event('c')])
    const [a, b] = await store.pending(0, 2)
    const outcomes = [
      { position: a?.position ?? 0, state: 'MATCHED', matched: 2 },
      { position: b?.position ?? 0, state: 'UNRESOLVED', matched: 0, reason: 'DOCUMENT_NOT_FOUND' },
    ] as const
    await store.commit(outcomes, [delivery('a1'), delivery('a2')])
    expect((await reopen().pending(0, 10)).map((one) => one.event.id)).toEqual(['c'])
    expect(await store.backlog()).toBe(1)
    const listed = await waitFor(
      () => deliveries.list({ subscriptionId: 's1' }, 0, 10),
      ({ total }) => total === 2,
    )
    expect(listed.deliveries.map(({ id }) => id).sort()).toEqual(['msg_a1', 'msg_a2'])
    const accepted_at = T / 1000
    expect(await store.find('a')).toEqual([
      { id: 'a', collection: 'geodata', event: 'UPDATE', state: 'MATCHED', accepted_at, matched: 2 },
    ])
    expect(await store.find('b')).toEqual([
      {
        ...{ id: 'b', collection: 'geodata', event: 'UPDATE', state: 'UNRESOLVED', accepted_at, matched: 0 },
        reason: 'DOCUMENT_NOT_FOUND',
      },
    ])
    expect(await store.find('c')).toMatchObject([{ state: 'PENDING' }])
    expect(await store.find('nothing')).toEqual([])
  })

  it('matches made again after a crash are the same matches', async () => {
    await store.accept([event('a')])
    const [a] = await store.pending(0, 1)
    const outcome = { position: a?.position ?? 0, state: 'MATCHED', matched: 1 } as const
    await store.commit([outcome], [delivery('a1')])
    await reopen().commit([outcome], [delivery('a1')])
    const listed = await waitFor(
      () => deliveries.list({ subscriptionId: 's1' }, 0, 10),
      ({ total }) => total > 0,
    )
    expect(listed.total).toBe(1)
    expect(await store.backlog()).toBe(0)
  })

  it('keeps how far feeds were read', async () => {
    expect(await store.feedPosition('changes')).toBeUndefined()
    await store.accept([event('a')], { name: 'changes', position: 5 })
    expect(await reopen().feedPosition('changes')).toBe(5)
    await store.accept([], { name: 'changes', position: 9 })
    await store.reject('kafka', 'kafka:t:0:3', 'is no event', { name: 'kafka', position: 3 })
    expect(await store.feedPosition('changes')).toBe(9)
    expect(await store.feedPosition('kafka')).toBe(3)
    const conflict = [event('a', { content: 'other' })]
    await expect(store.accept(conflict, { name: 'changes', position: 10 })).rejects.toThrow()
    expect(await store.feedPosition('changes')).toBe(9)
    expect(await store.find('kafka:t:0:3')).toMatchObject([{ state: 'REJECTED', reason: 'is no event' }])
  })

  it('forgets what is older than the window and not what waits', async () => {
    await store.accept([event('a'), event('b')])
    const [a] = await store.pending(0, 1)
    await store.commit([{ position: a?.position ?? 0, state: 'MATCHED', matched: 0 }], [])
    await store.clean(T + 1)
    expect(await store.find('a')).toEqual([])
    expect(await store.find('b')).toMatchObject([{ state: 'PENDING' }])
    expect(await store.accept([event('a', { content: 'other' })])).toEqual([true])
  })

  it('gives every event of several servers a place of its own', async () => {
    const stores = [store, reopen(), reopen()]
    await Promise.all(
      stores.map(async (one, s) => {
        for (let i = 0; i < 5; i++) await one.accept([event(`${s}-${i}-a`), event(`${s}-${i}-b`)])
      }),
    )
    const pending = await store.pending(0, 100)
    expect(new Set(pending.map(({ position }) => position)).size).toBe(30)
    expect(pending.map(({ position }) => position)).toEqual(
      pending.map(({ position }) => position).sort((x, y) => x - y),
    )
  })
})

async function waitFor<T>(read: () => Promise<T>, holds: (value: T) => boolean): Promise<T> {
  for (let i = 0; ; i++) {
    const value = await read()
    if (holds(value) || i === 100) return value
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
