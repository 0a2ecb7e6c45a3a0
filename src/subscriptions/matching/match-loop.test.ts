import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { mapping } from '../../../test/conformance/dataset.ts'
import { openDuckdbEngine } from '../../engine/duckdb/open-engine.ts'
import type { Engine } from '../../engine/engine.ts'
import { limits } from '../../query/request/sample-collection.fixture.ts'
import { SqliteFile } from '../../storage/sqlite-file.ts'
import { EventFigures } from '../events/event-figures.ts'
import type { DeliveryStore } from '../record/delivery-store.ts'
import type { EventStore, NewEvent } from '../record/event-store.ts'
import { sqliteDeliveryStore } from '../stores/sqlite/sqlite-delivery-store.ts'
import { sqliteEventStore } from '../stores/sqlite/sqlite-event-store.ts'
import { sqliteSubscriptionStore } from '../stores/sqlite/sqlite-subscription-store.ts'
import { MatcherIndex } from '../watched/matcher-index.ts'
import { WatchedCollections } from '../watched/watched-collections.ts'
import { MatchLoop, type MatchLoopOptions } from './match-loop.ts'
import { Matcher } from './matcher.ts'
import { newSubscription, sampleReference } from './matching.fixture.ts'

const T = Date.UTC(2026, 10, 15, 10)
const KEYS = { geometry: 'geometry', centroid: 'centroid', collections: 'collections', event: 'event' }

describe('the loop, step by step', () => {
  let directory: string
  let engine: Engine
  let file: SqliteFile
  let events: EventStore
  let deliveries: DeliveryStore
  let index: MatcherIndex
  let now = T
  beforeEach(async () => {
    now = T
    directory = mkdtempSync(join(tmpdir(), 'periplus-loop-'))
    engine = await openDuckdbEngine({ directory, memoryMiB: 256, threads: 1, concurrency: 2 })
    await engine.createIndex('dataset', mapping)
    file = SqliteFile.open(':memory:')
    events = sqliteEventStore(file, { dedupeMs: 86_400_000, now: () => now })
    deliveries = sqliteDeliveryStore(file)
    index = new MatcherIndex(KEYS)
  })
  afterEach(async () => {
    await engine.close()
    file.close()
    rmSync(directory, { recursive: true, force: true })
  })

  const loop = (changes: Partial<MatchLoopOptions> = {}): MatchLoop => {
    const references = { get: async (name: string) => sampleReference(name) }
    const collections = new WatchedCollections({ references, engine, limits, checkOrganisations: false })
    const making = { channels: ['webhook'], maxPayload: 262_144, base: 'http://localhost', now: () => now } as const
    return new MatchLoop({
      events,
      subscriptions: sqliteSubscriptionStore(file),
      deliveries,
      matcher: new Matcher({ index, collections, engine, ...making }),
      figures: new EventFigures(),
      maxPending: 1_000_000,
      now: () => now,
      ...changes,
    })
  }
  const watch = (id: string, seq: number): void => index.set({ ...newSubscription(id), seq, version: 1 })
  const event = (id: string, object = 'late'): NewEvent => ({
    source: 'http',
    event: { id, collection: 'geodata', event: 'UPDATE', time: '', object: { id: object } },
    contentHash: id,
    acceptedMs: now,
    subscriptionSeq: 1_000_000,
  })
  const load = (id: string) => engine.write('dataset', [{ kind: 'index', id, source: { id } }])
  const stateOf = async (id: string) => (await events.find(id))[0]

  test('a document that is not there is looked for again after 2 s and after 10 s', async () => {
    watch('s', 1)
    await events.accept([event('never'), event('second', 'b'), event('third', 'c')])
    const running = loop()
    await running.step()
    expect(running.nextLookMs).toBe(T + 2_000)
    await load('b')
    now = T + 1_999
    await running.step()
    expect(await stateOf('second')).toMatchObject({ state: 'PENDING' })
    now = T + 2_000
    await running.step()
    expect(await stateOf('second')).toMatchObject({ state: 'MATCHED', matched: 1 })
    expect(running.nextLookMs).toBe(T + 10_000)
    await load('c')
    now = T + 10_000
    await running.step()
    expect(await stateOf('third')).toMatchObject({ state: 'MATCHED', matched: 1 })
    expect(await stateOf('never')).toMatchObject({ state: 'UNRESOLVED', matched: 0, reason: 'DOCUMENT_NOT_FOUND' })
    expect(running.nextLookMs).toBeUndefined()
    expect(await events.backlog()).toBe(0)
  })

  test('others do not wait for it', async () => {
    watch('s', 1)
    await load('there')
    await events.accept([event('e1'), event('e2', 'there')])
    const running = loop()
    await running.step()
    expect(await stateOf('e2')).toMatchObject({ state: 'MATCHED', matched: 1 })
    expect(await stateOf('e1')).toMatchObject({ state: 'PENDING' })
  })

  test('an event nobody is concerned by is done without looking for its document', async () => {
    await events.accept([event('e1')])
    await loop().step()
    expect(await stateOf('e1')).toMatchObject({ state: 'MATCHED', matched: 0 })
  })

  test('takes 500 at a time, and goes on at once while there are more', async () => {
    await events.accept(Array.from({ length: 501 }, (_, i) => event(`e${i}`)))
    const running = loop()
    expect(await running.step()).toBe(true)
    expect(await events.backlog()).toBe(1)
    expect(await running.step()).toBe(false)
    expect(await events.backlog()).toBe(0)
  })

  test('one event that concerns very many tells each of them once, also when it is repeated', async () => {
    const many = 12_000
    for (let i = 0; i < many; i++) watch(`s${i}`, i)
    await load('there')
    await events.accept([event('e1', 'there')])
    // As on a cluster: notifications are written first, and the process ends before the outcome is written.
    const ending: MatchLoopOptions['events'] = {
      pending: (after, limit) => events.pending(after, limit),
      commit: async (_outcomes, made) => {
        await events.commit([], made.slice(0, 345))
        throw new Error('killed')
      },
    }
    await expect(loop({ events: ending }).step()).rejects.toThrow('killed')
    expect(await deliveries.pendingCount()).toBe(345)
    expect(await stateOf('e1')).toMatchObject({ state: 'PENDING' })
    // Committed in slices, so that other work runs between two commits.
    const slices: number[] = []
    const slicing: MatchLoopOptions['events'] = {
      pending: (after, limit) => events.pending(after, limit),
      commit: async (outcomes, made) => {
        slices.push(made.length)
        await events.commit(outcomes, made)
      },
    }
    await loop({ events: slicing }).step()
    expect([Math.max(...slices), slices.reduce((sum, made) => sum + made)]).toEqual([500, many])
    expect(await deliveries.pendingCount()).toBe(many)
    expect(await stateOf('e1')).toMatchObject({ state: 'MATCHED', matched: many })
  })

  test('pauses while too many deliveries wait', async () => {
    watch('s', 1)
    await load('there')
    await events.accept([event('e1', 'there')])
    await loop().step()
    await events.accept([event('e2', 'there')])
    const full = loop({ maxPending: 1 })
    expect(await full.step()).toBe(false)
    expect(await stateOf('e2')).toMatchObject({ state: 'PENDING' })
    await deliveries.cancel('s')
    await full.step()
    expect(await stateOf('e2')).toMatchObject({ state: 'MATCHED' })
  })
})
