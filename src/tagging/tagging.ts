import type { Failure } from '../engine/tag-store.ts'
import type { NewTagRecord, TagRecord } from '../model/tag-record.ts'
import type { TagAction } from '../model/tag-request.ts'

/** What is told of a request: at once, and whenever its status is asked for (spec tagging 1.10). Times in ms. */
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

/** Which records of a collection a caller sees. */
export interface SeenRecords {
  /** Only those made under this narrowing (`TagRecord.narrowing`); absent: all of them. */
  readonly narrowing?: string | undefined
}

/** With a narrowing, records are numbered among themselves: those of others must not be counted. */
export interface TagListing extends SeenRecords {
  readonly from?: number
  readonly size?: number
}

/** A part of a tag that is done. */
export interface TagBatch {
  readonly action: TagAction
  /** Documents it brought to the wanted state. */
  readonly documents: number
  readonly seconds: number
}

/** Accepts requests, carries them out in the background, and tells how far they are. */
export interface Tagging {
  /** 429 when too many wait, 500 LOG_UNAVAILABLE when the log does not take it; else it is accepted, durably. */
  submit(record: NewTagRecord): Promise<UpdateResponse>
  /** In force, durably, when it resolves. OFFSET_NOT_RETAINED when the log no longer has that offset. */
  replay(collection: string, offset: number): Promise<void>
  /** TAG_REQUEST_NOT_FOUND when the collection has no such request. */
  status(collection: string, id: string, seen?: SeenRecords): Promise<UpdateResponse>
  list(collection: string, options: TagListing): AsyncIterable<TagRecord>
  /** Whether the log knows the name, also of a collection that is gone. */
  hasRecords(collection: string): Promise<boolean>
  /** Records accepted and not finished, by collection. */
  lag(): Promise<ReadonlyMap<string, number>>
  /** `detail` says what is wrong, or how far behind it is. */
  health(): Promise<{ readonly ok: boolean; readonly detail: string }>
  /** Records of the log that could not be read, since the start. */
  readonly badRecords: number
  /** Tells of every batch; answers how to stop that. */
  onBatch(listener: (batch: TagBatch) => void): () => void
  /** Begins to carry out what waits. */
  start(): void
  /** Ends after the batch under way; what is left goes on at the next start. */
  stop(): Promise<void>
}
