import type { Json, JsonObject } from '../../model/document.ts'

/** A checked event, defaults filled in. */
export interface SubscriptionEvent {
  readonly id: string
  readonly collection: string
  readonly event: string
  /** RFC 3339 in UTC with milliseconds. */
  readonly time: string
  readonly object: JsonObject & { readonly id: string | number }
  /** Last state of the document, for DELETE; never told on. */
  readonly document?: JsonObject
  /**
   * All members but those above, `document` left out and `object` among them, in the order they were sent; absent when
   * there is none beside `object`.
   */
  readonly others?: Readonly<Record<string, Json>>
}

export type EventState = 'PENDING' | 'MATCHED' | 'UNRESOLVED' | 'REJECTED'

export type EventSource = 'load' | 'tag' | 'http' | 'kafka'

/** An event that waits for matching. */
export interface PendingEvent {
  /** Its place in the order of acceptance. */
  readonly position: number
  readonly source: EventSource
  readonly event: SubscriptionEvent
  /** ms */
  readonly acceptedMs: number
  /** The highest number of a subscription when it was accepted. */
  readonly subscriptionSeq: number
  /** JSON of the document before and after, from the change itself, for events of loads and tags. */
  readonly before?: string
  readonly after?: string
  /** The index of that document. */
  readonly index?: string
}

/** What `GET /events/{id}` tells. */
export interface EventOutcome {
  readonly id: string
  readonly collection: string
  readonly event: string
  readonly state: EventState
  /** s */
  readonly accepted_at: number
  readonly matched?: number
  readonly reason?: string
}
