import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadSettings } from '../../config/load-settings.ts'
import { clusterUnderTest } from '../../engine/cluster/cluster-under-test.fixture.ts'
import { clusterEngine } from '../../engine/cluster/engine.ts'
import type { CollectionReference } from '../../model/collection.ts'
import { Lease } from '../../storage/lease.ts'
import type { EventOutcome } from '../record/subscription-event.ts'
import { clusterNotificationStores, type NotificationStores } from '../stores/notification-stores.ts'
import { createMatching, type Matching } from './create-matching.ts'
import { newSubscription, type SubscriptionChanges, sampleReference } from './matching.fixture.ts'

const prefix = `t-matching-${randomUUID().slice(0, 8)}-`
const { client } = clusterUnderTest()
const INDEX = `${prefix}documents`
const settings = loadSettings({
  flags: { 'engine.kind': 'cluster', 'cluster.urls': 'http://127.0.0.1:1', 'cluster.prefix': prefix },
  cwd: '/',
})
const paths = { id_path: 'id', geometry_path: 'where', centroid_path: 'where', timestamp_path: 'at' }
const reference: CollectionReference = sampleReference('places', { index_name: INDEX, ...paths })
const references = {
  list: async () => [reference],
  get: async (name: string) => (name === 'places' ? reference : undefined),
  recent: async (name: string) => (name === 'places' ? reference : undefined),
  putAll: async () => undefined,
  delete: async () => false,
  close: async () => undefined,
}

/** One of several servers that share the indices. */
interface Server {
  readonly stores: NotificationStores
  readonly matching: Matching
  readonly faults: unknown[]
}

function startServer(): Server {
  const engine = clusterEngine(client, {
    ...{ scan: 10_000, prefix, tagging: settings.tagging.cluster, shards: 1, replicas: 0 },
  })
  const stores = clusterNotificationStores(client, settings)
  const lease = new Lease({ client, prefix, leaseMs: 3_000, name: 'matching' })
  const faults: unknown[] = []
  const { subscriptions, events, deliveries } = stores
  const matching = createMatching({
    ...{ settings, engine, references, subscriptions, events, deliveries },
    base: 'http://localhost',
    lead: (signal) => lease.acquire(signal),
    onFault: (error) => faults.push(error),
  })
  matching.start()
  engines.push(engine)
  return { stores, matching, faults }
}
const engines: ReturnType<typeof clusterEngine>[] = []

/** A mapping created elsewhere, with a custom normalizer. */
const FOREIGN = {
  settings: {
    number_of_shards: 1,
    number_of_replicas: 0,
    analysis: { normalizer: { lower: { type: 'custom', filter: ['lowercase'] } } },
  },
  mappings: {
    properties: {
      id: { type: 'keyword' },
      at: { type: 'date' },
      where: { type: 'geo_point' },
      city: { type: 'keyword', normalizer: 'lower' },
      note: { type: 'text', analyzer: 'english' },
      plain: { type: 'keyword' },
    },
  },
}

describe('matching on a cluster', () => {
  let one: Server
  let two: Server
  beforeAll(async () => {
    await client.send({ method: 'PUT', path: `/${INDEX}`, body: FOREIGN })
    one = startServer()
    two = startServer()
    await Promise.all([one.matching.prepare(), two.matching.prepare()])
  })
  afterAll(async () => {
    await Promise.all([one?.matching.stop(), two?.matching.stop()])
    const listed = await client.send<readonly { index: string }[]>({
      method: 'GET',
      path: `/_cat/indices/${prefix}*`,
      query: { format: 'json', h: 'index', expand_wildcards: 'all' },
    })
    for (const { index } of listed) await client.send({ method: 'DELETE', path: `/${index}` })
  })

  const subscribe = ({ stores }: Server, id: string, changes: SubscriptionChanges = {}) =>
    stores.subscriptions.insert(newSubscription(id, changes))
  const post = async ({ matching }: Server, event: object): Promise<string> => {
    const { ids } = await matching.intake.accept([{ collection: 'places', event: 'UPDATE', ...event }])
    return ids[0] ?? ''
  }
  const outcome = async ({ stores }: Server, id: string): Promise<EventOutcome | undefined> => {
    await expect
      .poll(async () => (await stores.events.find(id))[0]?.state ?? 'PENDING', { interval: 200 })
      .not.toBe('PENDING')
    return (await stores.events.find(id))[0]
  }
  const toldOf = async ({ stores }: Server, subscriptionId: string, eventId: string) => {
    await expect.poll(() => stores.deliveries.pendingCount()).toBeGreaterThan(0)
    const { deliveries } = await stores.deliveries.list({ subscriptionId }, 0, 100)
    return deliveries.filter((delivery) => delivery.eventId === eventId)
  }

  test('what only the cluster can tell is asked of it; several servers take events, one matches them', async () => {
    const source = { id: 'd1', at: 1, where: '1,2', city: 'Berlin', note: 'running horses', plain: 'Berlin' }
    const query = { refresh: true }
    await client.send({ method: 'PUT', path: `/${INDEX}/_doc/d1`, query, body: source })
    const wanted: readonly (readonly [string, string, number])[] = [
      ['normalised', 'f=city:eq:berlin', 1],
      ['stemmed', 'q=note:run', 1],
      ['plain', 'f=plain:eq:Berlin', 1],
      ['plain-otherwise', 'f=plain:eq:berlin', 0],
      ['normalised-otherwise', 'f=city:eq:Paris', 0],
    ]
    for (const [i, [id, filter]] of wanted.entries()) await subscribe(i % 2 === 0 ? one : two, id, { filter })
    for (const server of [one, two]) {
      const id = await post(server, { object: { id: 'd1' } })
      expect(await outcome(server, id)).toMatchObject({ state: 'MATCHED', matched: 3 })
      for (const [subscription, , count] of wanted) {
        expect(await toldOf(server, subscription, id), subscription).toHaveLength(count)
      }
    }
  })

  test('a load raises events, whichever server writes', async () => {
    await subscribe(one, 'loads', { trigger: { event: ['CREATE'] }, filter: 'f=plain:eq:loaded' })
    // The other server learns of it within a moment.
    await expect.poll(() => two.matching.figures.indexed()).toBe(6)
    const document = { id: 'd2', at: 1, where: '1,2', plain: 'loaded' }
    for (const [i, engine] of engines.entries()) {
      await engine.write(INDEX, [{ kind: 'index', id: `d2-${i}`, source: document }], { load: `L${i}` })
      expect(await outcome(one, `load:L${i}:d2`)).toMatchObject({ state: 'MATCHED', event: 'CREATE', matched: 1 })
    }
  })

  test('when the one that matches is gone the other goes on', async () => {
    await one.matching.stop()
    const id = await post(two, { object: { id: 'd1' } })
    expect(await outcome(two, id)).toMatchObject({ state: 'MATCHED', matched: 3 })
    expect([...one.faults, ...two.faults]).toEqual([])
  })
})
