import type { Attempt, Delivery, DeliveryChannel, DeliveryError, DeliveryState } from './delivery-record.ts'

export interface DeliveryFilter {
  readonly subscriptionId: string
  readonly id?: string
  readonly state?: DeliveryState
  readonly channel?: DeliveryChannel
  /** s, inclusive bounds of the creation. */
  readonly before?: number
  readonly after?: number
}

/** How an attempt ended, and what follows. */
export interface AttemptOutcome {
  readonly attempt: Attempt
  readonly state: 'DELIVERED' | 'FAILED' | 'PENDING'
  /** ms; of a PENDING one. */
  readonly nextAttemptAt?: number
  readonly status?: number
  readonly error?: DeliveryError
  /** s */
  readonly deliveredAt?: number
}

/**
 * The queue of deliveries and its log. A delivery is claimed before it is sent and recorded after; a claim that is not
 * followed by a record runs out, and the delivery is due again. Calls reject with STORE_UNAVAILABLE.
 */
export interface DeliveryStore {
  /**
   * Claims up to `limit` due ones of a channel, oldest first, leaving out held subscriptions; durable before it resolves.
   * They come with the time they were due at.
   */
  claim(
    channel: DeliveryChannel,
    limit: number,
    nowMs: number,
    claimMs: number,
    held: HeldTargets,
  ): Promise<readonly Delivery[]>
  /** When the next one is due whose subscription is not held now; undefined: none that is known of. */
  nextDue(channel: DeliveryChannel, nowMs: number, held: HeldTargets): Promise<number | undefined>
  record(id: string, channel: DeliveryChannel, outcome: AttemptOutcome): Promise<void>
  /** Gives claimed ones back unattempted. */
  release(deliveries: readonly Delivery[]): Promise<void>
  /** Of one subscription: PENDING ones become CANCELLED. */
  cancel(subscriptionId: string): Promise<void>
  /**
   * Makes all that match due now, with a schedule that begins anew; DELIVERING ones are left, and those that could not be
   * made. Answers how many.
   */
  redeliver(filter: DeliveryFilter, nowMs: number): Promise<number>
  get(subscriptionId: string, id: string): Promise<readonly Delivery[]>
  /** Oldest first; of very many the latest. */
  attempts(id: string, channel: DeliveryChannel): Promise<readonly Attempt[]>
  /** Whether one of the subscription, tests aside, was delivered at `sinceS` or later. */
  hasDelivered(subscriptionId: string, channel: DeliveryChannel, sinceS: number): Promise<boolean>
  /** Newest first, with empty payloads. */
  list(filter: DeliveryFilter, from: number, size: number): Promise<{ total: number; deliveries: readonly Delivery[] }>
  /** Stores a finished delivery with its attempt: of a test. */
  insertFinished(delivery: Delivery, attempt: Attempt): Promise<void>
  /** PENDING and DELIVERING. */
  pendingCount(): Promise<number>
  /** Removes finished ones created before. */
  clean(createdBeforeS: number): Promise<void>
  /** Tells that deliveries may be due; answers how to stop that. */
  onDue(listener: () => void): () => void
  close(): Promise<void>
}

/** Why deliveries of a subscription must wait. */
export interface Hold {
  /** What they wait for; all that wait for the same thing are passed by together until it is told of (`takeFreed`). */
  readonly key: string
  /** ms; when it is over by itself. */
  readonly untilMs?: number
}

/** What is known of the targets of deliveries, and which must wait. */
export interface HeldTargets {
  /** The line its deliveries stand in: one for each host. It is also what they wait for when the line is full. */
  lineOf(subscriptionId: string): string
  /** Undefined: the next one may be claimed. */
  holdOf(subscriptionId: string, nowMs: number): Hold | undefined
  /** Called with subscriptions that begin to wait, before they are asked about. */
  learn?(subscriptionIds: readonly string[]): Promise<void>
  /** Told of each that will be claimed, before the next one is asked about: lines get full. */
  onTaken?(subscriptionId: string): void
  /** Keys of holds that may be over, and subscriptions whose target changed, since it was last asked. */
  takeFreed?(): Iterable<string>
  takeMoved?(): Iterable<string>
}

/** Of one delivery no more attempts are kept than this; those to Kafka never end. */
export const MOST_ATTEMPTS_KEPT = 100
