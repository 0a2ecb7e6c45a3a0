import type { DatabaseSync } from 'node:sqlite'
import type { DeliveryChannel } from '../../record/delivery-record.ts'
import { ClaimQueue, type Head } from '../shared/claim-queue.ts'
import { DueListeners } from '../shared/due-listeners.ts'

const books = new WeakMap<DatabaseSync, WaitingDeliveries>()

/** Returns the waiting deliveries of a database, undefined if they are not being sent. */
export const waitingIn = (database: DatabaseSync): WaitingDeliveries | undefined => books.get(database)

/**
 * Subscriptions with waiting deliveries and the earliest due time of each. A claim looks here first, then reads single
 * rows. Times may be too early, e.g. after a rollback, but never too late.
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

  /** Returns how many were added since the last call. */
  takeAdded(): number {
    const added = this.#added
    this.#added = 0
    return added
  }
}
