import type { Filter } from './filter.ts'
import type { Form, Search } from './search.ts'
import type { Propagation, TagAction, TagValue } from './tag-request.ts'

/** Layout of a record; one of another version is not read. */
export const RECORD_VERSION = 1

/** A request as it was submitted: spellings normalised, no defaults added. */
export interface LoggedRequest {
  readonly tag: { readonly path: string; readonly value?: TagValue | null }
  readonly search?: Search
  readonly filter?: Filter
  readonly partitionFilter?: readonly Filter[]
  readonly propagation?: Propagation
  readonly form?: Form
}

/** An accepted request before the log has given it its place. */
export interface NewTagRecord {
  /** UUID v4. */
  readonly id: string
  readonly collection: string
  readonly action: TagAction
  /** Acceptance, ms. */
  readonly creationTime: number
  readonly label?: string
  /** Who sent it; for audits, and for those who may see its partition filter. */
  readonly principal?: string
  /** The partition-filter header in force, raw. */
  readonly partitionHeader?: string
  /** Digest of what narrowed the sender's view of the collection; absent: nothing did, or it was not yet kept. */
  readonly narrowing?: string
  readonly request: LoggedRequest
}

/** A record of the log; immutable. */
export interface TagRecord extends NewTagRecord {
  readonly v: typeof RECORD_VERSION
  readonly offset: number
}
