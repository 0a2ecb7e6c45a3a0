import { LRUCache } from 'lru-cache'
import { problem } from '../../errors.ts'

const MOST = 10
const MINUTE = 60_000
/** Number of subscriptions remembered. The least recently used are evicted. */
const MOST_KEPT = 10_000

/** Limits manual redeliveries and tests to ten per minute and subscription (spec 4.8 rule 4). */
export class ManualLimit {
  /** Bounded by size, because `max` would allocate all entries at once. */
  readonly #taken = new LRUCache<string, readonly number[]>({ maxSize: MOST_KEPT, sizeCalculation: () => 1 })

  /** Throws TOO_MANY_REQUESTS after ten within the last minute. */
  take(subscriptionId: string, nowMs: number): void {
    const recent = (this.#taken.get(subscriptionId) ?? []).filter((at) => at > nowMs - MINUTE)
    const [first] = recent
    if (first !== undefined && recent.length >= MOST) {
      const seconds = Math.max(1, Math.ceil((first + MINUTE - nowMs) / 1000))
      const reason = `A subscription allows at most ${MOST} redeliveries and tests per minute`
      throw problem('TOO_MANY_REQUESTS', { reason }, { 'Retry-After': String(seconds) })
    }
    this.#taken.set(subscriptionId, [...recent, nowMs])
  }
}
