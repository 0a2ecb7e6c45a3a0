import type { ClusterClient, WireObject } from '../engine/cluster/cluster-client.ts'
import { ClusterIndex, type ClusterRecord } from '../storage/cluster-index.ts'
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
import { DeliveryDocuments, type Hits, PAGE, WITHOUT_PAYLOAD } from './cluster-delivery-documents.ts'
import type { Attempt, Delivery, DeliveryChannel } from './delivery-record.ts'
import {
  type AttemptOutcome,
  type DeliveryFilter,
  type DeliveryStore,
  type HeldTargets,
  MOST_ATTEMPTS_KEPT,
} from './delivery-store.ts'
import { fromCluster } from './store-problem.ts'

export { createDeliveries } from './cluster-delivery-document.ts'

/** The index of deliveries; one object for all who write to it in a process. */
export const deliveryIndex = (client: ClusterClient, prefix: string): ClusterIndex =>
  new ClusterIndex({
    client,
    name: `${prefix}deliveries`,
    properties: DELIVERY_PROPERTIES,
    settings: DELIVERY_INDEX_SETTINGS,
  })

/** Deliveries in an index, which several servers may share: a claim is a compare-and-set. */
export function clusterDeliveryStore(index: ClusterIndex): DeliveryStore {
  return new ClusterDeliveryStore(index)
}

class ClusterDeliveryStore implements DeliveryStore {
  readonly #index: ClusterIndex
  readonly #documents: DeliveryDocuments
  readonly #listeners = new Set<() => void>()

  constructor(index: ClusterIndex) {
    this.#index = index
    this.#documents = new DeliveryDocuments(index)
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
      const done = await this.#documents.update(found.map((record) => ({ record, change })))
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
      const page = await this.#documents.page(
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
        const { records } = await this.#documents.page(
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
    return this.#documents.change(documentId(id, channel), ({ attempt_log }) => ({
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
      await this.#documents.change(documentId(id, channel), ({ state }) =>
        state === 'DELIVERING' ? { state: 'PENDING', next_attempt_at: nextAttemptAt } : undefined,
      )
    }
  }

  async cancel(subscriptionId: string): Promise<void> {
    const change = { state: 'CANCELLED', next_attempt_at: null }
    await this.#documents.changeAll(filterQuery({ subscriptionId, state: 'PENDING' }), () => change)
  }

  async redeliver(filter: DeliveryFilter, nowMs: number): Promise<number> {
    const unclaimed = { bool: { must_not: [{ term: { state: 'DELIVERING' } }, { term: { is_unmade: true } }] } }
    const count = await this.#documents.changeAll(filterQuery(filter, unclaimed), ({ attempts }) => ({
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
}

function waitingQuery(channel: DeliveryChannel, range: WireObject, passed: ReadonlySet<string>): WireObject {
  return {
    bool: {
      filter: [{ term: { channel } }, { range: { next_attempt_at: { gte: 0, ...range } } }],
      must_not: passed.size === 0 ? [] : [{ terms: { subscription_id: [...passed] } }],
    },
  }
}
