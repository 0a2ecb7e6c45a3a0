import type { JsonObject } from '../../../model/document.ts'
import type { SubscriptionEvent } from '../../record/subscription-event.ts'

/** An event as stores keep it until it has been matched: its members in their order. */
export function printEvent({ id, collection, event, time, object, document, others }: SubscriptionEvent): string {
  const rest = others ?? { object }
  return JSON.stringify({ id, collection, event, time, ...rest, ...(document === undefined ? {} : { document }) })
}

/** Reads what `printEvent` wrote. */
export function parseEvent(text: string): SubscriptionEvent {
  const { id, collection, event, time, document, ...others }: StoredEvent = JSON.parse(text)
  const { object } = others
  return {
    id,
    collection,
    event,
    time,
    object,
    ...(document === undefined ? {} : { document }),
    ...(Object.keys(others).length > 1 ? { others } : {}),
  }
}

interface StoredEvent extends JsonObject {
  readonly id: string
  readonly collection: string
  readonly event: string
  readonly time: string
  readonly object: SubscriptionEvent['object']
  readonly document: JsonObject
}
