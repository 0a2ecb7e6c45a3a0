import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ClusterClient } from '../../../cluster-client/cluster-client.ts'
import { ClusterIndex, type RecordVersion } from '../../../storage/cluster-index.ts'
import type { Attempt, Delivery, DeliveryChannel, DeliveryState } from '../../record/delivery-record.ts'
import {
  type AttemptOutcome,
  type DeliveryFilter,
  type DeliveryStore,
  type HeldTargets,
  MOST_ATTEMPTS_KEPT,
} from '../../record/delivery-store.ts'
import { JoinedCalls } from '../shared/joined-calls.ts'
import { fromCluster } from '../shared/store-problem.ts'
import {
  DELIVERY_INDEX_SETTINGS,
  DELIVERY_PROPERTIES,
  type DeliveryDocument,
  documentId,
  filterQuery,
  newDocument,
  toDelivery,
} from './cluster-delivery-document.ts'
import {
  DeliveryDocuments,
  type DocumentChange,
  type Hits,
  PAGE,
  WITHOUT_PAYLOAD,
} from './cluster-delivery-documents.ts'
import { ClusterWaitingDeliveries, seen } from './cluster-waiting-deliveries.ts'
import type { SeenDelivery } from './delivery-pool.ts'

export { createDeliveries } from './create-cluster-deliveries.ts'

/** The index of deliveries. All writers of a process share one object. */
export const deliveryIndex = (client: ClusterClient, prefix: string): ClusterIndex =>
  new ClusterIndex({
    client,
    name: `${prefix}deliveries`,
    properties: DELIVERY_PROPERTIES,
    settings: DELIVERY_INDEX_SETTINGS,
  })

/** Deliveries in an index that several servers may share. A claim is a compare-and-set. */
export function clusterDeliveryStore(index: ClusterIndex): DeliveryStore {
  return new ClusterDeliveryStore(index)
}

class ClusterDeliveryStore implements DeliveryStore {
  readonly #index: ClusterIndex
  readonly #documents: DeliveryDocuments
  readonly #waiting: ClusterWaitingDeliveries
  readonly #updates: JoinedCalls<DocumentChange, RecordVersion | undefined>

  constructor(index: ClusterIndex) {
    this.#index = index
    this.#documents = new DeliveryDocuments(index)
    this.#waiting = new ClusterWaitingDeliveries(index, this.#documents)
    this.#updates = new JoinedCalls(
      (changes) => fromCluster(async () => (await this.#documents.update(changes)).map((changed) => changed?.version)),
      PAGE,
    )
  }

  claim(
    channel: DeliveryChannel,
    limit: number,
    nowMs: number,
    claimMs: number,
    held: HeldTargets,
  ): Promise<readonly Delivery[]> {
    const { queue } = this.#waiting.pools[channel]
    return fromCluster(async () => {
      let isRead = false
      while (limit > 0) {
        isRead = !(await this.#waiting.read(channel, nowMs))
        await queue.prepare(held)
        const claimed = await this.#take(channel, this.#pick(channel, limit, nowMs, held), nowMs, claimMs)
        if (claimed.length > 0) return claimed
        if (isRead && !queue.hasFresh && !queue.hasDue(nowMs)) break
        await nextTurn()
      }
      return []
    })
  }

  /** Removes the deliveries to claim from the pool. */
  #pick(channel: DeliveryChannel, limit: number, nowMs: number, held: HeldTargets): readonly SeenDelivery[] {
    const pool = this.#waiting.pools[channel]
    const picked: SeenDelivery[] = []
    const passed = { count: 0 }
    while (picked.length < limit) {
      const subscriptionId = pool.queue.next(nowMs, held, passed)
      const delivery = subscriptionId === undefined ? undefined : pool.take(subscriptionId)
      if (subscriptionId === undefined || delivery === undefined) break
      held.onTaken?.(subscriptionId)
      picked.push(delivery)
    }
    return picked
  }

  /** The first writer gets the claim. Deliveries claimed by other servers are ignored until a scan finds them again. */
  async #take(
    channel: DeliveryChannel,
    picked: readonly SeenDelivery[],
    nowMs: number,
    claimMs: number,
  ): Promise<readonly Delivery[]> {
    const pool = this.#waiting.pools[channel]
    const due = nowMs + claimMs
    const change = { state: 'DELIVERING', next_attempt_at: due }
    const claim = ({ id, version }: SeenDelivery): DocumentChange => ({ id, version, change, isRead: true })
    try {
      const changed = await this.#documents.update(picked.map(claim))
      return picked.flatMap((delivery, i) => {
        const { version, source } = changed[i] ?? {}
        if (version === undefined || source === undefined) return []
        pool.put({ ...delivery, version, due, attempts: source.attempt_log })
        return [{ ...toDelivery(source), nextAttemptAt: delivery.due }]
      })
    } catch (error) {
      for (const delivery of picked) pool.put(delivery)
      throw error
    }
  }

