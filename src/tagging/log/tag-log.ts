import type { NewTagRecord, TagRecord } from '../../model/tag-record.ts'

/** An offset per collection; 0 where there is none. */
export type Positions = ReadonlyMap<string, number>

/**
 * The ordered log of accepted requests: one sequence of offsets over all collections, nothing of it ever changes. Its
 * calls reject with LOG_UNAVAILABLE (500, Retry-After: 5) when it cannot be reached or has not taken the record.
 */
export interface TagLog {
  /** `sqlite`, `index` or `kafka`. */
  readonly kind: string
  /** The record is durable when the promise resolves. */
  append(record: NewTagRecord): Promise<TagRecord>
  find(id: string): Promise<TagRecord | undefined>
  /** The first record of the collection at `from` or beyond it. */
  next(collection: string, from: number): Promise<TagRecord | undefined>
  /** How many records of the collection are at `from` or beyond it. */
  count(collection: string, from: number): Promise<number>
  /** The first record of each collection at its position or beyond it; of those that have one. */
  heads(positions: Positions): Promise<readonly TagRecord[]>
  /** How many records of each collection that has any are at its position or beyond it. */
  counts(positions: Positions): Promise<ReadonlyMap<string, number>>
  /** The collection's own records from `from` on, oldest first, at most `size` of them. */
  list(collection: string, options?: { readonly from?: number; readonly size?: number }): AsyncIterable<TagRecord>
  /** The lowest offset that is kept; 0 unless a retention has removed records. */
  firstOffset(): Promise<number>
  /** Never hands out an offset below it: the highest position the document store knows. Called once, before all else. */
  raise(lowest: number): Promise<void>
  /**
   * Removes records from the head as long as they were made before a time and are finished; answers the lowest offset
   * kept then. Absent where the log has a retention of its own.
   */
  trim?(createdBefore: number, isFinished: (record: TagRecord) => boolean): Promise<number>
  /** Tells of records that came, from this process or another; answers how to stop that. */
  onRecords(listener: () => void): () => void
  /** `detail` says, when it is not, why the log cannot be used. */
  health(): Promise<{ readonly ok: boolean; readonly detail: string }>
  /** Records that could not be read and were skipped, since the start. */
  readonly badRecords: number
  close(): Promise<void>
}
