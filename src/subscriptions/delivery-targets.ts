import type { Channel } from './delivery-channel.ts'
import type { HeldTargets } from './delivery-store.ts'
import type { HostLines } from './host-lines.ts'
import type { SubscriptionRecord } from './subscription-record.ts'

/**
 * What is known of the subscriptions deliveries belong to, and which must wait: switched off, asked to pause, without
 * consent, or with lines that are full. Unknown ones are not held: they become known once one of theirs is claimed.
 */
export class DeliveryTargets implements HeldTargets {
  readonly #channel: Channel
  readonly #lines: HostLines
  readonly #known = new Map<string, { readonly subscription: SubscriptionRecord; readonly host: string }>()
  readonly #pauses = new Map<string, number>()
  /** Claimed by the claim under way. */
  readonly #comingByHost = new Map<string, number>()
  readonly #comingBySubscription = new Map<string, number>()
  #coming = 0

  constructor(channel: Channel, lines: HostLines) {
    this.#channel = channel
    this.#lines = lines
  }

  learn(subscription: SubscriptionRecord): void {
    this.#known.set(subscription.id, { subscription, host: this.#channel.hostOf(subscription) })
  }

  /** Of those known already: others are looked up when they are needed. */
  relearn(subscription: SubscriptionRecord): void {
    if (this.#known.has(subscription.id)) this.learn(subscription)
  }

  forget(subscriptionId: string): void {
    this.#known.delete(subscriptionId)
    this.#pauses.delete(subscriptionId)
  }

  pause(subscriptionId: string, untilMs: number): void {
    this.#pauses.set(subscriptionId, Math.max(untilMs, this.#pauses.get(subscriptionId) ?? 0))
  }

  /** Someone wants it to go on. */
  resume(subscriptionId: string): void {
    this.#pauses.delete(subscriptionId)
  }

  /** It was switched off because its target is gone. */
  isGone(subscriptionId: string): boolean {
    const subscription = this.#find(subscriptionId)
    return subscription?.active === false && subscription.disabled?.reason === 'GONE'
  }

  /** When the next pause ends. */
  nextEnd(nowMs: number): number | undefined {
    let next: number | undefined
    for (const [subscriptionId, until] of this.#pauses) {
      if (until <= nowMs) this.#pauses.delete(subscriptionId)
      else if (next === undefined || until < next) next = until
    }
    return next
  }

  /** Nothing is on its way to the lines any more. */
  arrived(): void {
    this.#comingByHost.clear()
    this.#comingBySubscription.clear()
    this.#coming = 0
  }

  onTaken(subscriptionId: string): void {
    const host = this.#hostOf(subscriptionId)
    this.#coming += 1
    this.#comingByHost.set(host, (this.#comingByHost.get(host) ?? 0) + 1)
    this.#comingBySubscription.set(subscriptionId, (this.#comingBySubscription.get(subscriptionId) ?? 0) + 1)
  }

  isHeld(subscriptionId: string, nowMs: number): boolean {
    const subscription = this.#find(subscriptionId)
    // Of a deleted one they are claimed, to be cancelled.
    if (subscription?.deleted === true) return false
    if (this.isWaiting(subscriptionId, nowMs)) return true
    const host = this.#hostOf(subscriptionId)
    return !this.#lines.hasRoom(host, subscriptionId, {
      all: this.#coming,
      ofHost: this.#comingByHost.get(host) ?? 0,
      ofSubscription: this.#comingBySubscription.get(subscriptionId) ?? 0,
    })
  }

  /** Whether its deliveries must wait for something else than their turn. */
  isWaiting(subscriptionId: string, nowMs: number): boolean {
    const subscription = this.#find(subscriptionId)
    if (subscription?.active === false) return true
    if ((this.#pauses.get(subscriptionId) ?? 0) > nowMs) return true
    return subscription !== undefined && this.#channel.mayCall?.(subscription, nowMs) === false
  }

  #find(subscriptionId: string): SubscriptionRecord | undefined {
    return this.#known.get(subscriptionId)?.subscription
  }

  #hostOf(subscriptionId: string): string {
    // One that is not known has a line of its own until it is.
    return this.#known.get(subscriptionId)?.host ?? `?${subscriptionId}`
  }
}
