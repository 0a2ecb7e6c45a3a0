import { setTimeout as pause } from 'node:timers/promises'
import type { ClusterClient, WireObject } from '../../../cluster-client/cluster-client.ts'
import { problem } from '../../../errors.ts'
import {
  type BulkItemAnswer,
  ClusterIndex,
  type ClusterRecord,
  type RecordVersion,
} from '../../../storage/cluster-index.ts'
import type { NewDelivery } from '../../record/delivery-record.ts'
import {
  type EventKey,
  type EventStore,
  type EventStoreOptions,
  type FeedPosition,
  type MatchOutcome,
  type NewEvent,
  sha256,
} from '../../record/event-store.ts'
import type { EventOutcome, EventSource, PendingEvent } from '../../record/subscription-event.ts'
import { fromCluster, storeUnavailable } from '../shared/store-problem.ts'
import {
  EVENT_PROPERTIES,
  type EventDocument,
  eventDocumentId,
  newEventDocument,
  rejectedDocument,
  toEventOutcome,
  toPendingEvent,
} from './cluster-event-document.ts'
import { createDeliveries } from './create-cluster-deliveries.ts'

/** `_id` of the document with the last assigned position, and of those with feed positions. */
const COUNTER = 'counter'
const feedId = (name: string): string => `feed-${name}`

const MOST_RETRIES = 8
const RETRY_MS = 50
/** Milliseconds a count of waiting events is valid. Events accepted by this server since are added. */
const BACKLOG_MS = 1000
/** Documents per bulk request. Events may be large. */
const BULK = 500

interface Hits {
  readonly hits: {
    readonly total?: { readonly value: number }
    readonly hits: readonly { readonly _id: string; readonly _source: EventDocument }[]
  }
}

interface PendingDocument {
  readonly id: string
  readonly event: NewEvent
}

interface ClusterEventStoreOptions extends EventStoreOptions {
  readonly client: ClusterClient
  /** `cluster.prefix` */
  readonly prefix: string
  /** Index for deliveries. */
  readonly deliveries: ClusterIndex
}

/** Events in an index that several servers may share. One of them matches. */
export function clusterEventStore(options: ClusterEventStoreOptions): EventStore {
  const { client, prefix } = options
  const index = new ClusterIndex({ client, name: `${prefix}events`, properties: EVENT_PROPERTIES })
  return new ClusterEventStore(index, options)
}

class ClusterEventStore implements EventStore {
  readonly #index: ClusterIndex
  readonly #deliveries: ClusterIndex
  readonly #dedupeMs: number
  readonly #now: () => number
  /** `_id`s of the events returned for matching, by position. */
  readonly #handedOut = new Map<number, string>()
  #backlog: { readonly count: number; readonly at: number } | undefined
  #acceptedSince = 0

  constructor(index: ClusterIndex, { deliveries, dedupeMs, now = Date.now }: ClusterEventStoreOptions) {
    this.#index = index
    this.#deliveries = deliveries
    this.#dedupeMs = dedupeMs
    this.#now = now
  }

  /**
   * Checks for conflicts before anything is written. Documents are created under ids derived from the events, so that
   * events repeated after a crash are recognised.
   */
  accept(events: readonly NewEvent[], feed?: FeedPosition): Promise<readonly boolean[]> {
    return fromCluster(async () => {
      const fresh = await this.#fresh(events)
      for (let at = 0; at < fresh.pending.length; at += BULK) await this.#create(fresh.pending.slice(at, at + BULK))
      this.#acceptedSince += fresh.pending.length
      await this.#advance(feed)
      return fresh.isNew
    })
  }

