import type { Filter } from './filter.ts'
import type { Form, Search } from './search.ts'
import type { Propagation, TagAction, TagValue } from './tag-request.ts'

/** Layout version; records of other versions are not read. */
export const RECORD_VERSION = 1

/** A request as submitted: aliases normalised, no defaults added. */
export type LoggedRequest = {
  readonly tag: { readonly path: string; readonly value?: TagValue | null }
  readonly search?: Search
  readonly filter?: Filter
  readonly partitionFilter?: readonly Filter[]
  readonly propagation?: Propagation
  readonly form?: Form
}

/** An accepted request that is not yet in the log. */
export interface NewTagRecord {
  /** UUID v4. */
  readonly id: string
  readonly collection: string
  readonly action: TagAction
  /** Time of acceptance, milliseconds. */
  readonly creationTime: number
  readonly label?: string
  /** The sender; for audits, and for users who may see the partition filter of the record. */
  readonly principal?: string
  /** Raw value of the partition-filter header. */
  readonly partitionHeader?: string
  /**
   * Digest of the sender's narrowing of the collection; absent if there was none, or in records older than this member.
   */
  readonly narrowing?: string
  readonly request: LoggedRequest
}

/** A record of the log; immutable. */
export interface TagRecord extends NewTagRecord {
  readonly v: typeof RECORD_VERSION
  readonly offset: number
}