  async nextDue(channel: DeliveryChannel, nowMs: number, held: HeldTargets): Promise<number | undefined> {
    const { queue } = this.#waiting.pools[channel]
    do await queue.prepare(held)
    while (queue.hasFresh)
    return queue.nextDue(nowMs, held)
  }

  record(id: string, channel: DeliveryChannel, outcome: AttemptOutcome): Promise<void> {
    const { attempt, state, nextAttemptAt, status, error, deliveredAt } = outcome
    return this.#change(documentId(id, channel), channel, (attempts) => ({
      state,
      attempts: attempt.number,
      manual: false,
      next_attempt_at: state === 'PENDING' ? (nextAttemptAt ?? null) : null,
      last_status: status ?? null,
      last_error: error ?? null,
      delivered_at: deliveredAt ?? null,
      attempt_log: [...attempts, attempt].slice(-MOST_ATTEMPTS_KEPT),
    }))
  }

  async release(deliveries: readonly Delivery[]): Promise<void> {
    const release = ({ id, channel, nextAttemptAt = 0 }: Delivery): Promise<void> =>
      this.#change(documentId(id, channel), channel, (_attempts, current = 'DELIVERING') =>
        current === 'DELIVERING' ? { state: 'PENDING', next_attempt_at: nextAttemptAt } : undefined,
      )
    await Promise.all(deliveries.map(release))
  }

  /** A delivery claimed by this process is usually unchanged, so it is updated without reading it first. */
  async #change(
    id: string,
    channel: DeliveryChannel,
    change: (attempts: readonly Attempt[], state?: DeliveryState) => DeliveryChange | undefined,
  ): Promise<void> {
    const pool = this.#waiting.pools[channel]
    const known = pool.get(id)
    const members = known?.attempts === undefined ? undefined : change(known.attempts)
    if (known !== undefined && members !== undefined) {
      const version = await this.#updates.call({ id, version: known.version, change: members })
      if (version !== undefined) {
        const { attempts: _claimed, ...seen } = known
        if (members.next_attempt_at === null) pool.remove(id)
        else pool.put({ ...seen, version, due: members.next_attempt_at })
        return
      }
    }
    const written = await this.#documents.change(id, ({ attempt_log, state }) => change(attempt_log, state))
    if (written === undefined) return
    if (written.source.next_attempt_at === null) pool.remove(id)
    else pool.put(seen(id, written.source, written.version))
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
    this.#waiting.scanSoon()
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
      await this.#index.put(documentId(delivery.id, delivery.channel), document)
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
    return this.#waiting.listeners.add(listener)
  }

  /** The client belongs to the engine. */
  async close(): Promise<void> {}
}

/** Members that an attempt changes. */
type DeliveryChange = Partial<DeliveryDocument> & Pick<DeliveryDocument, 'next_attempt_at'>
