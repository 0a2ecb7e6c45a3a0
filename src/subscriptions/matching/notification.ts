import { createHash } from 'node:crypto'
import type { SubscriptionEvent } from '../record/subscription-event.ts'
import type { WatchedSubscription } from '../watched/watched-subscription.ts'

/** Members of an event that a notification sets itself. */
const OWN = new Set(['id', 'collection', 'event', 'time', 'document'])
const OVERWRITTEN = new Set(['type', 'timestamp', 'data', 'subscription', 'user_metadata'])

/** Returns for example `hit.update`. */
export const notificationType = (kind: string): string => `hit.${kind.toLowerCase().replaceAll(/[^a-z0-9_]/g, '_')}`

/** Returns the common beginning of all notifications of an event (spec 4.2), up to but excluding `data`. */
export function notificationStart(event: SubscriptionEvent): string {
  const { id, collection, event: kind, time, object, others = { object } } = event
  const members: string[] = [
    member('type', notificationType(kind)),
    member('timestamp', time),
    member('id', id),
    member('collection', collection),
    member('event', kind),
    member('time', time),
  ]
  for (const [name, value] of Object.entries(others)) {
    if (!OWN.has(name) && !OVERWRITTEN.has(name)) members.push(member(name, value))
  }
  return `{${members.join(',')}`
}

const member = (name: string, value: unknown): string => `${JSON.stringify(name)}:${JSON.stringify(value)}`

interface PayloadLimits {
  /** Maximum size of a notification in bytes. */
  readonly maxPayload: number
  /** URL of the document. */
  readonly href: () => string
}

/** Returns the notification as compact JSON. `data` is JSON text. */
export function notificationText(
  start: string,
  data: string,
  { ending }: Pick<WatchedSubscription, 'ending'>,
  { maxPayload, href }: PayloadLimits,
): string {
  const text = `${start},"data":${data},${ending}}`
  // A UTF-16 code unit takes at most three bytes in UTF-8.
  if (text.length * 3 <= maxPayload || Buffer.byteLength(text) <= maxPayload) return text
  const omitted = { bytes: Buffer.byteLength(data), href: href() }
  return `${start},"data":{},"data_omitted":${JSON.stringify(omitted)},${ending}}`
}

/**
 * Returns the `webhook-id`, which is the same whenever the same match is made. `place` is the number of earlier hits of
 * the identifier.
 */
export function webhookId(
  subscriptionId: string,
  { collection, id }: Pick<SubscriptionEvent, 'collection' | 'id'>,
  identifier: string,
  place: number,
): string {
  const hit = place === 0 ? identifier : `${identifier}:${place}`
  const digest = createHash('sha256').update([subscriptionId, collection, id, hit].join('\0')).digest('hex')
  return `msg_${digest.slice(0, 32)}`
}
