import { createHash } from 'node:crypto'
import type { NewDelivery } from './delivery-record.ts'
import type { EventOutcome, EventSource, PendingEvent, SubscriptionEvent } from './subscription-event.ts'

/** An event to be stored. */
export interface NewEvent extends Omit<PendingEvent, 'position'> {
  /** SHA-256 of its canonical JSON including `document`. Distinguishes duplicates from conflicts. */
  readonly contentHash: string
}

/** Only hashes of an event are kept after it has been matched. */
export const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64url')

/** Result of matching an event. */
export interface MatchOutcome {
  readonly position: number
  readonly state: 'MATCHED' | 'UNRESOLVED'
  /** Number of notifications. */
  readonly matched: number
  readonly reason?: string
}

/**
 * Events waiting to be matched, and the outcomes of matched ones. Calls reject with STORE_UNAVAILABLE. After matching,
 * only ids, hashes and outcomes are kept, for `events.dedupeWindow`.
 */
export interface EventStore {
  /**
   * Stores all events or none, durable when the promise resolves. Returns for each whether it was new. Rejects with
   * EVENT_ID_CONFLICT if one is known with other content. `feed` is the position in a change feed or Kafka partition.
   * It is stored by the same call, so that no event is accepted twice.
   */
  accept(events: readonly NewEvent[], feed?: FeedPosition): Promise<readonly boolean[]>
  /** Returns the content hash of each known event, else undefined. */
  knownHashes(events: readonly EventKey[]): Promise<readonly (string | undefined)[]>
  /** Returns the stored position of a feed, undefined before the first read. */
  feedPosition(name: string): Promise<number | undefined>
  /** Stores the reason for an invalid message, as REJECTED. */
  reject(source: EventSource, id: string, reason: string, feed?: FeedPosition): Promise<void>
  /** Returns the oldest waiting events after a position, in order. */
  pending(after: number, limit: number): Promise<readonly PendingEvent[]>
  /** Number of waiting events. */
  backlog(): Promise<number>
  /** Commits outcomes and deliveries of a batch together. Deliveries with a known id are left unchanged. */
  commit(outcomes: readonly MatchOutcome[], deliveries: readonly NewDelivery[]): Promise<void>
  /** Returns the outcomes of this event id, one per collection. */
  find(id: string): Promise<readonly EventOutcome[]>
  /** Removes events older than the window. */
  clean(olderThanMs: number): Promise<void>
  close(): Promise<void>
}

export interface EventStoreOptions {
  /** `events.dedupeWindow` */
  readonly dedupeMs: number
  readonly now?: () => number
}

export interface EventKey {
  readonly collection: string
  readonly id: string
}

export interface FeedPosition {
  readonly name: string
  readonly position: number
}

export type { SubscriptionEvent }
