import type { WireObject } from '../../../cluster-client/cluster-client.ts'
import type { ClusterIndex } from '../../../storage/cluster-index.ts'
import type { DeliveryChannel } from '../../record/delivery-record.ts'
import { DueListeners } from '../shared/due-listeners.ts'
import type { DeliveryDocument } from './cluster-delivery-document.ts'
import { type DeliveryDocuments, PAGE } from './cluster-delivery-documents.ts'
import { DeliveryPool, type SeenDelivery } from './delivery-pool.ts'

const books = new WeakMap<ClusterIndex, ClusterWaitingDeliveries>()

/** Returns the waiting deliveries of an index, undefined if this process does not send them. */
export const waitingInIndex = (index: ClusterIndex): ClusterWaitingDeliveries | undefined => books.get(index)

/**
 * Milliseconds. Minimum interval between scans for due deliveries: other servers insert too, or leave expired claims.
 */
const SCAN_MS = 1_000
/** Maximum share of time spent on scans. Long scans run less often. */
const SCAN_PART = 0.1
/** Subscriptions per query for their next deliveries. */
const MOST_REFILLED = 64

const MEMBERS = { includes: ['subscription_id', 'next_attempt_at', 'order'] }
const SORT = [{ next_attempt_at: 'asc' }, { order: 'asc' }]

/** Progress of a scan. */
interface Scan {
  readonly after: readonly (number | string)[] | undefined
  readonly spentMs: number
}

/**
 * Known waiting deliveries of an index: those created by this process at once, those of other servers by scans. Claims
 * take deliveries from here, so that they need not search the index.
 */
export class ClusterWaitingDeliveries {
  readonly pools: Readonly<Record<DeliveryChannel, DeliveryPool>> = {
    webhook: new DeliveryPool(),
    kafka: new DeliveryPool(),
  }
  readonly listeners = new DueListeners()
  readonly #index: ClusterIndex
  readonly #documents: DeliveryDocuments
  readonly #scans: Record<DeliveryChannel, Scan | undefined> = { webhook: undefined, kafka: undefined }
  readonly #nextScan: Record<DeliveryChannel, number> = { webhook: 0, kafka: 0 }

  constructor(index: ClusterIndex, documents: DeliveryDocuments) {
    this.#index = index
    this.#documents = documents
    books.set(index, this)
  }

  /** The index has deliveries unknown to this process. */
  scanSoon(): void {
    this.#nextScan.webhook = 0
    this.#nextScan.kafka = 0
    this.listeners.tell()
  }

  /** Reads a page if one is due. Returns false if nothing was read. */
  async read(channel: DeliveryChannel, nowMs: number): Promise<boolean> {
    try {
      return (await this.#refill(channel, nowMs)) || (await this.#scan(channel, nowMs))
    } catch (error) {
      // Restart the scan, which finds what was not read.
      this.#scans[channel] = undefined
      this.#nextScan[channel] = 0
      throw error
    }
  }

  async #refill(channel: DeliveryChannel, nowMs: number): Promise<boolean> {
    const subscriptionIds = this.pools[channel].takeEmpty(MOST_REFILLED)
    if (subscriptionIds.length === 0) return false
    await this.#index.refresh()
    const named = { terms: { subscription_id: subscriptionIds } }
    await this.#page(channel, waitingQuery(channel, nowMs, [named], []), undefined)
    return true
  }

  async #scan(channel: DeliveryChannel, nowMs: number): Promise<boolean> {
    const begunMs = performance.now()
    let scan = this.#scans[channel]
    if (scan === undefined) {
      if (begunMs < this.#nextScan[channel]) return false
      // If `scanSoon` is called during this scan, the next one starts at once.
      this.#nextScan[channel] = Number.POSITIVE_INFINITY
      await this.#index.refresh()
      scan = { after: undefined, spentMs: 0 }
    }
    const leftOut = this.pools[channel].full()
    const after = await this.#page(channel, waitingQuery(channel, nowMs, [], leftOut), scan.after)
    const spentMs = scan.spentMs + performance.now() - begunMs
    this.#scans[channel] = after === undefined ? undefined : { after, spentMs }
    if (after === undefined) {
      const next = performance.now() + Math.max(SCAN_MS, spentMs / SCAN_PART)
      this.#nextScan[channel] = Math.min(this.#nextScan[channel], next)
    }
    return true
  }

  async #page(
    channel: DeliveryChannel,
    query: WireObject,
    after: readonly (number | string)[] | undefined,
  ): Promise<readonly (number | string)[] | undefined> {
    const { records, last } = await this.#documents.page(query, { sort: SORT, after, members: MEMBERS })
    for (const { id, source, version } of records) this.pools[channel].put(seen(id, source, version))
    return records.length < PAGE ? undefined : last
  }
}

/** `next_attempt_at` is always set, because only waiting deliveries are searched. */
export const seen = (
  id: string,
  source: Pick<DeliveryDocument, 'subscription_id' | 'next_attempt_at' | 'order'>,
  version: SeenDelivery['version'],
): SeenDelivery => ({
  id,
  subscriptionId: source.subscription_id,
  version,
  due: source.next_attempt_at ?? 0,
  order: source.order,
})

function waitingQuery(
  channel: DeliveryChannel,
  nowMs: number,
  conditions: readonly WireObject[],
  leftOut: readonly string[],
): WireObject {
  return {
    bool: {
      filter: [{ term: { channel } }, { range: { next_attempt_at: { gte: 0, lte: nowMs } } }, ...conditions],
      must_not: leftOut.length === 0 ? [] : [{ terms: { subscription_id: leftOut } }],
    },
  }
}
