import type { ClusterClient, WireObject } from '../../../cluster-client/cluster-client.ts'
import { createWriteQueue } from '../../../collections/write-queue.ts'
import { ClusterIndex } from '../../../storage/cluster-index.ts'
import type { NewSubscription, SubscriptionRecord } from '../../record/subscription-record.ts'
import type { SubscriptionFilter, SubscriptionPage, SubscriptionStore } from '../../record/subscription-store.ts'
import { type ChangeListener, ChangeListeners } from '../shared/change-listeners.ts'
import { JoinedCalls } from '../shared/joined-calls.ts'
import { fromCluster, storeUnavailable } from '../shared/store-problem.ts'
import { accessOf, keysOf, parseBody, printBody, recordOf, type StoredKeys } from '../shared/stored-subscription.ts'
import { announce, COUNTER_ID, changedSince, readCounter, takeSeqs } from './cluster-subscription-counter.ts'

/** Document of a subscription. Body and access are JSON text, because the cluster need not index them. */
interface SubscriptionDocument extends StoredKeys {
  readonly seq: number
  readonly version: number
  readonly body: string
  readonly access: string
}

interface Hits {
  readonly hits: {
    readonly total?: { readonly value: number }
    readonly hits: readonly { readonly _source: SubscriptionDocument }[]
  }
}

const long = { type: 'long' }
const boolean = { type: 'boolean' }

const PROPERTIES = {
  id: { type: 'keyword' },
  seq: long,
  version: long,
  created_at: long,
  created_by: { type: 'keyword' },
  active: boolean,
  starts_at: long,
  expires_at: long,
  deleted: boolean,
  created_by_admin: boolean,
}

/**
 * The result window covers all list pages. Writers wait until lists show their write, so the refresh interval is short.
 */
const SETTINGS = { max_result_window: 1_000_000, refresh_interval: '200ms' }

const MOST_RETRIES = 3
/** Page size when all subscriptions are read. */
const AT_ONCE = 500
/** Maximum number of writes that share one counter update. */
const MOST_RAISED = 100
/** Maximum length of a document `_id` in a cluster. Longer ids would not even fit a URL. */
const LONGEST_ID_BYTES = 512

/** Excludes the counter, which is in the same index. */
const isSubscription = { exists: { field: 'seq' } }

/** Subscriptions in an index of the cluster that several servers may share. */
export async function openClusterSubscriptionStore(client: ClusterClient, prefix: string): Promise<SubscriptionStore> {
  const index = new ClusterIndex({ client, name: `${prefix}subscriptions`, properties: PROPERTIES, settings: SETTINGS })
  const { last_seq, changes } = await fromCluster(() => readCounter(index))
  return new ClusterSubscriptionStore(index, last_seq, changes)
}

class ClusterSubscriptionStore implements SubscriptionStore {
  readonly #index: ClusterIndex
  readonly #listeners = new ChangeListeners()
  /**
   * Serialises notifications about writes of all processes, so that listeners never get an older state after a newer
   * one.
   */
  readonly #inTurn = createWriteQueue()
  readonly #numbers: JoinedCalls<undefined, number>
  readonly #announcements: JoinedCalls<SubscriptionRecord, undefined>
  readonly #reads: JoinedCalls<string, SubscriptionRecord | undefined>
  #lastSeq: number
  #seenChanges: number

