import { randomBytes, randomUUID } from 'node:crypto'
import type { DeliveryChannel, NewDelivery } from '../record/delivery-record.ts'
import type { SubscriptionRecord } from '../record/subscription-record.ts'

const TYPE = 'subscription.test'

/** The message sent by `_test` (spec 4.8 rule 3), without collection and document. */
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
