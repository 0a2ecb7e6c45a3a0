import { createHash } from 'node:crypto'
import type { NewDelivery } from './delivery-record.ts'
import type { EventOutcome, EventSource, PendingEvent, SubscriptionEvent } from './subscription-event.ts'

/** An event on its way into the store. */
export interface NewEvent extends Omit<PendingEvent, 'position'> {
  /** SHA-256 of its canonical JSON, `document` included: tells duplicates from conflicts. */
  readonly contentHash: string
}

/** Of an event only hashes stay when it has been matched. */
export const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64url')

/** How the events of a batch ended. */
export interface MatchOutcome {
  readonly position: number
  readonly state: 'MATCHED' | 'UNRESOLVED'
  /** Notifications made of it. */
  readonly matched: number
  readonly reason?: string
}

/**
 * Events that wait for matching, and what became of them. Calls reject with STORE_UNAVAILABLE when it cannot be reached.
 * After matching only ids, hashes and outcomes are kept, for `events.dedupeWindow`.
 */
export interface EventStore {
  /**
   * All or none; durable when the promise resolves. Answers for each whether it was new; EVENT_ID_CONFLICT when one is
   * known with other content. `feed`: how far a feed of changes, or a Kafka partition, has been read with them; stored
   * in the same step, so that none is taken twice.
   */
  accept(events: readonly NewEvent[], feed?: FeedPosition): Promise<readonly boolean[]>
  /** Of each the content hash, when it is known; else undefined. */
  knownHashes(events: readonly EventKey[]): Promise<readonly (string | undefined)[]>
  /** How far a feed was read; undefined before the first. */
  feedPosition(name: string): Promise<number | undefined>
  /** A message that is no event: kept with its reason, as REJECTED. */
  reject(source: EventSource, id: string, reason: string, feed?: FeedPosition): Promise<void>
  /** Of those that wait, the oldest beyond a position, in order. */
  pending(after: number, limit: number): Promise<readonly PendingEvent[]>
  /** How many wait. */
  backlog(): Promise<number>
  /** Outcomes and deliveries of a batch, committed together; deliveries whose id is known are left as they are. */
  commit(outcomes: readonly MatchOutcome[], deliveries: readonly NewDelivery[]): Promise<void>
  /** Of every collection that has an event with this id. */
  find(id: string): Promise<readonly EventOutcome[]>
  /** Removes what is older than the window. */
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
