import type { Attempt, Delivery, DeliveryChannel, DeliveryError, DeliveryState } from './delivery-record.ts'

export interface DeliveryFilter {
  readonly subscriptionId: string
  readonly id?: string
  readonly state?: DeliveryState
  readonly channel?: DeliveryChannel
  /** Seconds. Inclusive bounds of the creation time. */
  readonly before?: number
  readonly after?: number
}

/** Result of an attempt and the next state of its delivery. */
export interface AttemptOutcome {
  readonly attempt: Attempt
  readonly state: 'DELIVERED' | 'FAILED' | 'PENDING'
  /** Milliseconds. Set if PENDING. */
  readonly nextAttemptAt?: number
  readonly status?: number
  readonly error?: DeliveryError
  /** Seconds. */
  readonly deliveredAt?: number
}

/**
 * Queue of deliveries with their attempts. A delivery is claimed before it is sent, and its outcome is recorded after.
 * A claim without a recorded outcome expires, and the delivery is due again. Calls reject with STORE_UNAVAILABLE.
 */
export interface DeliveryStore {
  /**
   * Claims up to `limit` due deliveries of a channel, oldest first, without those of held subscriptions. The claims are
   * durable when it resolves. `nextAttemptAt` is the time they were due.
   */
  claim(
    channel: DeliveryChannel,
    limit: number,
    nowMs: number,
    claimMs: number,
    held: HeldTargets,
  ): Promise<readonly Delivery[]>
  /** Returns when the next delivery of a subscription that is not held is due. Undefined: none is known. */
  nextDue(channel: DeliveryChannel, nowMs: number, held: HeldTargets): Promise<number | undefined>
  record(id: string, channel: DeliveryChannel, outcome: AttemptOutcome): Promise<void>
  /** Releases claimed deliveries without an attempt. */
  release(deliveries: readonly Delivery[]): Promise<void>
  /** Marks PENDING deliveries of a subscription as CANCELLED. */
  cancel(subscriptionId: string): Promise<void>
  /**
   * Makes all matching deliveries due now and restarts their schedule. Skips DELIVERING ones and those that could not
   * be created. Returns the number.
   */
  redeliver(filter: DeliveryFilter, nowMs: number): Promise<number>
  get(subscriptionId: string, id: string): Promise<readonly Delivery[]>
  /** Oldest first. If there are too many, only the latest. */
  attempts(id: string, channel: DeliveryChannel): Promise<readonly Attempt[]>
  /** True if a delivery of the subscription, other than a test, succeeded at `sinceS` or later. */
  hasDelivered(subscriptionId: string, channel: DeliveryChannel, sinceS: number): Promise<boolean>
  /** Newest first, with empty payloads. */
  list(filter: DeliveryFilter, from: number, size: number): Promise<{ total: number; deliveries: readonly Delivery[] }>
  /** Stores a finished delivery of a test with its attempt. */
  insertFinished(delivery: Delivery, attempt: Attempt): Promise<void>
  /** Number of PENDING and DELIVERING deliveries. */
  pendingCount(): Promise<number>
  /** Removes finished deliveries created before this time. */
  clean(createdBeforeS: number): Promise<void>
  /** Calls the listener when deliveries may be due. Returns a function that unsubscribes. */
  onDue(listener: () => void): () => void
  close(): Promise<void>
}

/** Reason why deliveries of a subscription must wait. */
export interface Hold {
  /**
   * Identifies what they wait for. Subscriptions with the same key are skipped together until `takeFreed` returns the
   * key.
   */
  readonly key: string
  /** Milliseconds. End of the hold without further notice. */
  readonly untilMs?: number
}

/** State of delivery targets, and which of them must wait. */
export interface HeldTargets {
  /** Returns the queue of its deliveries, one per host. Also the key of the hold while that queue is full. */
  lineOf(subscriptionId: string): string
  /** Returns undefined if the next delivery may be claimed. */
  holdOf(subscriptionId: string, nowMs: number): Hold | undefined
  /** Called with subscriptions that start to wait, before the other methods are called for them. */
  learn?(subscriptionIds: readonly string[]): Promise<void>
  /** Called for each delivery to be claimed, before the next `holdOf`, because queues fill up. */
  onTaken?(subscriptionId: string): void
  /**
   * Return the keys of holds that may have ended and the subscriptions whose target has changed, since the last call.
   */
  takeFreed?(): Iterable<string>
  takeMoved?(): Iterable<string>
}

/** Maximum number of attempts kept per delivery. Retries to Kafka are unlimited. */
export const MOST_ATTEMPTS_KEPT = 100
