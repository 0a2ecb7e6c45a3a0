import { problem } from '../../errors.ts'

const MOST = 10
const MINUTE = 60_000
/** Beyond so many, subscriptions nobody asked for lately are forgotten. */
const MOST_KEPT = 10_000

/** Redeliveries and tests that people ask for: ten per minute and subscription (spec 4.8 rule 4). */
export class ManualLimit {
  readonly #taken = new Map<string, readonly number[]>()

  /** Throws TOO_MANY_REQUESTS when there were ten within the last minute. */
  take(subscriptionId: string, nowMs: number): void {
    const recent = (this.#taken.get(subscriptionId) ?? []).filter((at) => at > nowMs - MINUTE)
    const [first] = recent
    if (first !== undefined && recent.length >= MOST) {
      const seconds = Math.max(1, Math.ceil((first + MINUTE - nowMs) / 1000))
      const reason = `At most ${MOST} redeliveries and tests of a subscription are taken in a minute`
      throw problem('TOO_MANY_REQUESTS', { reason }, { 'Retry-After': String(seconds) })
    }
    this.#taken.delete(subscriptionId)
    this.#taken.set(subscriptionId, [...recent, nowMs])
    for (const [oldest] of this.#taken) {
      if (this.#taken.size <= MOST_KEPT) break
      this.#taken.delete(oldest)
    }
  }
}
