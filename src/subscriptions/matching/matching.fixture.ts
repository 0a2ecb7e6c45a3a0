import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { documents, mapping } from '../../../test/conformance/dataset.ts'
import { openSqliteReferenceStore } from '../../collections/store/sqlite-reference-store.ts'
import { watchReferences } from '../../collections/store/watched-reference-store.ts'
import { loadSettings } from '../../config/load-settings.ts'
import { openDuckdbEngine } from '../../engine/duckdb/open-engine.ts'
import type { Engine } from '../../engine/engine.ts'
import type { CollectionReference } from '../../model/collection.ts'
import type { JsonObject } from '../../model/json/document.ts'
import { SqliteFile } from '../../storage/sqlite-file.ts'
import type { Delivery } from '../record/delivery-record.ts'
import type { DeliveryStore } from '../record/delivery-store.ts'
import type { EventStore } from '../record/event-store.ts'
import type { EventOutcome } from '../record/subscription-event.ts'
import type { NewSubscription, SubscriptionRecord } from '../record/subscription-record.ts'
import type { SubscriptionStore } from '../record/subscription-store.ts'
import { sqliteDeliveryStore } from '../stores/sqlite/sqlite-delivery-store.ts'
import { sqliteEventStore } from '../stores/sqlite/sqlite-event-store.ts'
import { sqliteSubscriptionStore } from '../stores/sqlite/sqlite-subscription-store.ts'
import { createMatching, type Matching } from './create-matching.ts'

export const sampleReference = (name = 'geodata', params: object = {}): CollectionReference =>
  ({
    collection_name: name,
    params: {
      index_name: 'dataset',
      id_path: 'id',
      geometry_path: 'geo_params.geometry',
      centroid_path: 'geo_params.centroid',
      timestamp_path: 'params.startdate',
      ...params,
    },
  }) as CollectionReference

/** A subscription as in spec 2.9. */
export function newSubscription(
  id: string,
  { trigger = {}, filter = '', projection, ...changes }: SubscriptionChanges = {},
): NewSubscription {
  return {
    id,
    created_at: 1_794_736_800,
    modified_at: 1_794_736_800,
    created_by_admin: false,
    deleted: false,
    created_by: 'gisaia',
    active: true,
    starts_at: 1_564_578_988,
    expires_at: 2_145_913_200,
    title: 'title',
    subscription: {
      trigger,
      callback: 'https://hooks.example.com/periplus',
      hits: { filter, ...(projection === undefined ? {} : { projection }) },
    },
    userMetadatas: { correlationId: 'my-correlation-id' },
    access: {},
    ...changes,
  }
}

export interface SubscriptionChanges extends Partial<Omit<NewSubscription, 'subscription'>> {
  readonly trigger?: JsonObject
  readonly filter?: string
  readonly projection?: string
}

/** The sample data set with a matcher and its stores. Nothing is delivered. */
export interface MatchingUnderTest {
  readonly matching: Matching
  readonly engine: Engine
  readonly events: EventStore
  readonly deliveries: DeliveryStore
  readonly subscriptions: SubscriptionStore
  readonly references: ReturnType<typeof watchReferences>
  subscribe(id: string, changes?: SubscriptionChanges): Promise<SubscriptionRecord>
  /** Posts an event of `geodata` about a document. Returns its id. */
  post(event: object): Promise<string>
  /** Returns the outcome of an event, once it has been matched. */
  outcome(id: string, collection?: string): Promise<EventOutcome>
  /** Returns the ids of the subscriptions notified of an event. */
  told(event: object): Promise<readonly string[]>
  deliveriesOf(subscriptionId: string): Promise<readonly Delivery[]>
  close(): Promise<void>
}

interface FixtureOptions {
  readonly flags?: Readonly<Record<string, string>>
  readonly now?: () => number
}

export async function openMatching({ flags = {}, now = Date.now }: FixtureOptions = {}): Promise<MatchingUnderTest> {
  const directory = mkdtempSync(join(tmpdir(), 'periplus-matching-'))
  const settings = loadSettings({ flags: { 'data.directory': directory, ...flags }, cwd: directory })
  const engine = await openDuckdbEngine({ directory, memoryMiB: 256, threads: 1, concurrency: 2 })
  await engine.createIndex('dataset', mapping)
  const loaded = documents().map((document): JsonObject => JSON.parse(JSON.stringify(document)))
  await engine.write(
    'dataset',
    loaded.map((source) => ({ kind: 'index', id: String(source.id), source })),
  )
  const references = watchReferences(openSqliteReferenceStore(join(directory, 'references.sqlite')))
  await references.putAll([sampleReference()])
  const file = SqliteFile.open(':memory:')
  const subscriptions = sqliteSubscriptionStore(file)
  const events = sqliteEventStore(file, { dedupeMs: 86_400_000, now })
  const deliveries = sqliteDeliveryStore(file)
  const faults: unknown[] = []
  const matching = createMatching({
    ...{ settings, engine, references, subscriptions, events, deliveries, now },
    base: 'https://geo.example.com',
    onFault: (error) => faults.push(error),
  })
  matching.start()
  while (!matching.isReady()) await turn()

  const subscribed = new Set<string>()
  const outcome = async (id: string, collection = 'geodata'): Promise<EventOutcome> => {
    for (;;) {
      if (faults.length > 0) throw faults[0]
      const found = (await events.find(id)).find((one) => one.collection === collection)
      if (found !== undefined && found.state !== 'PENDING') return found
      await turn()
    }
  }
  const post = async (event: object): Promise<string> => {
    const { ids } = await matching.intake.accept([{ collection: 'geodata', event: 'UPDATE', ...event }])
    return ids[0] ?? ''
  }
  const deliveriesOf = async (id: string): Promise<readonly Delivery[]> => {
    const { deliveries: listed } = await deliveries.list({ subscriptionId: id }, 0, 1000)
    const whole = await Promise.all(listed.map((delivery) => deliveries.get(id, delivery.id)))
    return whole.flat()
  }
  return {
    ...{ matching, engine, events, deliveries, subscriptions, references, post, outcome, deliveriesOf },
    subscribe: (id, changes) => {
      subscribed.add(id)
      return subscriptions.insert(newSubscription(id, changes))
    },
    told: async (event) => {
      const id = await post(event)
      await outcome(id)
      const all = await Promise.all([...subscribed].map(deliveriesOf))
      return all
        .flat()
        .filter(({ eventId }) => eventId === id)
        .map(({ subscriptionId }) => subscriptionId)
        .sort()
    },
    close: async () => {
      await matching.stop()
      await engine.close()
      await references.close()
      file.close()
      rmSync(directory, { recursive: true, force: true })
      if (faults.length > 0) throw faults[0]
    },
  }
}

const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 10))