  knownHashes(events: readonly EventKey[]): Promise<readonly (string | undefined)[]> {
    return fromCluster(async () => (await this.#known(events)).map((record) => record?.source.content_hash))
  }

  feedPosition(name: string): Promise<number | undefined> {
    return fromCluster(async () => (await this.#index.get<{ position: number }>(feedId(name)))?.source.position)
  }

  reject(source: EventSource, id: string, reason: string, feed?: FeedPosition): Promise<void> {
    return fromCluster(async () => {
      const document = rejectedDocument(source, id, reason, this.#now())
      await this.#index.put(eventDocumentId({ collection: '', id }), document, { over: 'absent' })
      await this.#advance(feed)
    })
  }

  pending(after: number, limit: number): Promise<readonly PendingEvent[]> {
    return fromCluster(async () => {
      await this.#index.refresh()
      const { hits } = await this.#index.search<Hits>({
        size: Math.min(limit, 10_000),
        track_total_hits: false,
        sort: [{ position: { order: 'asc', unmapped_type: 'long' } }],
        query: { bool: { filter: [PENDING, { range: { position: { gt: after } } }] } },
      })
      for (const { _id, _source } of hits.hits) this.#handedOut.set(_source.position, _id)
      return hits.hits.map(({ _source }) => toPendingEvent(_source))
    })
  }

  backlog(): Promise<number> {
    return fromCluster(async () => {
      const now = this.#now()
      if (this.#backlog === undefined || now - this.#backlog.at > BACKLOG_MS) {
        await this.#index.refresh()
        const { hits } = await this.#index.search<Hits>({ size: 0, track_total_hits: true, query: PENDING })
        this.#backlog = { count: hits.total?.value ?? 0, at: now }
        this.#acceptedSince = 0
      }
      return this.#backlog.count + this.#acceptedSince
    })
  }

  commit(outcomes: readonly MatchOutcome[], deliveries: readonly NewDelivery[]): Promise<void> {
    return fromCluster(async () => {
      await createDeliveries(this.#deliveries, deliveries)
      for (let at = 0; at < outcomes.length; at += BULK) await this.#end(outcomes.slice(at, at + BULK))
      if (outcomes.length > 0) this.#backlog = undefined
    })
  }

  find(id: string): Promise<readonly EventOutcome[]> {
    return fromCluster(async () => {
      await this.#index.refresh()
      const { hits } = await this.#index.search<Hits>({
        size: 10_000,
        query: { bool: { filter: [{ term: { id_hash: sha256(id) } }] } },
      })
      return hits.hits
        .map(({ _source }) => _source)
        .filter((document) => this.#counts(document))
        .sort((a, b) => (a.collection < b.collection ? -1 : 1))
        .map((document) => toEventOutcome(id, document))
    })
  }

  clean(olderThanMs: number): Promise<void> {
    const old = { range: { accepted_ms: { lt: olderThanMs } } }
    return fromCluster(async () => {
      // Without a refresh, events matched a moment ago would still appear as waiting.
      await this.#index.refresh()
      await this.#index.deleteMatching({ bool: { filter: [old], must_not: [PENDING] } })
    })
  }

  async close(): Promise<void> {}

  /** True if the document still counts for deduplication. */
  #counts({ state, accepted_ms }: EventDocument): boolean {
    return state === 'PENDING' || accepted_ms >= this.#now() - this.#dedupeMs
  }

  async #known(events: readonly EventKey[]): Promise<readonly (ClusterRecord<EventDocument> | undefined)[]> {
    const members = ['content_hash', 'state', 'accepted_ms']
    const records = await this.#index.getAll<EventDocument>(events.map(eventDocumentId), undefined, members)
    return records.map((record) => (record !== undefined && this.#counts(record.source) ? record : undefined))
  }

  /** Returns which events are new. Throws EVENT_ID_CONFLICT if one is known with other content. */
  async #fresh(events: readonly NewEvent[]) {
    const known = await this.#known(events.map(({ event }) => event))
    const hashes = new Map<string, string>()
    const pending: PendingDocument[] = []
    const isNew = events.map((event, i) => {
      const id = eventDocumentId(event.event)
      const hash = known[i]?.source.content_hash ?? hashes.get(id)
      if (hash !== undefined && hash !== event.contentHash) {
        throw problem('EVENT_ID_CONFLICT', { name: event.event.id })
      }
      if (hash !== undefined) return false
      hashes.set(id, event.contentHash)
      pending.push({ id, event })
      return true
    })
    return { pending, isNew }
  }

  async #create(pending: readonly PendingDocument[]): Promise<void> {
    const first = await this.#takePositions(pending.length)
    const made: string[] = []
    let left = pending.map((one, i) => ({ ...one, document: newEventDocument(one.event, first + i) }))
    for (let attempt = 0; left.length > 0; attempt++) {
      const lines = left.flatMap(({ id, document }) => [{ create: { _id: id } }, document])
      const { items } = await this.#index.bulk(lines)
      const answers = items.map(({ create }) => create)
      made.push(...left.filter((_, i) => answers[i]?.error === undefined).map(({ id }) => id))
      for (const [i, one] of left.entries()) {
        if (answers[i]?.status === 409) await this.#meet(one, one.document, made)
      }
      left = left.filter((_, i) => isBusy(answers[i]))
      if (left.length === 0) return
      if (attempt === MOST_RETRIES) {
        await this.#index.deleteAll(made)
        throw storeUnavailable(answers.find(isBusy)?.error)
      }
      await pause(RETRY_MS * 2 ** attempt)
    }
  }

  /** Handles an id that exists already: an event older than the window, or one accepted concurrently. */
  async #meet({ id, event }: PendingDocument, document: EventDocument, made: string[]): Promise<void> {
    const found = await this.#index.get<EventDocument>(id)
    if (found?.source.content_hash === event.contentHash && this.#counts(found.source)) return
    if (found === undefined || !this.#counts(found.source)) {
      const over: RecordVersion | 'absent' = found?.version ?? 'absent'
      if ((await this.#index.put(id, document, { over })) !== undefined) {
        made.push(id)
        return
      }
    }
    await this.#index.deleteAll(made)
    throw problem('EVENT_ID_CONFLICT', { name: event.event.id })
  }

  /** Reserves `count` positions and returns the first. */
  async #takePositions(count: number): Promise<number> {
    for (let attempt = 0; attempt <= MOST_RETRIES * 4; attempt++) {
      const found = await this.#index.get<{ last: number }>(COUNTER)
      const last = found?.source.last ?? 0
      const written = await this.#index.put(COUNTER, { last: last + count }, { over: found?.version ?? 'absent' })
      if (written !== undefined) return last + 1
      await pause(Math.random() * RETRY_MS)
    }
    throw storeUnavailable(new Error('too many concurrent reservations of event positions'))
  }

  async #end(outcomes: readonly MatchOutcome[]): Promise<void> {
    const missing = outcomes.filter(({ position }) => !this.#handedOut.has(position)).map(({ position }) => position)
    if (missing.length > 0) await this.#lookUp(missing)
    const known = outcomes.filter(({ position }) => this.#handedOut.has(position))
    const lines = known.flatMap(({ position, state, matched, reason = null }): readonly WireObject[] => [
      { update: { _id: this.#handedOut.get(position) ?? '' } },
      { doc: { state, matched, reason, body: null, before: null, after: null, in_index: null } },
    ])
    const { items } = await this.#index.bulk(lines)
    const failed = items.map(({ update }) => update).find((item) => item?.error !== undefined && item.status !== 404)
    if (failed !== undefined) throw storeUnavailable(failed.error)
    for (const { position } of known) this.#handedOut.delete(position)
  }

  async #lookUp(positions: readonly number[]): Promise<void> {
    await this.#index.refresh()
    const { hits } = await this.#index.search<Hits>({
      size: positions.length,
      _source: ['position'],
      query: { terms: { position: positions } },
    })
    for (const { _id, _source } of hits.hits) this.#handedOut.set(_source.position, _id)
  }

  async #advance(feed: FeedPosition | undefined): Promise<void> {
    if (feed !== undefined) await this.#index.put(feedId(feed.name), { position: feed.position })
  }
}

const PENDING = { term: { state: 'PENDING' } }

const isBusy = (item: BulkItemAnswer | undefined): boolean =>
  item?.error !== undefined && (item.status === 429 || item.status >= 500)
