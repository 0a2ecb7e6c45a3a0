import { Type } from 'typebox'
import type { JsonObject } from '../../../model/json/document.ts'
import { parseStored } from '../../../model/json/stored-json.ts'
import type { SubscriptionEvent } from '../../record/subscription-event.ts'

/** Serialises an event for storage until it is matched. Keeps the order of its members. */
export function printEvent({ id, collection, event, time, object, document, others }: SubscriptionEvent): string {
  const rest = others ?? { object }
  return JSON.stringify({ id, collection, event, time, ...rest, ...(document === undefined ? {} : { document }) })
}

const string = { type: 'string' }

const StoredEvent = Type.Unsafe<StoredEvent>({
  type: 'object',
  properties: {
    id: string,
    collection: string,
    event: string,
    time: string,
    object: { type: 'object', required: ['id'] },
    document: { type: 'object' },
  },
  required: ['id', 'collection', 'event', 'time', 'object'],
})

/** Parses the output of `printEvent`. */
export function parseEvent(text: string): SubscriptionEvent {
  const { id, collection, event, time, document, ...others } = parseStored(StoredEvent, text, 'event')
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
