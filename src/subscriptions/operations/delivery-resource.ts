import type { SubscriptionLinks } from '../../model/subscription.ts'
import type { Attempt, Delivery } from '../record/delivery-record.ts'
import type { Side } from '../rights/subscription-caller.ts'
import { link, linksOf, subscriptionUrl } from './subscription-links.ts'

/** Options of the representation of a delivery. */
interface DeliveryPlace {
  readonly base: string
  readonly side: Side
  /** True if the reader must not learn which document the delivery is about. */
  readonly hidesDocument?: boolean
}

const deliveriesUrl = ({ base, side }: DeliveryPlace, subscriptionId: string): string =>
  `${subscriptionUrl(base, side, subscriptionId)}/deliveries`

/** Representation of a delivery in a list (spec 4.8). Times in seconds. */
export function deliveryResource(delivery: Delivery, place: DeliveryPlace): Readonly<Record<string, unknown>> {
  const { document_id: _document, ...others } = members(delivery)
  return { ...(place.hidesDocument ? others : members(delivery)), _links: deliveryLinks(delivery, place) }
}

/** Same, with attempts and payload. */
export function wholeDeliveryResource(
  delivery: Delivery,
  attempts: readonly Attempt[],
  place: DeliveryPlace,
): Readonly<Record<string, unknown>> {
  return {
    ...members(delivery),
    attempt_log: attempts.map(attemptResource),
    // A delivery that could not be created has no payload.
    ...(delivery.payload === '' ? {} : { payload: JSON.parse(delivery.payload) }),
    _links: deliveryLinks(delivery, place),
  }
}

function members(delivery: Delivery): Readonly<Record<string, unknown>> {
  const { nextAttemptAt, lastStatus, lastError, deliveredAt } = delivery
  return {
    id: delivery.id,
    subscription_id: delivery.subscriptionId,
    channel: delivery.channel,
    event_id: delivery.eventId,
    // A test has no collection and no document.
    ...(delivery.collection === '' ? {} : { collection: delivery.collection }),
    ...(delivery.documentId === '' ? {} : { document_id: delivery.documentId }),
    type: delivery.type,
    state: delivery.state,
    attempts: delivery.attempts,
    created_at: delivery.createdAt,
    ...(nextAttemptAt === undefined ? {} : { next_attempt_at: Math.floor(nextAttemptAt / 1000) }),
    ...(deliveredAt === undefined ? {} : { delivered_at: deliveredAt }),
    ...(lastStatus === undefined ? {} : { last_status: lastStatus }),
    ...(lastError === undefined ? {} : { last_error: lastError }),
  }
}

const attemptResource = ({ number, at, durationMs, status, error, cause }: Attempt) => ({
  number,
  at,
  duration_ms: durationMs,
  ...(status === undefined ? {} : { status }),
  ...(error === undefined ? {} : { error }),
  cause,
})

function deliveryLinks({ id, subscriptionId }: Delivery, place: DeliveryPlace): SubscriptionLinks {
  const list = deliveriesUrl(place, subscriptionId)
  const self = `${list}/${encodeURIComponent(id)}`
  return linksOf([link('self', self), link('list', list), link('redeliver', `${self}/_redeliver`, 'POST')])
}
