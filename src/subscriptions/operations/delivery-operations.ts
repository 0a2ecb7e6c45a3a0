import { problem } from '../../errors.ts'
import type { Deliveries } from '../delivery/create-delivery.ts'
import type { Attempt, Delivery, DeliveryChannel } from '../record/delivery-record.ts'
import type { DeliveryFilter, DeliveryStore } from '../record/delivery-store.ts'
import type { SubscriptionRecord } from '../record/subscription-record.ts'
import { checkMadeForView } from '../rights/delivery-view.ts'
import { ManualLimit } from './manual-limit.ts'

/** A delivery with its attempts. */
export interface WholeDelivery {
  readonly delivery: Delivery
  readonly attempts: readonly Attempt[]
}

/** Operations on deliveries of a subscription the caller may read (spec 4.8). */
export interface DeliveryOperations {
  get(subscription: SubscriptionRecord, id: string, channel?: DeliveryChannel): Promise<WholeDelivery>
  redeliver(subscription: SubscriptionRecord, id: string, channel?: DeliveryChannel): Promise<WholeDelivery>
  /** Returns the number of deliveries. */
  redeliverAll(subscription: SubscriptionRecord, filter: Omit<DeliveryFilter, 'subscriptionId'>): Promise<number>
  test(subscription: SubscriptionRecord): Promise<WholeDelivery>
}

/** It was never evaluated whether the subscription may see the document. */
const NEVER_MADE = 'cannot be sent: the filter of its subscription does not match the fields of the collection'

/** `now` returns milliseconds. */
export function createDeliveryOperations(
  { deliveries, dispatcher }: { readonly deliveries: DeliveryStore; readonly dispatcher: Deliveries },
  now: () => number,
): DeliveryOperations {
  const limit = new ManualLimit()

  const find = async (subscription: SubscriptionRecord, id: string, channel?: DeliveryChannel): Promise<Delivery> => {
    const found = await deliveries.get(subscription.id, id)
    const one = found.find((delivery) => channel === undefined || delivery.channel === channel)
    if (one === undefined) throw problem('DELIVERY_NOT_FOUND', { name: id })
    checkMadeForView(subscription, one)
    return one
  }
  const whole = async (delivery: Delivery): Promise<WholeDelivery> => ({
    delivery,
    attempts: await deliveries.attempts(delivery.id, delivery.channel),
  })
  const checkActive = ({ id, active, deleted }: SubscriptionRecord): void => {
    if (!active || deleted) throw problem('SUBSCRIPTION_INACTIVE', { name: id })
  }
  const get: DeliveryOperations['get'] = async (subscription, id, channel) =>
    whole(await find(subscription, id, channel))

  return {
    get,
    async redeliver(subscription, id, channel) {
      const { id: subscriptionId } = subscription
      limit.take(subscriptionId, now())
      const known = await find(subscription, id, channel)
      checkActive(subscription)
      if (known.lastError === 'INVALID_FILTER') throw problem('CONFLICT', { name: id, reason: NEVER_MADE })
      const filter = { subscriptionId, id, channel: known.channel }
      if ((await deliveries.redeliver(filter, now())) === 0) throw problem('DELIVERY_IN_PROGRESS', { name: id })
      const answer = await get(subscription, id, known.channel)
      dispatcher.wake(subscriptionId)
      return answer
    },
    async redeliverAll(subscription, filter) {
      const { id: subscriptionId, access } = subscription
      limit.take(subscriptionId, now())
      checkActive(subscription)
      const { narrowedAt } = access
      const made = narrowedAt === undefined ? {} : { after: Math.max(narrowedAt + 1, filter.after ?? 0) }
      const count = await deliveries.redeliver({ ...filter, ...made, subscriptionId }, now())
      dispatcher.wake(subscriptionId)
      return count
    },
    async test(subscription) {
      limit.take(subscription.id, now())
      return get(subscription, await dispatcher.test(subscription.id))
    },
  }
}
