import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadSettings } from '../../src/config/load-settings.ts'
import { openDuckdbEngine } from '../../src/engine/duckdb/open-engine.ts'
import type { Engine } from '../../src/engine/engine.ts'
import type { CollectionReference } from '../../src/model/collection.ts'
import { SqliteFile } from '../../src/storage/sqlite-file.ts'
import { createMatching } from '../../src/subscriptions/matching/create-matching.ts'
import type { NewSubscription } from '../../src/subscriptions/record/subscription-record.ts'
import type { SubscriptionStore } from '../../src/subscriptions/record/subscription-store.ts'
import { sqliteDeliveryStore } from '../../src/subscriptions/stores/sqlite/sqlite-delivery-store.ts'
import { sqliteEventStore } from '../../src/subscriptions/stores/sqlite/sqlite-event-store.ts'
import { sqliteSubscriptionStore } from '../../src/subscriptions/stores/sqlite/sqlite-subscription-store.ts'
import { type Random, seededRandom } from '../data/random.ts'
import type { BenchOptions } from '../options.ts'
import { machine, saveResult } from '../report/result-file.ts'
import { table } from '../report/table.ts'

const AMOUNTS = [1_000, 10_000, 100_000]
const DOCUMENTS = 10_000
const VERTICES = 20
/** Events posted, and subscriptions written, concurrently. */
const AT_ONCE = 500
/** Average number of subscriptions matched by an event; determines the size of the areas. */
const MATCHES = 0.1
const WORLD = 360 * 180

const EVERYWHERE = {
  type: 'Polygon',
  coordinates: [
    [
      [-180, -90],
      [180, -90],
      [180, 90],
      [-180, 90],
      [-180, -90],
    ],
  ],
}

const collection = {
  collection_name: 'places',
  params: {
    index_name: 'places',
    id_path: 'id',
    geometry_path: 'where',
    centroid_path: 'where',
    timestamp_path: 'at',
  },
} as CollectionReference

interface MatchingResult {
  readonly subscriptions: number
  readonly loadSeconds: number
  readonly indexMiB: number
  readonly acceptedPerSecond: number
  readonly matchedPerSecond: number
  readonly matchesPerEvent: number
  /** For one event that matches all subscriptions. */
  readonly everybodySeconds: number
}

/**
 * Matches located events with subscriptions whose areas are spread over the world, in one process, with stores on disk.
 */
export async function measureMatching(options: BenchOptions): Promise<void> {
  const results: MatchingResult[] = []
  for (const amount of AMOUNTS) {
    const directory = await mkdtemp(join(tmpdir(), 'periplus-bench-'))
    try {
      console.log(`${amount} subscriptions, ${options.events} events`)
      results.push(await measure(directory, amount, options))
    } finally {
      await rm(directory, { recursive: true, force: true })
    }
  }
  const { seed, events, out } = options
  console.log(`\n${printResults(results)}\n`)
  await saveResult({ date: new Date().toISOString(), ...{ machine, seed, events, results } }, out)
}

async function measure(directory: string, amount: number, options: BenchOptions): Promise<MatchingResult> {
  const random = seededRandom(options.seed)
  const settings = loadSettings({ flags: { 'data.directory': directory }, cwd: directory })
  const engine = await openDuckdbEngine({ directory, memoryMiB: 512, threads: 2, concurrency: 4 })
  const file = SqliteFile.open(join(directory, 'periplus.sqlite'))
  const events = sqliteEventStore(file, { dedupeMs: 86_400_000 })
  const subscriptions = sqliteSubscriptionStore(file)
  const deliveries = sqliteDeliveryStore(file)
  await loadDocuments(engine)
  await subscribe(subscriptions, amount, random)
  const references = {
    list: async () => [collection],
    get: async () => collection,
    recent: async () => collection,
    putAll: async () => undefined,
    delete: async () => false,
    close: async () => undefined,
  }
  const matching = createMatching({
    ...{ settings, engine, references, subscriptions, events, deliveries },
    base: 'http://localhost:9999',
    onFault: (error) => {
      throw error
    },
  })

  const posted = await timed(async () => {
    for (let i = 0; i < options.events; i += AT_ONCE) {
      const count = Math.min(AT_ONCE, options.events - i)
      await matching.intake.accept(Array.from({ length: count }, (_, n) => eventAt(i + n, random)))
    }
  })
  const before = heap()
  const loaded = await timed(() => matching.prepare())
  const indexMiB = Math.max(0, heap() - before)
  const matched = await timed(async () => {
    matching.start()
    await drained(() => events.backlog())
  })
  const made = await deliveries.pendingCount()
  const everybody = await timed(async () => {
    await matching.intake.accept([
      { collection: 'places', event: 'UPDATE', object: { id: 'd0', geometry: EVERYWHERE } },
    ])
    await drained(() => events.backlog())
  })
  const all = (await deliveries.pendingCount()) - made
  if (all !== amount) throw new Error(`one event for all gave ${all} notifications of ${amount}`)
  await matching.stop()
  await engine.close()
  file.close()
  return {
    subscriptions: amount,
    loadSeconds: loaded,
    indexMiB,
    acceptedPerSecond: options.events / posted,
    matchedPerSecond: options.events / matched,
    matchesPerEvent: made / options.events,
    everybodySeconds: everybody,
  }
}

