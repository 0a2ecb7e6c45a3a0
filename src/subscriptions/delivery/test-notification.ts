import { randomBytes, randomUUID } from 'node:crypto'
import type { DeliveryChannel, NewDelivery } from '../record/delivery-record.ts'
import type { SubscriptionRecord } from '../record/subscription-record.ts'

const TYPE = 'subscription.test'

/** The message that `_test` sends (spec 4.8 rule 3): of no collection and no document. */
export function testNotification(
  { id, subscription, userMetadatas }: SubscriptionRecord,
  channel: DeliveryChannel,
  nowMs: number,
): NewDelivery {
  const eventId = `evt_${randomUUID()}`
  const time = new Date(nowMs).toISOString()
  const payload = JSON.stringify({
    type: TYPE,
    timestamp: time,
    id: eventId,
    event: 'TEST',
    time,
    object: {},
    data: {},
    subscription: { id, callback: subscription.callback },
    user_metadata: userMetadatas,
  })
  return {
    id: `msg_${randomBytes(16).toString('hex')}`,
    subscriptionId: id,
    channel,
    eventId,
    collection: '',
    documentId: '',
    type: TYPE,
    payload,
    createdAt: Math.floor(nowMs / 1000),
  }
}
