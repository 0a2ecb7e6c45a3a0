import type { NewSubscription, SubscriptionRecord } from './subscription-record.ts'

/** What a list keeps; members that are absent keep all. Times in seconds. */
export interface SubscriptionFilter {
  readonly before?: number
  readonly after?: number
  readonly active?: boolean
  readonly started?: boolean
  readonly expired?: boolean
  readonly deleted?: boolean
  readonly createdBy?: string
  readonly createdByAdmin?: boolean
  /** s; for `started` and `expired`. */
  readonly now: number
}

export interface SubscriptionPage {
  readonly total: number
  /** Latest created first, then newest insertion first. */
  readonly subscriptions: readonly SubscriptionRecord[]
}

/** Where subscriptions live. Calls reject with STORE_UNAVAILABLE (503, Retry-After: 5) when it cannot be reached. */
export interface SubscriptionStore {
  /** Gives it its number; durable, and known to matchers of this process, when the promise resolves. */
  insert(subscription: NewSubscription): Promise<SubscriptionRecord>
  get(id: string): Promise<SubscriptionRecord | undefined>
  /** `change` may be called again when someone else was faster; undefined: nothing to do. Answers what is stored then. */
  change(
    id: string,
    change: (current: SubscriptionRecord) => SubscriptionRecord | undefined,
  ): Promise<SubscriptionRecord | undefined>
  list(filter: SubscriptionFilter, from: number, size: number): Promise<SubscriptionPage>
  /** Those of one user that are not deleted. */
  countOf(createdBy: string): Promise<number>
  /** The highest number given so far; 0 when none was. At once: asked when an event is accepted. */
  lastSeq(): number
  /** Everything not deleted, for the matcher's index. */
  readAll(): AsyncIterable<SubscriptionRecord>
  /** Tells of every subscription written, by this process at once, by others when `catchUp` found it. */
  onChange(listener: (subscription: SubscriptionRecord) => void): () => void
  /** Looks for what other processes wrote since the last time; does nothing where there are none. */
  catchUp(): Promise<void>
  close(): Promise<void>
}
