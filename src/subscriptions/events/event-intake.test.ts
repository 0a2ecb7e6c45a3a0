import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { loadSettings } from '../../config/load-settings.ts'
import { SqliteFile } from '../../storage/sqlite-file.ts'
import { sampleReference } from '../matching/matching.fixture.ts'
import type { EventStore } from '../record/event-store.ts'
import { sqliteEventStore } from '../stores/sqlite/sqlite-event-store.ts'
import { EventFigures } from './event-figures.ts'
import { type EventMessage, PostedEvents } from './event-intake.ts'

const T = Date.UTC(2026, 10, 15, 10)
const event = (id: string, more: object = {}) => ({
  id,
  collection: 'geodata',
  event: 'UPDATE',
  object: { id: 'd' },
  ...more,
})

describe('events that are posted (spec 3.3)', () => {
  let file: SqliteFile
  let events: EventStore
  let woken = 0
  const figures = new EventFigures()
  const intake = (flags: Readonly<Record<string, string>> = {}): PostedEvents =>
    new PostedEvents({
      events,
      subscriptions: { lastSeq: () => 42, catchUp: async () => undefined },
      references: { get: async (name) => (name === 'geodata' || name === 'other' ? sampleReference(name) : undefined) },
      settings: loadSettings({ flags, cwd: '/' }).events,
      figures,
      now: () => T,
      onAccepted: () => woken++,
    })
  beforeEach(() => {
    woken = 0
    file = SqliteFile.open(':memory:')
    events = sqliteEventStore(file, { dedupeMs: 86_400_000, now: () => T })
  })
  afterEach(() => file.close())

  test('are stored with the time and the number of the latest subscription', async () => {
    const posted = intake()
    expect(await posted.accept([event('a'), event('b'), event('a')])).toEqual({
      accepted: 2,
      duplicates: 1,
      ids: ['a', 'b', 'a'],
    })
    expect(await events.pending(0, 10)).toMatchObject([
      { source: 'http', acceptedMs: T, subscriptionSeq: 42, event: { id: 'a', time: '2026-11-15T10:00:00.000Z' } },
      { event: { id: 'b' } },
    ])
    expect(woken).toBe(1)
    expect(figures.counts()).toContainEqual({ source: 'http', state: 'PENDING', count: 2 })
  })

  test('the order of keys makes no other event, a number written otherwise neither', async () => {
    await intake().accept([{ id: 'a', collection: 'geodata', event: 'X', object: { id: 1, n: { b: 1, a: 2 } } }])
    const again = { object: { n: { a: 2, b: 1.0 }, id: 1 }, event: 'X', collection: 'geodata', id: 'a' }
    expect(await intake().accept([again])).toMatchObject({ accepted: 0, duplicates: 1 })
  })

  test.each<readonly [string, readonly unknown[], string, string]>([
    ['an invalid one', [event('a'), event('b', { object: {} })], 'INVALID_EVENT', 'events[1].object.id'],
    ['an unknown collection', [event('a'), event('b', { collection: 'nowhere' })], 'COLLECTION_NOT_FOUND', 'nowhere'],
    ['other content', [event('a'), event('known', { more: 1 })], 'EVENT_ID_CONFLICT', 'known'],
    ['too many', Array.from({ length: 1001 }, (_, i) => event(`e${i}`)), 'LIMIT_EXCEEDED', '1000'],
  ])('%s refuses all', async (_name, bodies, code, text) => {
    await intake().accept([event('known')])
    const message = expect.stringContaining(text)
    await expect(intake().accept(bodies)).rejects.toMatchObject({ code, message })
    expect((await events.pending(0, 10)).map((one) => one.event.id)).toEqual(['known'])
  })

  test('a thousand are taken', async () => {
    const bodies = Array.from({ length: 1000 }, (_, i) => event(`e${i}`))
    expect(await intake().accept(bodies)).toMatchObject({ accepted: 1000, duplicates: 0 })
  })

  test('too many that wait push back', async () => {
    const posted = intake({ 'events.maxBacklog': '2' })
    await posted.accept([event('a'), event('b')])
    await expect(posted.accept([event('c')])).rejects.toMatchObject({
      code: 'TOO_MANY_REQUESTS',
      headers: { 'Retry-After': '5' },
      message: expect.stringContaining('events.maxBacklog'),
    })
    const [a] = await events.pending(0, 1)
    await events.commit([{ position: a?.position ?? 0, state: 'MATCHED', matched: 0 }], [])
    expect(await posted.accept([event('c')])).toMatchObject({ accepted: 1 })
  })

  const message = (offset: number, value: unknown): EventMessage => ({
    topic: 't',
    partition: 3,
    offset: BigInt(offset),
    value: Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)),
  })
  const unnamed = { collection: 'geodata', event: 'UPDATE', object: { id: 'd' } }

  test('messages of a topic: what is no event is kept with the reason and stops nothing', async () => {
    const posted = intake()
    const messages = [
      message(1, unnamed),
      message(2, 'garbage'),
      message(3, event('named')),
      message(4, event('named', { other: true })),
      message(5, event('lost', { collection: 'nowhere' })),
      message(6, '['.repeat(100_000) + ']'.repeat(100_000)),
      { topic: 't', partition: 3, offset: 7n, value: undefined },
      message(8, event('last')),
    ]
    await posted.take(messages)
    // The offsets were not committed, so the messages are delivered again.
    await posted.take(messages)
    expect((await events.pending(0, 10)).map((one) => one.event.id)).toEqual(['kafka:t:3:1', 'named', 'last'])
    for (const offset of [2, 4, 5, 6, 7]) {
      expect(await events.find(`kafka:t:3:${offset}`), `${offset}`).toMatchObject([{ state: 'REJECTED' }])
    }
    expect(await events.find('kafka:t:3:2')).toMatchObject([{ reason: 'message must be JSON' }])
    expect(figures.counts()).toContainEqual({ source: 'kafka', state: 'REJECTED', count: 10 })
  })

  test('messages wait for room', async () => {
    const posted = intake({ 'events.maxBacklog': '1' })
    await posted.accept([event('a')])
    let isTaken = false
    const taking = posted.take([message(1, unnamed)]).then(() => {
      isTaken = true
    })
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(isTaken).toBe(false)
    const [a] = await events.pending(0, 1)
    await events.commit([{ position: a?.position ?? 0, state: 'MATCHED', matched: 0 }], [])
    await taking
    expect((await events.pending(0, 10)).map((one) => one.event.id)).toEqual(['kafka:t:3:1'])
  })
})
