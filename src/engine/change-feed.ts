/** Kind of change to a document, as seen by the index. */
export type ChangeKind = 'CREATE' | 'UPDATE' | 'DELETE'

/** Change of a document that a subscription is interested in. Kept until `forget`. */
export interface DocumentChange {
  /** Position in the order of changes; increasing. */
  readonly position: number
  /** `load:<load id>` or `tag:<offset>:<run>`. Together with the document identifier it forms the event id. */
  readonly cause: string
  readonly kind: ChangeKind
  readonly index: string
  /** Index-level identifier. */
  readonly id: string
  /** JSON of the document before and after. `before` is present only if requested, and always for a DELETE. */
  readonly before?: string
  readonly after?: string
  /** Milliseconds. Start of the batch that made the change. */
  readonly acceptedMs: number
  /** `mark` of the interest when the change was made. */
  readonly mark: number
}

/** Which changes are of interest. Writers check it before each batch, so changes nobody wants cost nothing. */
export interface ChangeInterest {
  /** `after`: the new state is sufficient. `both`: the former state is needed too. */
  wants(index: string, kind: ChangeKind): 'nothing' | 'after' | 'both'
  /** Highest sequence number of a subscription so far. Stored with the changes. */
  mark(): number
  /** Loads subscriptions registered by other servers. Awaited before a batch if other servers may exist. */
  catchUp?(): Promise<void>
}

/**
 * Document changes in the order they were made. A change is stored if and only if the document was written (on a
 * cluster: it is read only once the write is certain). Several changes of one document in a batch are merged into one.
 */
export interface ChangeFeed {
  watch(interest: ChangeInterest): void
  /** Returns changes after a position, in order. */
  read(after: number, limit: number, signal?: AbortSignal): Promise<readonly DocumentChange[]>
  /** Deletes changes up to a position, once they have been processed durably. */
  forget(upTo: number): Promise<void>
  /** Registers a listener for new changes. Returns a function that unregisters it. */
  onChanges(listener: () => void): () => void
}