async function loadDocuments(engine: Engine): Promise<void> {
  await engine.createIndex('places', {
    dynamic: false,
    properties: { id: { type: 'keyword' }, at: { type: 'date' }, where: { type: 'geo_point' } },
  })
  const ids = Array.from({ length: DOCUMENTS }, (_, i) => `d${i}`)
  await engine.write(
    'places',
    ids.map((id, i) => ({ kind: 'index', id, source: { id, at: i, where: `${(i % 180) - 90},${(i % 360) - 180}` } })),
  )
  await engine.arrange('places')
}

async function subscribe(store: SubscriptionStore, amount: number, random: Random): Promise<void> {
  for (let i = 0; i < amount; i += AT_ONCE) {
    const count = Math.min(AT_ONCE, amount - i)
    await Promise.all(Array.from({ length: count }, (_, n) => store.insert(subscriptionAt(i + n, amount, random))))
  }
}

function subscriptionAt(n: number, amount: number, random: Random): NewSubscription {
  return {
    id: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
    created_at: 1,
    modified_at: 1,
    created_by_admin: false,
    deleted: false,
    created_by: `user-${n % 1000}`,
    active: true,
    starts_at: 1,
    expires_at: 4_000_000_000,
    title: 'bench',
    subscription: {
      trigger: { collections: ['places'], event: ['UPDATE'], geometry: areaOf(amount, random) },
      callback: `https://hooks.example.com/${n % 100}`,
      hits: { filter: '' },
    },
    userMetadatas: {},
    access: {},
  }
}

/** Returns a polygon whose size yields the wanted number of matches. */
function areaOf(amount: number, random: Random) {
  const radius = Math.sqrt((MATCHES * WORLD) / (amount * Math.PI))
  const lon = random.between(-180 + radius, 180 - radius)
  const lat = random.between(-90 + radius, 90 - radius)
  const ring = Array.from({ length: VERTICES - 1 }, (_, i) => {
    const angle = (2 * Math.PI * i) / (VERTICES - 1)
    return [round(lon + radius * Math.cos(angle)), round(lat + radius * Math.sin(angle))]
  })
  const first = ring[0] ?? []
  return { type: 'Polygon', coordinates: [[...ring, first]] }
}

const round = (value: number): number => Math.round(value * 1e6) / 1e6

const eventAt = (n: number, random: Random) => ({
  id: `evt-${n}`,
  collection: 'places',
  event: 'UPDATE',
  object: {
    id: `d${random.below(DOCUMENTS)}`,
    geometry: { type: 'Point', coordinates: [round(random.between(-179, 179)), round(random.between(-89, 89))] },
  },
})

async function timed(work: () => Promise<void>): Promise<number> {
  const begun = performance.now()
  await work()
  return (performance.now() - begun) / 1000
}

async function drained(backlog: () => Promise<number>): Promise<void> {
  while ((await backlog()) > 0) await new Promise((resolve) => setTimeout(resolve, 5))
}

/** Heap size in MiB; exact if the process was started with --expose-gc. */
function heap(): number {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed / 1024 / 1024
}

const printResults = (results: readonly MatchingResult[]): string =>
  table([
    ['subscriptions', 'loaded in', 'index', 'accepted/s', 'matched/s', 'matches/event', 'one event for all'],
    ...results.map((r) => [
      String(r.subscriptions),
      `${r.loadSeconds.toFixed(1)} s`,
      `${r.indexMiB.toFixed(0)} MiB`,
      r.acceptedPerSecond.toFixed(0),
      r.matchedPerSecond.toFixed(0),
      r.matchesPerEvent.toFixed(2),
      `${r.everybodySeconds.toFixed(1)} s`,
    ]),
  ])
