import type { SubscriptionRecord } from '../../record/subscription-record.ts'

export type ChangeListener = (subscription: SubscriptionRecord) => void

/** Listeners for written subscriptions. */
export class ChangeListeners {
  readonly #listeners = new Set<ChangeListener>()

  add(listener: ChangeListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  tell(subscription: SubscriptionRecord): void {
    for (const listener of this.#listeners) listener(subscription)
  }
}
