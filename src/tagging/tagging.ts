import type { Failure } from '../engine/tag-store.ts'
import type { NewTagRecord, TagRecord } from '../model/tag-record.ts'
import type { TagAction } from '../model/tag-request.ts'

/** Response to a request and to status queries (spec tagging 1.10). Times in milliseconds. */
export interface UpdateResponse {
  readonly id: string
  readonly label?: string
  readonly action: TagAction
  readonly failures?: readonly Failure[]
  readonly failed: number
  readonly updated: number
  readonly progress: number
  readonly nbRequest: number
  readonly propagated: number
  readonly startTime: number
  readonly endTime: number
  readonly processingTimeMs: number
}

/** Which records of a collection a caller may see. */
export interface SeenRecords {
  /** Only records made under this narrowing (`TagRecord.narrowing`). Absent: all records. */
  readonly narrowing?: string | undefined
}

/** With a narrowing, its records are renumbered, so that offsets do not reveal how many others exist. */
export interface TagListing extends SeenRecords {
  readonly from?: number
  readonly size?: number
}

/** A completed part of a tag. */
export interface TagBatch {
  readonly action: TagAction
  /** Number of updated documents. */
  readonly documents: number
  readonly seconds: number
}

/** Accepts tag requests, executes them in the background and reports their progress. */
export interface Tagging {
  /** Accepts a request durably. Rejects with 429 if too many are waiting, 500 LOG_UNAVAILABLE if the log fails, 503 if the cluster is away. */
  submit(record: NewTagRecord): Promise<UpdateResponse>
  /** Durable when it resolves. Rejects with OFFSET_NOT_RETAINED if the log no longer has that offset. */
  replay(collection: string, offset: number): Promise<void>
  /** Rejects with TAG_REQUEST_NOT_FOUND if the collection has no such request. */
  status(collection: string, id: string, seen?: SeenRecords): Promise<UpdateResponse>
  list(collection: string, options: TagListing): AsyncIterable<TagRecord>
  /** True if the log has records of this name, even if the collection no longer exists. */
  hasRecords(collection: string): Promise<boolean>
  /** Number of accepted, unfinished records by collection. */
  lag(): Promise<ReadonlyMap<string, number>>
  /** `detail` describes the problem or the backlog. */
  health(): Promise<{ readonly ok: boolean; readonly detail: string }>
  /** Unreadable log records since the start. */
  readonly badRecords: number
  /** Calls the listener for every batch. Returns a function that unsubscribes. */
  onBatch(listener: (batch: TagBatch) => void): () => void
  /** Starts to execute waiting records. */
  start(): void
  /** Waits for the current batch. The rest continues at the next start. */
  stop(): Promise<void>
}
