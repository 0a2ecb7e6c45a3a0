/** What happened to a document, as the index sees it. */
export type ChangeKind = 'CREATE' | 'UPDATE' | 'DELETE'

/** A change of a document that someone asked to hear of; kept until it has been taken up. */
export interface DocumentChange {
  /** Its place in the order of changes; grows. */
  readonly position: number
  /** `load:<load id>` or `tag:<offset>:<run>`; with the document's identifier, the id of the event. */
  readonly cause: string
  readonly kind: ChangeKind
  readonly index: string
  /** Index-level identifier. */
  readonly id: string
  /** JSON of the document before and after; the former only when it was asked for, and always of a DELETE. */
  readonly before?: string
  readonly after?: string
  /** ms; start of the batch that made it. */
  readonly acceptedMs: number
  /** `mark` of the interest at that time. */
  readonly mark: number
}

/** Which changes someone may want to hear of. Writers ask before each batch; what nobody wants costs nothing. */
export interface ChangeInterest {
  /** `after`: the new state is enough; `both`: the former one is needed too. */
  wants(index: string, kind: ChangeKind): 'nothing' | 'after' | 'both'
  /** Kept with the changes: the highest sequence number of a subscription so far. */
  mark(): number
  /** Learns what other servers have heard of; awaited before a batch where there may be some. */
  catchUp?(): Promise<void>
}

/**
 * The changes of documents in the order they were made, written with the documents: one is there if and only if the
 * change is (on a cluster: read only once the change is certain). Several changes of one document in one batch are one.
 */
export interface ChangeFeed {
  watch(interest: ChangeInterest): void
  /** Changes beyond a position, in order. */
  read(after: number, limit: number, signal?: AbortSignal): Promise<readonly DocumentChange[]>
  /** Forgets those up to a position: they have been taken up durably. */
  forget(upTo: number): Promise<void>
  /** Tells that changes came; answers how to stop that. */
  onChanges(listener: () => void): () => void
}
