import type { Json, JsonObject } from '../../model/json/document.ts'

/** A validated event with defaults filled in. */
export interface SubscriptionEvent {
  readonly id: string
  readonly collection: string
  readonly event: string
  /** RFC 3339 in UTC with milliseconds. */
  readonly time: string
  readonly object: JsonObject & { readonly id: string | number }
  /** Last state of the document, for DELETE. Never forwarded. */
  readonly document?: JsonObject
  /**
   * All other members and `object`, without `document`, in the order they were sent. Absent if `object` is the only
   * one.
   */
  readonly others?: Readonly<Record<string, Json>>
}

export type EventState = 'PENDING' | 'MATCHED' | 'UNRESOLVED' | 'REJECTED'

export type EventSource = 'load' | 'tag' | 'http' | 'kafka'

/** An event waiting to be matched. */
export interface PendingEvent {
  /** Position in the order of acceptance. */
  readonly position: number
  readonly source: EventSource
  readonly event: SubscriptionEvent
  /** Milliseconds. */
  readonly acceptedMs: number
  /** The highest sequence number of a subscription at the time of acceptance. */
  readonly subscriptionSeq: number
  /** JSON of the document before and after the change, for events of loads and tags. */
  readonly before?: string
  readonly after?: string
  /** The index of that document. */
  readonly index?: string
}

/** Response of `GET /events/{id}`. */
export interface EventOutcome {
  readonly id: string
  readonly collection: string
  readonly event: string
  readonly state: EventState
  /** Seconds. */
  readonly accepted_at: number
  readonly matched?: number
  readonly reason?: string
}
