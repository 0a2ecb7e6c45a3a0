import type { DatabaseSync } from 'node:sqlite'
import type { DeliveryChannel } from '../../record/delivery-record.ts'
import { ClaimQueue, type Head } from '../shared/claim-queue.ts'
import { DueListeners } from '../shared/due-listeners.ts'

const books = new WeakMap<DatabaseSync, WaitingDeliveries>()

/** Of a database whose deliveries are being sent; undefined when nobody does. */
export const waitingIn = (database: DatabaseSync): WaitingDeliveries | undefined => books.get(database)

/**
 * Which subscriptions have deliveries that wait, and since when at the earliest: a claim looks here, then up single rows.
 * Times may be too early, as when a transaction was undone, never too late.
 */
export class WaitingDeliveries {
  readonly queues: Readonly<Record<DeliveryChannel, ClaimQueue>> = {
    webhook: new ClaimQueue(),
    kafka: new ClaimQueue(),
  }
  readonly listeners = new DueListeners()
  #added = 0

  constructor(database: DatabaseSync) {
    books.set(database, this)
  }

  added(channel: DeliveryChannel, subscriptionId: string, head: Head): void {
    this.#added += 1
    this.queues[channel].added(subscriptionId, head)
  }

  /** How many were added since it was last asked. */
  takeAdded(): number {
    const added = this.#added
    this.#added = 0
    return added
  }
}
