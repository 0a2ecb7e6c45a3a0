import type { ClusterClient, WireObject } from '../engine/cluster/cluster-client.ts'
import { ClusterIndex, type ClusterRecord, type RecordVersion } from '../storage/cluster-index.ts'
import {
  DELIVERY_INDEX_SETTINGS,
  DELIVERY_PROPERTIES,
  type DeliveryDocument,
  documentId,
  filterQuery,
  newDocument,
  toDelivery,
  wire,
} from './cluster-delivery-document.ts'
import type { Attempt, Delivery, DeliveryChannel } from './delivery-record.ts'
import {
  type AttemptOutcome,
  type DeliveryFilter,
  type DeliveryStore,
  type HeldTargets,
  MOST_ATTEMPTS_KEPT,
} from './delivery-store.ts'
import { fromCluster, storeUnavailable } from './store-problem.ts'

export { createDeliveries } from './cluster-delivery-document.ts'

/** The index of deliveries; one object for all who write to it in a process. */
export const deliveryIndex = (client: ClusterClient, prefix: string): ClusterIndex =>
  new ClusterIndex({
    client,
    name: `${prefix}deliveries`,
    properties: DELIVERY_PROPERTIES,
    settings: DELIVERY_INDEX_SETTINGS,
  })

interface Hits {
  readonly hits: {
    readonly total?: { readonly value: number }
    readonly hits: readonly {
      readonly _id: string
      readonly _source: DeliveryDocument
      readonly _seq_no: number
      readonly _primary_term: number
      readonly sort?: readonly (number | string)[]
    }[]
  }
}

/** Documents looked at, or changed, by one request. */
const PAGE = 500
const MOST_RETRIES = 3
/** Payloads may be large: they are read when they are needed. */
const WITHOUT_PAYLOAD = { excludes: ['payload'] }

/** Deliveries in an index, which several servers may share: a claim is a compare-and-set. */
export function clusterDeliveryStore(index: ClusterIndex): DeliveryStore {
  return new ClusterDeliveryStore(index)
}

class ClusterDeliveryStore implements DeliveryStore {
  readonly #index: ClusterIndex
  readonly #listeners = new Set<() => void>()

  constructor(index: ClusterIndex) {
    this.#index = index
  }

  claim(
    channel: DeliveryChannel,
    limit: number,
    nowMs: number,
    claimMs: number,
    held: HeldTargets,
  ): Promise<readonly Delivery[]> {
    return fromCluster(async () => {
      await this.#index.refresh()
      const found = await this.#findDue(channel, limit, nowMs, held)
      const change = { state: 'DELIVERING', next_attempt_at: nowMs + claimMs }
      const done = await this.#update(found.map((record) => ({ record, change })))
      const whole = await this.#index.getAll<DeliveryDocument>(done.map(({ id }) => id))
      return done.flatMap(({ source }, i) => {
        const payload = whole[i]?.source.payload
        if (payload === undefined) return []
        const nextAttemptAt = source.next_attempt_at ?? nowMs
        return [{ ...toDelivery({ ...source, payload }), state: 'DELIVERING' as const, nextAttemptAt }]
      })
    })
  }

