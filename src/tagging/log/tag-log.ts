import type { TagPosition, TagStore } from '../../engine/tag-store.ts'
import type { NewTagRecord, TagRecord } from '../../model/tag-record.ts'

/** An offset per collection, 0 if absent. */
export type Positions = ReadonlyMap<string, number>

/**
 * Ordered, append-only log of accepted requests, with one sequence of offsets over all collections. Calls reject with
 * LOG_UNAVAILABLE (500, Retry-After: 5) if the log is unreachable or did not accept the record, or with
 * ENGINE_UNAVAILABLE (503) if it is in a cluster that cannot be reached.
 */
export interface TagLog {
  /** `sqlite`, `index` or `kafka`. */
  readonly kind: string
  /** The record is durable when the promise resolves. */
  append(record: NewTagRecord): Promise<TagRecord>
  find(id: string): Promise<TagRecord | undefined>
  /** Returns the first record of the collection with an offset >= `from`. */
  next(collection: string, from: number): Promise<TagRecord | undefined>
  /** Returns the number of records of the collection with an offset >= `from`. */
  count(collection: string, from: number): Promise<number>
  /** Returns the first record of each collection at or after its position. Omits collections without one. */
  heads(positions: Positions): Promise<readonly TagRecord[]>
  /** Returns the number of records at or after the position, for each collection with records. */
  counts(positions: Positions): Promise<ReadonlyMap<string, number>>
  /** Records of the collection from `from` on, oldest first, at most `size`. */
  list(collection: string, options?: { readonly from?: number; readonly size?: number }): AsyncIterable<TagRecord>
  /** Returns the lowest retained offset, 0 unless retention has removed records. */
  firstOffset(): Promise<number>
  /**
   * Never assigns an offset below `lowest`, the highest position in the document store. Called once, before all else.
   */
  raise(lowest: number): Promise<void>
  /**
   * Removes records from the beginning of the log while they are finished and older than `createdBefore`. Returns the
   * lowest retained offset. Absent if the log applies retention itself.
   */
  trim?(createdBefore: number, isFinished: (record: TagRecord) => boolean): Promise<number>
  /** Calls the listener for new records of any process. Returns a function that unsubscribes. */
  onRecords(listener: () => void): () => void
  /** If not ok, `detail` says why the log cannot be used. */
  health(): Promise<{ readonly ok: boolean; readonly detail: string }>
  /** Unreadable records skipped since the start. */
  readonly badRecords: number
  close(): Promise<void>
}

/** Returns the lowest offset not yet executed, by collection. */
export async function readPositions(store: TagStore): Promise<Positions> {
  return offsetsOf(await store.positions())
}

export function offsetsOf(positions: readonly TagPosition[]): Positions {
  return new Map(positions.map(({ collection, nextOffset }) => [collection, nextOffset]))
}
