import { LRUCache } from 'lru-cache'
import type { Box } from '../../geo/area.ts'
import { nearestDouble } from '../../model/json/exact-integer.ts'
import { parseOwn } from '../../model/json/stored-json.ts'
import type { SubscriptionRecord } from '../record/subscription-record.ts'
import type { TriggerKeys } from '../trigger/default-trigger-schema.ts'
import { shapeBoxes } from '../trigger/trigger-area.ts'
import { type TriggerKey, triggerConditions } from '../trigger/trigger-conditions.ts'
import { type EventFacts, MatcherPartition } from './matcher-partition.ts'
import { type WatchedSubscription, watchedSubscription } from './watched-subscription.ts'

/** Key for every collection or event kind. Names are never empty. */
const ANY = ''

/** Number of compiled subscriptions in the cache. The least recently used are evicted. */
const MOST_COMPILED = 20_000

/** Number of removed subscriptions remembered. The least recently used are evicted. */
const MOST_REMOVED = 100_000

/** Index entry of a subscription. The record stays JSON text, to save memory. */
interface IndexEntry {
  readonly id: string
  readonly seq: number
  readonly version: number
  readonly startsMs: number
  readonly expiresMs: number
  readonly text: string
  readonly collections: readonly string[]
  readonly kinds: readonly string[]
  readonly boxes: readonly Box[] | undefined
  readonly keys: readonly TriggerKey[]
}

/**
 * Index of subscriptions by collection, event kind, area and keys (spec 3.7). A lookup returns a superset; the matcher
 * decides what matches.
 */
export class MatcherIndex {
  readonly #names: TriggerKeys
  readonly #entries = new Map<string, IndexEntry>()
  readonly #partitions = new Map<string, Map<string, MatcherPartition<IndexEntry>>>()
  /** Bounded by size, because `max` would allocate all entries at once. */
  readonly #compiled = new LRUCache<IndexEntry, WatchedSubscription>({
    maxSize: MOST_COMPILED,
    sizeCalculation: () => 1,
    memoMethod: ({ text }) => watchedSubscription(parseOwn<SubscriptionRecord>(text), this.#names),
  })
  /** Latest versions removed from the index. An older version may still arrive. */
  readonly #removed = new LRUCache<string, number>({ maxSize: MOST_REMOVED, sizeCalculation: () => 1 })

  constructor(names: TriggerKeys) {
    this.#names = names
  }

  get size(): number {
    return this.#entries.size
  }

  /** Adds or updates a subscription. Ignores an older version. */
  set(record: SubscriptionRecord): void {
    const before = this.#entries.get(record.id)
    if (Math.max(before?.version ?? -1, this.#removed.get(record.id) ?? -1) >= record.version) return
    if (before !== undefined) this.#remove(before)
    const entry = record.active && !record.deleted ? toEntry(record, this.#names) : undefined
    this.#removed.delete(record.id)
    if (entry !== undefined) this.#add(entry)
    else this.#removed.set(record.id, record.version)
  }

  /** Removes subscriptions that expired at or before a time. */
  removeExpired(ms: number): void {
    for (const entry of this.#entries.values()) if (entry.expiresMs <= ms) this.#remove(entry)
  }

  /** Returns candidates lazily, in no order. */
  *find(collection: string, kind: string, facts: EventFacts): Generator<IndexEntry> {
    for (const partition of this.#partitionsFor(collection, kind)) yield* partition.find(facts)
  }

  /** True if a subscription covers events of this kind in the collection. */
  concerns(collection: string, kind: string): boolean {
    for (const _ of this.#partitionsFor(collection, kind)) return true
    return false
  }

  /** True if a subscription covers events of this kind in any collection. */
  concernsAny(kind: string): boolean {
    return this.concerns(ANY, kind)
  }

  /** Returns collections that subscriptions name for events of this kind. */
  namedCollections(kind: string): readonly string[] {
    return [...this.#partitions].flatMap(([name, kinds]) =>
      name !== ANY && (kinds.has(kind) || kinds.has(ANY)) ? [name] : [],
    )
  }

  compiled(entry: IndexEntry): WatchedSubscription {
    return this.#compiled.memo(entry)
  }

  *#partitionsFor(collection: string, kind: string): Generator<MatcherPartition<IndexEntry>> {
    for (const name of new Set([collection, ANY])) {
      const kinds = this.#partitions.get(name)
      for (const one of new Set([kind, ANY])) {
        const partition = kinds?.get(one)
        if (partition !== undefined) yield partition
      }
    }
  }

  #add(entry: IndexEntry): void {
    this.#entries.set(entry.id, entry)
    for (const name of entry.collections) {
      const kinds = this.#partitions.get(name) ?? new Map<string, MatcherPartition<IndexEntry>>()
      this.#partitions.set(name, kinds)
      for (const kind of entry.kinds) {
        const partition = kinds.get(kind) ?? new MatcherPartition<IndexEntry>()
        kinds.set(kind, partition)
        partition.add(entry, entry.boxes, entry.keys)
      }
    }
  }

  #remove(entry: IndexEntry): void {
    this.#entries.delete(entry.id)
    this.#compiled.delete(entry)
    for (const name of entry.collections) {
      const kinds = this.#partitions.get(name)
      for (const kind of entry.kinds) {
        const partition = kinds?.get(kind)
        partition?.remove(entry, entry.keys)
        if (partition?.size === 0) kinds?.delete(kind)
      }
      if (kinds?.size === 0) this.#partitions.delete(name)
    }
  }
}

/** Returns undefined if the subscription can never match. */
function toEntry(record: SubscriptionRecord, names: TriggerKeys): IndexEntry | undefined {
  const {
    collections = [ANY],
    kinds = [ANY],
    shape,
    keys,
    impossible,
  } = triggerConditions(record.subscription.trigger, names)
  if (impossible) return undefined
  return {
    id: record.id,
    seq: record.seq,
    version: record.version,
    startsMs: nearestDouble(record.starts_at) * 1000,
    expiresMs: nearestDouble(record.expires_at) * 1000,
    text: JSON.stringify(record),
    collections: [...new Set(collections)],
    kinds: [...new Set(kinds)],
    boxes: shape === undefined ? undefined : shapeBoxes(shape),
    keys,
  }
}
