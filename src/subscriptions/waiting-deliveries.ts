import type { DatabaseSync } from 'node:sqlite'
import type { DeliveryChannel } from './delivery-record.ts'
import type { HeldTargets } from './delivery-store.ts'

const books = new WeakMap<DatabaseSync, WaitingDeliveries>()

/** Of a database whose deliveries are being sent; undefined when nobody does. */
export const waitingIn = (database: DatabaseSync): WaitingDeliveries | undefined => books.get(database)

/**
 * Which subscriptions have deliveries that wait, and since when at the earliest. A claim looks here first, so that a
 * million deliveries of a subscription that is held are not read to find those of the next one. Times may be too early,
 * as when a transaction was undone, never too late.
 */
export class WaitingDeliveries {
  readonly #earliest: Readonly<Record<DeliveryChannel, Map<string, number>>> = { webhook: new Map(), kafka: new Map() }
  readonly #listeners = new Set<() => void>()
  #isTelling = false
  #added = 0

  constructor(database: DatabaseSync) {
    books.set(database, this)
  }

  added(channel: DeliveryChannel, subscriptionId: string, due: number): void {
    this.#added += 1
    this.moved(channel, subscriptionId, due)
  }

  /** One of them may be due at this time. */
  moved(channel: DeliveryChannel, subscriptionId: string, due: number): void {
    const earliest = this.#earliest[channel]
    const known = earliest.get(subscriptionId)
    if (known === undefined || due < known) earliest.set(subscriptionId, due)
  }

  /** What is known for certain now; undefined: none waits. */
  set(channel: DeliveryChannel, subscriptionId: string, due: number | undefined): void {
    if (due === undefined) this.#earliest[channel].delete(subscriptionId)
    else this.#earliest[channel].set(subscriptionId, due)
  }

  /** How many were added since it was last asked. */
  takeAdded(): number {
    const added = this.#added
    this.#added = 0
    return added
  }

  /** Subscriptions with something due, those that wait longest first, at most `limit` of them. */
  due(
    channel: DeliveryChannel,
    nowMs: number,
    limit: number,
    held: HeldTargets,
  ): readonly (readonly [subscriptionId: string, due: number])[] {
    // Kept in order while it grows: of a hundred thousand that are due, most are passed by with one comparison.
    const found: (readonly [string, number])[] = []
    let latest = nowMs
    for (const entry of this.#earliest[channel]) {
      const [subscriptionId, due] = entry
      if (due > latest || (found.length === limit && due === latest)) continue
      if (held.isHeld(subscriptionId, nowMs)) continue
      const place = found.findLastIndex((other) => other[1] <= due) + 1
      found.splice(place, 0, entry)
      if (found.length > limit) found.pop()
      if (found.length === limit) latest = found.at(-1)?.[1] ?? nowMs
    }
    return found
  }

  next(channel: DeliveryChannel, nowMs: number, held: HeldTargets): number | undefined {
    let next: number | undefined
    for (const [subscriptionId, due] of this.#earliest[channel]) {
      if ((next === undefined || due < next) && !held.isHeld(subscriptionId, nowMs)) next = due
    }
    return next
  }

  onDue(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Once for all of a turn, and after whatever transaction is under way. */
  tell(): void {
    if (this.#isTelling) return
    this.#isTelling = true
    setImmediate(() => {
      this.#isTelling = false
      for (const listener of this.#listeners) listener()
    })
  }
}
