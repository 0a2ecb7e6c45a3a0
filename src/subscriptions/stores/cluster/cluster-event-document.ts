import type { WireObject } from '../../../cluster-client/cluster-client.ts'
import { type EventKey, type NewEvent, sha256 } from '../../record/event-store.ts'
import type { EventOutcome, EventSource, EventState, PendingEvent } from '../../record/subscription-event.ts'
import { parseEvent, printEvent } from '../shared/stored-event.ts'

/** Indexed members. All others are only stored. */
export const EVENT_PROPERTIES = {
  position: { type: 'long' },
  id_hash: { type: 'keyword' },
  state: { type: 'keyword' },
  accepted_ms: { type: 'long' },
} as const satisfies WireObject

/** Document of an event. `body`, `before`, `after` and `in_index` are set until it is matched. */
export type EventDocument = {
  readonly position: number
  readonly id_hash: string
  readonly collection: string
  readonly content_hash: string
  readonly kind: string
  readonly source: EventSource
  readonly state: EventState
  readonly accepted_ms: number
  readonly subscription_seq: number
  readonly matched: number | null
  readonly reason: string | null
  readonly body: string | null
  readonly before: string | null
  readonly after: string | null
  readonly in_index: string | null
}

export const eventDocumentId = ({ collection, id }: EventKey): string => sha256(`${collection}\0${id}`)

export function newEventDocument(event: NewEvent, position: number): EventDocument {
  const { id, collection, event: kind } = event.event
  return {
    position,
    id_hash: sha256(id),
    collection,
    content_hash: event.contentHash,
    kind,
    source: event.source,
    state: 'PENDING',
    accepted_ms: event.acceptedMs,
    subscription_seq: event.subscriptionSeq,
    matched: null,
    reason: null,
    body: printEvent(event.event),
    before: event.before ?? null,
    after: event.after ?? null,
    in_index: event.index ?? null,
  }
}

export function rejectedDocument(source: EventSource, id: string, reason: string, now: number): EventDocument {
  return {
    position: 0,
    id_hash: sha256(id),
    collection: '',
    content_hash: '',
    kind: '',
    source,
    state: 'REJECTED',
    accepted_ms: now,
    subscription_seq: 0,
    matched: null,
    reason,
    body: null,
    before: null,
    after: null,
    in_index: null,
  }
}

export const toPendingEvent = (document: EventDocument): PendingEvent => ({
  position: document.position,
  source: document.source,
  event: parseEvent(document.body ?? '{}'),
  acceptedMs: document.accepted_ms,
  subscriptionSeq: document.subscription_seq,
  ...(document.before === null ? {} : { before: document.before }),
  ...(document.after === null ? {} : { after: document.after }),
  ...(document.in_index === null ? {} : { index: document.in_index }),
})

export const toEventOutcome = (id: string, document: EventDocument): EventOutcome => ({
  id,
  collection: document.collection,
  event: document.kind,
  state: document.state,
  accepted_at: Math.floor(document.accepted_ms / 1000),
  ...(document.matched === null ? {} : { matched: document.matched }),
  ...(document.reason === null ? {} : { reason: document.reason }),
})