  constructor(index: ClusterIndex, lastSeq: number, seenChanges: number) {
    this.#index = index
    this.#lastSeq = lastSeq
    this.#seenChanges = seenChanges
    this.#numbers = new JoinedCalls((asked) => takeSeqs(index, asked.length), MOST_RAISED)
    this.#announcements = new JoinedCalls((written) => this.#tellTogether(written), MOST_RAISED)
    this.#reads = new JoinedCalls(async (ids) => {
      const found = await index.getAll<SubscriptionDocument>(ids)
      return found.map((one) => (one === undefined ? undefined : toRecord(one.source)))
    }, AT_ONCE)
  }

  insert(subscription: NewSubscription): Promise<SubscriptionRecord> {
    return fromCluster(async () => {
      const seq = await this.#numbers.call(undefined)
      const record = { ...subscription, seq, version: 1 }
      const written = await this.#index.put(record.id, documentOf(record), { over: 'absent', refresh: true })
      if (written === undefined) throw new Error(`subscription ${record.id} already exists`)
      this.#lastSeq = Math.max(this.#lastSeq, seq)
      await this.#announcements.call(record)
      return record
    })
  }

  get(id: string): Promise<SubscriptionRecord | undefined> {
    return fromCluster(async () => (isId(id) ? this.#reads.call(id) : undefined))
  }

  change(
    id: string,
    change: (current: SubscriptionRecord) => SubscriptionRecord | undefined,
  ): Promise<SubscriptionRecord | undefined> {
    return fromCluster(async () => {
      for (let attempt = 0; attempt <= MOST_RETRIES; attempt++) {
        const found = await this.#find(id)
        if (found === undefined) return undefined
        const wanted = change(found.record)
        if (wanted === undefined) return found.record
        const { seq, version } = found.record
        const next = { ...wanted, id, seq, version: version + 1 }
        const written = await this.#index.put(id, documentOf(next), { over: found.over, refresh: true })
        if (written === undefined) continue
        await this.#announcements.call(next)
        return next
      }
      throw storeUnavailable(new Error(`too many concurrent changes of subscription ${id}`))
    })
  }

  list(filter: SubscriptionFilter, from: number, size: number): Promise<SubscriptionPage> {
    return fromCluster(async () => {
      const { hits } = await this.#index.search<Hits>({
        query: { bool: { filter: [isSubscription, ...conditions(filter)] } },
        sort: [descending('created_at'), descending('seq')],
        track_total_hits: true,
        from,
        size,
      })
      return { total: hits.total?.value ?? 0, subscriptions: hits.hits.map(({ _source }) => toRecord(_source)) }
    })
  }

  async countOf(createdBy: string): Promise<number> {
    return (await this.list({ createdBy, deleted: false, now: 0 }, 0, 0)).total
  }

  lastSeq(): number {
    return this.#lastSeq
  }

  readAll(): AsyncGenerator<SubscriptionRecord> {
    return this.#read([{ term: { deleted: false } }])
  }

  onChange(listener: ChangeListener): () => void {
    return this.#listeners.add(listener)
  }

  catchUp(): Promise<void> {
    return this.#inTurn(() =>
      fromCluster(async () => {
        const counter = await readCounter(this.#index)
        const ids = changedSince(counter, this.#seenChanges)
        if (ids === undefined) await this.#tellAll()
        else {
          for (const found of await this.#index.getAll<SubscriptionDocument>(ids)) {
            if (found !== undefined) this.#listeners.tell(toRecord(found.source))
          }
        }
        this.#seenChanges = counter.changes
        this.#lastSeq = Math.max(this.#lastSeq, counter.last_seq)
      }),
    )
  }

  async close(): Promise<void> {}

  async #find(id: string) {
    if (!isId(id)) return undefined
    const found = await this.#index.get<SubscriptionDocument>(id)
    return found === undefined ? undefined : { record: toRecord(found.source), over: found.version }
  }

  /** Updates the counter once for all writes that happened at about the same time. */
  #tellTogether(written: readonly SubscriptionRecord[]): Promise<readonly undefined[]> {
    return this.#inTurn(async () => {
      for (const record of written) this.#listeners.tell(record)
      const { changes } = await announce(
        this.#index,
        written.map(({ id }) => id),
      )
      // Otherwise other servers have written in between, and `catchUp` must read that.
      if (changes === this.#seenChanges + written.length) this.#seenChanges = changes
      return written.map(() => undefined)
    })
  }

  async #tellAll(): Promise<void> {
    await this.#index.refresh()
    for await (const record of this.#read([])) this.#listeners.tell(record)
  }

  async *#read(conditions: readonly WireObject[]): AsyncGenerator<SubscriptionRecord> {
    let after = 0
    for (;;) {
      const beyond = { range: { seq: { gt: after } } }
      const body = { query: { bool: { filter: [beyond, ...conditions] } }, sort: [ascending('seq')], size: AT_ONCE }
      const { hits } = await fromCluster(() => this.#index.search<Hits>(body))
      for (const { _source } of hits.hits) {
        after = _source.seq
        yield toRecord(_source)
      }
      if (hits.hits.length < AT_ONCE) return
    }
  }
}

const isId = (id: string): boolean => id !== COUNTER_ID && Buffer.byteLength(id) <= LONGEST_ID_BYTES

/** An empty index may lack the field. */
const ascending = (field: string) => ({ [field]: { order: 'asc', unmapped_type: 'long' } })
const descending = (field: string) => ({ [field]: { order: 'desc', unmapped_type: 'long' } })

function documentOf(record: SubscriptionRecord): WireObject {
  const { seq, version, access } = record
  return { ...keysOf(record), seq, version, body: printBody(record), access: JSON.stringify(access) }
}

const toRecord = (document: SubscriptionDocument): SubscriptionRecord =>
  recordOf(document, document, parseBody(document.id, document.body), accessOf(document.id, document.access))

function conditions(filter: SubscriptionFilter): readonly WireObject[] {
  const { now, before, after, started, expired } = filter
  const terms = {
    active: filter.active,
    deleted: filter.deleted,
    created_by_admin: filter.createdByAdmin,
    created_by: filter.createdBy,
  }
  return [
    ...Object.entries(terms).flatMap(([field, value]) => (value === undefined ? [] : [{ term: { [field]: value } }])),
    ...(before === undefined ? [] : [{ range: { created_at: { lte: bound(before) } } }]),
    ...(after === undefined ? [] : [{ range: { created_at: { gte: bound(after) } } }]),
    ...(started === undefined ? [] : [{ range: { starts_at: started ? { lte: now } : { gt: now } } }]),
    ...(expired === undefined ? [] : [{ range: { expires_at: expired ? { lte: now } : { gt: now } } }]),
  ]
}

/** The cluster rejects bounds outside the range of a long. */
const bound = (seconds: number): number => Math.max(Number.MIN_SAFE_INTEGER, Math.min(seconds, Number.MAX_SAFE_INTEGER))
