import type { NewSubscription, SubscriptionRecord } from './subscription-record.ts'

/** Filter of a list. Absent members match everything. Times in seconds. */
export interface SubscriptionFilter {
  readonly before?: number
  readonly after?: number
  readonly active?: boolean
  readonly started?: boolean
  readonly expired?: boolean
  readonly deleted?: boolean
  readonly createdBy?: string
  readonly createdByAdmin?: boolean
  /** Seconds. Used by `started` and `expired`. */
  readonly now: number
}

export interface SubscriptionPage {
  readonly total: number
  /** Latest creation time first, then latest insertion first. */
  readonly subscriptions: readonly SubscriptionRecord[]
}

/** Storage of subscriptions. Calls reject with STORE_UNAVAILABLE (503, Retry-After: 5) if it is unreachable. */
export interface SubscriptionStore {
  /** Assigns the sequence number. Durable, and known to the matcher of this process, when the promise resolves. */
  insert(subscription: NewSubscription): Promise<SubscriptionRecord>
  get(id: string): Promise<SubscriptionRecord | undefined>
  /**
   * Updates a subscription and returns the stored record. `change` may be called again after a concurrent write; it
   * returns undefined to leave the record unchanged.
   */
  change(
    id: string,
    change: (current: SubscriptionRecord) => SubscriptionRecord | undefined,
  ): Promise<SubscriptionRecord | undefined>
  list(filter: SubscriptionFilter, from: number, size: number): Promise<SubscriptionPage>
  /** Number of subscriptions of a user that are not deleted. */
  countOf(createdBy: string): Promise<number>
  /**
   * The highest sequence number assigned so far, 0 if none. Synchronous because it is read when an event is accepted.
   */
  lastSeq(): number
  /** Returns all subscriptions that are not deleted, for the matcher's index. */
  readAll(): AsyncIterable<SubscriptionRecord>
  /** Calls the listener for every write: of this process at once, of others when `catchUp` finds it. */
  onChange(listener: (subscription: SubscriptionRecord) => void): () => void
  /** Reads what other processes wrote since the last call. Does nothing for a store that is not shared. */
  catchUp(): Promise<void>
  close(): Promise<void>
}
