import type { StoredAccess } from '../../access/stored-access.ts'
import type { JsonObject } from '../../model/document.ts'
import type { ExactInteger } from '../../model/exact-integer.ts'

/** Why Periplus switched a subscription off. */
export interface Disabled {
  readonly reason: 'GONE' | 'EXHAUSTED'
  /** s */
  readonly at: number
}

/** What the sender of a subscription says; times in seconds. */
export interface SubscriptionContent {
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

/** A subscription as it is stored. */
export interface SubscriptionRecord extends SubscriptionContent {
  /** In the order of creation; unique, and never given twice. */
  readonly seq: number
  readonly id: string
  /** Grows with every change. */
  readonly version: number
  readonly created_at: number
  readonly modified_at: number
  readonly created_by_admin: boolean
  readonly deleted: boolean
  /** What narrowed the view of its writer; never shown. */
  readonly access: StoredAccess
  readonly disabled?: Disabled
}

export type NewSubscription = Omit<SubscriptionRecord, 'seq' | 'version'>
