import type { RecordVersion } from '../../../storage/cluster-index.ts'
import type { Attempt } from '../../record/delivery-record.ts'
import { ClaimQueue } from '../shared/claim-queue.ts'

/** A waiting delivery, as last read from the index. */
export interface SeenDelivery {
  /** `_id` of its document. */
  readonly id: string
  readonly subscriptionId: string
  readonly version: RecordVersion
  /** Milliseconds. When it is due or its claim expires. */
  readonly due: number
  readonly order: number
  /** Attempts so far. Set if this process has claimed it. */
  readonly attempts?: readonly Attempt[]
}

/** Unclaimed deliveries kept per subscription. More are read once these are used up. */
const MOST_KEPT = 32
/** Maximum number of subscriptions excluded by one query. */
const MOST_LEFT_OUT = 1_000

/** Known waiting deliveries of one channel: the next ones of every subscription. */
export class DeliveryPool {
  readonly queue = new ClaimQueue()
  readonly #seen = new Map<string, SeenDelivery>()
  readonly #bySubscription = new Map<string, SeenDelivery[]>()
  /** Subscriptions with more deliveries in the index than are kept here. */
  readonly #cut = new Set<string>()
  /** Those of them without any unclaimed delivery left here. */
  readonly #empty = new Set<string>()

  get(id: string): SeenDelivery | undefined {
    return this.#seen.get(id)
  }

  /** Adds or updates a delivery. Ignores an older version. */
  put(delivery: SeenDelivery): void {
    const { id, subscriptionId } = delivery
    const known = this.#seen.get(id)
    if (known !== undefined) {
      if (!isNewer(delivery.version, known.version)) return
      this.#drop(known)
    }
    const list = this.#bySubscription.get(subscriptionId) ?? []
    this.#bySubscription.set(subscriptionId, list)
    const at = list.findIndex(
      ({ due, order }) => delivery.due < due || (delivery.due === due && delivery.order < order),
    )
    list.splice(at < 0 ? list.length : at, 0, delivery)
    this.#seen.set(id, delivery)
    this.#empty.delete(subscriptionId)
    const unclaimed = list.filter(({ attempts }) => attempts === undefined)
    const last = unclaimed.at(-1)
    if (last !== undefined && unclaimed.length > MOST_KEPT) {
      this.#cut.add(subscriptionId)
      this.#drop(last)
    }
    this.#place(subscriptionId)
  }

  /** Removes a delivery that no longer waits or is outdated. */
  remove(id: string): void {
    const known = this.#seen.get(id)
    if (known === undefined) return
    this.#drop(known)
    this.#place(known.subscriptionId)
  }

  /** Removes and returns the next delivery of a subscription. */
  take(subscriptionId: string): SeenDelivery | undefined {
    const first = this.#bySubscription.get(subscriptionId)?.[0]
    if (first !== undefined) this.remove(first.id)
    return first
  }

  /** Returns subscriptions with enough known deliveries. Queries can exclude them. */
  full(): readonly string[] {
    const full: string[] = []
    for (const subscriptionId of this.#cut) {
      if (full.length === MOST_LEFT_OUT) break
      if (!this.#empty.has(subscriptionId)) full.push(subscriptionId)
    }
    return full
  }

  /** Removes and returns up to `most` subscriptions whose next deliveries must be read. */
  takeEmpty(most: number): readonly string[] {
    const empty: string[] = []
    for (const subscriptionId of this.#empty) {
      if (empty.length === most) break
      empty.push(subscriptionId)
      this.#empty.delete(subscriptionId)
      this.#cut.delete(subscriptionId)
    }
    return empty
  }

  #drop({ id, subscriptionId }: SeenDelivery): void {
    this.#seen.delete(id)
    const list = this.#bySubscription.get(subscriptionId) ?? []
    list.splice(
      list.findIndex((other) => other.id === id),
      1,
    )
  }

  #place(subscriptionId: string): void {
    const list = this.#bySubscription.get(subscriptionId)
    this.queue.set(subscriptionId, list?.[0])
    if (list?.length === 0) this.#bySubscription.delete(subscriptionId)
    // Claimed deliveries do not count: they stay here until their outcome is recorded.
    const isSpent = list?.every(({ attempts }) => attempts !== undefined) ?? true
    if (isSpent && this.#cut.has(subscriptionId)) this.#empty.add(subscriptionId)
  }
}

const isNewer = (a: RecordVersion, b: RecordVersion): boolean =>
  a.primaryTerm > b.primaryTerm || (a.primaryTerm === b.primaryTerm && a.seqNo > b.seqNo)