  /** Held subscriptions are left out of the query as they are met, so that theirs are not read page after page. */
  async #findDue(
    channel: DeliveryChannel,
    limit: number,
    nowMs: number,
    held: HeldTargets,
  ): Promise<readonly ClusterRecord<DeliveryDocument>[]> {
    const found: ClusterRecord<DeliveryDocument>[] = []
    const passed = new Set<string>()
    let after: readonly (number | string)[] | undefined
    while (found.length < limit) {
      const page = await this.#page(
        waitingQuery(channel, { lte: nowMs }, passed),
        [{ next_attempt_at: 'asc' }, { order: 'asc' }],
        after,
      )
      for (const record of page.records) {
        const { subscription_id: subscriptionId } = record.source
        if (found.length === limit) break
        if (held.isHeld(subscriptionId, nowMs)) {
          passed.add(subscriptionId)
          continue
        }
        held.onTaken?.(subscriptionId)
        found.push(record)
      }
      if (page.records.length < PAGE) break
      after = page.last
    }
    return found
  }

  nextDue(channel: DeliveryChannel, nowMs: number, held: HeldTargets): Promise<number | undefined> {
    return fromCluster(async () => {
      await this.#index.refresh()
      const passed = new Set<string>()
      for (;;) {
        const { records } = await this.#page(
          waitingQuery(channel, {}, passed),
          [{ next_attempt_at: 'asc' }],
          undefined,
          50,
        )
        const free = records.find(({ source }) => !held.isHeld(source.subscription_id, nowMs))
        if (free !== undefined || records.length < 50) return free?.source.next_attempt_at ?? undefined
        for (const { source } of records) passed.add(source.subscription_id)
      }
    })
  }

  record(id: string, channel: DeliveryChannel, outcome: AttemptOutcome): Promise<void> {
    const { attempt, state, nextAttemptAt, status, error, deliveredAt } = outcome
    return this.#change(documentId(id, channel), ({ attempt_log }) => ({
      state,
      attempts: attempt.number,
      manual: false,
      next_attempt_at: state === 'PENDING' ? (nextAttemptAt ?? null) : null,
      last_status: status ?? null,
      last_error: error ?? null,
      delivered_at: deliveredAt ?? null,
      attempt_log: [...attempt_log, attempt].slice(-MOST_ATTEMPTS_KEPT),
    }))
  }

  async release(deliveries: readonly Delivery[]): Promise<void> {
    for (const { id, channel, nextAttemptAt = 0 } of deliveries) {
      await this.#change(documentId(id, channel), ({ state }) =>
        state === 'DELIVERING' ? { state: 'PENDING', next_attempt_at: nextAttemptAt } : undefined,
      )
    }
  }

  async cancel(subscriptionId: string): Promise<void> {
    const change = { state: 'CANCELLED', next_attempt_at: null }
    await this.#changeAll(filterQuery({ subscriptionId, state: 'PENDING' }), () => change)
  }

  async redeliver(filter: DeliveryFilter, nowMs: number): Promise<number> {
    const unclaimed = { bool: { must_not: [{ term: { state: 'DELIVERING' } }, { term: { is_unmade: true } }] } }
    const count = await this.#changeAll(filterQuery(filter, unclaimed), ({ attempts }) => ({
      state: 'PENDING',
      manual: true,
      earlier_attempts: attempts,
      next_attempt_at: nowMs,
      delivered_at: null,
    }))
    for (const listener of this.#listeners) listener()
    return count
  }

  get(subscriptionId: string, id: string): Promise<readonly Delivery[]> {
    return fromCluster(async () => {
      const ids = [documentId(id, 'webhook'), documentId(id, 'kafka')]
      const records = await this.#index.getAll<DeliveryDocument>(ids)
      return records.flatMap((record) =>
        record?.source.subscription_id === subscriptionId ? [toDelivery(record.source)] : [],
      )
    })
  }

  attempts(id: string, channel: DeliveryChannel): Promise<readonly Attempt[]> {
    return fromCluster(async () => {
      const record = await this.#index.get<DeliveryDocument>(documentId(id, channel))
      return record?.source.attempt_log ?? []
    })
  }

  hasDelivered(subscriptionId: string, channel: DeliveryChannel, sinceS: number): Promise<boolean> {
    return fromCluster(async () => {
      await this.#index.refresh()
      const query = filterQuery(
        { subscriptionId, channel },
        { range: { delivered_at: { gte: sinceS } } },
        { bool: { must_not: [{ term: { type: 'subscription.test' } }] } },
      )
      const { hits } = await this.#index.search<Hits>({ query, size: 1, _source: false })
      return hits.hits.length > 0
    })
  }

  list(
    filter: DeliveryFilter,
    from: number,
    size: number,
  ): Promise<{ total: number; deliveries: readonly Delivery[] }> {
    return fromCluster(async () => {
      await this.#index.refresh()
      const { hits } = await this.#index.search<Hits>({
        query: filterQuery(filter),
        sort: [{ created_at: 'desc' }, { order: 'desc' }],
        from,
        size,
        track_total_hits: true,
        _source: WITHOUT_PAYLOAD,
      })
      return { total: hits.total?.value ?? 0, deliveries: hits.hits.map(({ _source }) => toDelivery(_source)) }
    })
  }

  insertFinished(delivery: Delivery, attempt: Attempt): Promise<void> {
    return fromCluster(async () => {
      const document: DeliveryDocument = {
        ...newDocument(delivery),
        state: delivery.state,
        attempts: delivery.attempts,
        next_attempt_at: null,
        last_status: delivery.lastStatus ?? null,
        last_error: delivery.lastError ?? null,
        delivered_at: delivery.deliveredAt ?? null,
        attempt_log: [attempt],
      }
      await this.#index.put(documentId(delivery.id, delivery.channel), wire(document))
    })
  }

  pendingCount(): Promise<number> {
    return fromCluster(async () => {
      const query = { exists: { field: 'next_attempt_at' } }
      const { hits } = await this.#index.search<Hits>({ query, size: 0, track_total_hits: true })
      return hits.total?.value ?? 0
    })
  }

  clean(createdBeforeS: number): Promise<void> {
    return fromCluster(async () => {
      await this.#index.refresh()
      await this.#index.deleteMatching({
        bool: {
          filter: [{ range: { created_at: { lt: createdBeforeS } } }],
          must_not: [{ exists: { field: 'next_attempt_at' } }],
        },
      })
    })
  }

  onDue(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** The client belongs to the engine. */
  async close(): Promise<void> {}

  async #page(
    query: WireObject,
    sort: readonly WireObject[],
    after: readonly (number | string)[] | undefined,
    size = PAGE,
  ): Promise<{ records: readonly ClusterRecord<DeliveryDocument>[]; last: readonly (number | string)[] | undefined }> {
    const { hits } = await this.#index.search<Hits>({
      query,
      sort,
      size,
      seq_no_primary_term: true,
      _source: WITHOUT_PAYLOAD,
      ...(after === undefined ? {} : { search_after: after }),
    })
    const records = hits.hits.map(({ _id, _source, _seq_no, _primary_term }) => {
      const version: RecordVersion = { seqNo: _seq_no, primaryTerm: _primary_term }
      return { id: _id, source: _source, version }
    })
    return { records, last: hits.hits.at(-1)?.sort }
  }

  /** Changes members of documents that are still as they were read; answers those it changed. */
  async #update(
    changes: readonly { readonly record: ClusterRecord<DeliveryDocument>; readonly change: WireObject }[],
  ): Promise<readonly ClusterRecord<DeliveryDocument>[]> {
    const lines = changes.flatMap(({ record: { id, version }, change }): WireObject[] => [
      { update: { _id: id, if_seq_no: version.seqNo, if_primary_term: version.primaryTerm } },
      { doc: change },
    ])
    const { items } = await this.#index.bulk(lines)
    return changes.flatMap(({ record }, i) => {
      const item = items[i]?.update
      if (item?.error === undefined) return [record]
      if (item.status === 409 || item.status === 404) return []
      throw storeUnavailable(new Error(item.error.type))
    })
  }

  /** One document, read in real time; undefined from `change`: it is left as it is. */
  #change(id: string, change: (document: DeliveryDocument) => object | undefined): Promise<void> {
    return fromCluster(async () => {
      for (let retry = 0; retry <= MOST_RETRIES; retry++) {
        const record = await this.#index.get<DeliveryDocument>(id)
        const members = record === undefined ? undefined : change(record.source)
        if (record === undefined || members === undefined) return
        if ((await this.#update([{ record, change: wire(members) }])).length > 0) return
      }
      throw storeUnavailable(new Error('the delivery is being changed all the time'))
    })
  }

  /** All that match, page by page; those that someone else changed meanwhile are looked at once more. */
  #changeAll(query: WireObject, change: (document: DeliveryDocument) => WireObject): Promise<number> {
    return fromCluster(async () => {
      let count = 0
      for (let retry = 0; retry <= MOST_RETRIES; retry++) {
        await this.#index.refresh()
        let missed = 0
        let after: readonly (number | string)[] | undefined
        do {
          const page = await this.#page(query, [{ created_at: 'asc' }, { order: 'asc' }], after)
          const done = await this.#update(page.records.map((record) => ({ record, change: change(record.source) })))
          count += done.length
          missed += page.records.length - done.length
          after = page.records.length < PAGE ? undefined : page.last
        } while (after !== undefined)
        if (missed === 0) return count
      }
      throw storeUnavailable(new Error('the deliveries are being changed all the time'))
    })
  }
}

function waitingQuery(channel: DeliveryChannel, range: WireObject, passed: ReadonlySet<string>): WireObject {
  return {
    bool: {
      filter: [{ term: { channel } }, { range: { next_attempt_at: { gte: 0, ...range } } }],
      must_not: passed.size === 0 ? [] : [{ terms: { subscription_id: [...passed] } }],
    },
  }
}
