import type { RecordVersion } from '../../../storage/cluster-index.ts'
import type { Attempt } from '../../record/delivery-record.ts'
import { ClaimQueue } from '../shared/claim-queue.ts'

/** A delivery that waits, as it was last seen in the index. */
export interface SeenDelivery {
  /** Of its document. */
  readonly id: string
  readonly subscriptionId: string
  readonly version: RecordVersion
  /** ms; when it is due, or its claim runs out. */
  readonly due: number
  readonly order: number
  /** Of one that this process claimed: its attempts so far. */
  readonly attempts?: readonly Attempt[]
}

/** Of one subscription: others are read once these are gone. */
const MOST_KEPT = 32
/** Left out by one query. */
const MOST_LEFT_OUT = 1_000

/** Deliveries of one channel that wait in an index, as far as they are known: the next ones of every subscription. */
export class DeliveryPool {
  readonly queue = new ClaimQueue()
  readonly #seen = new Map<string, SeenDelivery>()
  readonly #bySubscription = new Map<string, SeenDelivery[]>()
  /** Subscriptions with more in the index than is kept here. */
  readonly #cut = new Set<string>()
  /** Those of them of which nothing is left here. */
  readonly #empty = new Set<string>()

  get(id: string): SeenDelivery | undefined {
    return this.#seen.get(id)
  }

  /** What is seen now; an older state changes nothing. */
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

  /** It waits no more, or is not known any more. */
  remove(id: string): void {
    const known = this.#seen.get(id)
    if (known === undefined) return
    this.#drop(known)
    this.#place(known.subscriptionId)
  }

  /** The next one of a subscription; it is no longer in the pool. */
  take(subscriptionId: string): SeenDelivery | undefined {
    const first = this.#bySubscription.get(subscriptionId)?.[0]
    if (first !== undefined) this.remove(first.id)
    return first
  }

  /** Subscriptions of which enough is known: a query can leave them out. */
  full(): readonly string[] {
    const full: string[] = []
    for (const subscriptionId of this.#cut) {
      if (full.length === MOST_LEFT_OUT) break
      if (!this.#empty.has(subscriptionId)) full.push(subscriptionId)
    }
    return full
  }

  /** Subscriptions of which more is to be read, at most so many; they are not named again. */
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
    // Those under way do not count: they are known until they are recorded.
    const isSpent = list?.every(({ attempts }) => attempts !== undefined) ?? true
    if (isSpent && this.#cut.has(subscriptionId)) this.#empty.add(subscriptionId)
  }
}

const isNewer = (a: RecordVersion, b: RecordVersion): boolean =>
  a.primaryTerm > b.primaryTerm || (a.primaryTerm === b.primaryTerm && a.seqNo > b.seqNo)
