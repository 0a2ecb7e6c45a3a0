import type { Delivery } from '../record/delivery-record.ts'
import type { DeliveryStore } from '../record/delivery-store.ts'
import type { Disabled } from '../record/subscription-record.ts'
import type { SubscriptionStore } from '../record/subscription-store.ts'

/**
 * Disables a subscription whose target is gone or never answers. Leaves it enabled if its callback has changed, since
 * nothing is known about the new one. Returns true if the callback is unchanged.
 */
export async function switchOff(
  subscriptions: SubscriptionStore,
  id: string,
  callback: string,
  disabled: Disabled,
): Promise<boolean> {
  const after = await subscriptions.change(id, (current) => {
    if (!current.active || current.deleted || current.subscription.callback !== callback) return undefined
    return { ...current, active: false, modified_at: disabled.at, disabled }
  })
  return after?.subscription.callback === callback
}

/** True if the subscription received nothing since the schedule of this delivery began (spec 4.5 rule 2). */
export async function isExhausted(store: DeliveryStore, delivery: Delivery, lastAtS: number): Promise<boolean> {
  const attempts = await store.attempts(delivery.id, delivery.channel)
  const first = attempts.find(({ number }) => number > delivery.earlierAttempts)
  return !(await store.hasDelivered(delivery.subscriptionId, delivery.channel, first?.at ?? lastAtS))
}
