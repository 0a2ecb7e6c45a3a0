import type { StoredAccess } from '../../access/rights/stored-access.ts'
import type { JsonObject } from '../../model/json/document.ts'
import type { ExactInteger } from '../../model/json/exact-integer.ts'

/** Why the server disabled a subscription. */
export type Disabled = {
  readonly reason: 'GONE' | 'EXHAUSTED'
  /** Seconds. */
  readonly at: number
}

/** Content of a subscription set by its writer. Times in seconds. */
export type SubscriptionContent = {
  readonly created_by: string
  readonly active: boolean
  readonly starts_at: number | ExactInteger
  readonly expires_at: number | ExactInteger
  readonly title: string
  readonly subscription: {
    readonly trigger: JsonObject
    readonly callback: string
    readonly hits: { readonly filter: string; readonly projection?: string }
  }
  readonly userMetadatas: JsonObject
}

/** A stored subscription. */
export interface SubscriptionRecord extends SubscriptionContent {
  /** Unique sequence number in the order of creation, never reused. */
  readonly seq: number
  readonly id: string
  /** Grows with every change. */
  readonly version: number
  readonly created_at: number
  readonly modified_at: number
  readonly created_by_admin: boolean
  readonly deleted: boolean
  /** View of its writer. Not visible to clients. */
  readonly access: StoredAccess
  readonly disabled?: Disabled
}

export type NewSubscription = Omit<SubscriptionRecord, 'seq' | 'version'>
