import type { TagTask, TagWork } from './tag-task.ts'

/** Execution progress of the tag records of a collection. */
export interface TagPosition {
  readonly collection: string
  /** Incremented by every replay; starts at 0. */
  readonly run: number
  /** Lowest offset not executed yet; starts at 0. */
  readonly nextOffset: number
  /** Replays that are still relevant; the latest is last. */
  readonly replays: readonly TagReplay[]
}

export type TagReplay = {
  readonly run: number
  readonly fromOffset: number
  /** Milliseconds. */
  readonly acceptedMs: number
}

export type FailureType =
  | 'LIMIT_EXCEEDED'
  | 'COLLECTION_NOT_FOUND'
  | 'INDEX_NOT_FOUND'
  | 'FIELD_NOT_TAGGABLE'
  | 'INVALID_FILTER'
  | 'PATH_MISMATCH'
  | 'VALUE_REFUSED'
  | 'CONFLICT'
  | 'INTERNAL_ERROR'

export type Failure = {
  readonly id: string
  readonly message: string
  readonly type: FailureType
}

/** Progress of a planned request; stored with its effects. */
export type TagStatus = {
  readonly id: string
  readonly offset: number
  readonly collection: string
  readonly run: number
  /** Number of units in the plan. */
  readonly propagated: number
  /** Number of units done, including failed ones. */
  readonly nbRequest: number
  readonly updated: number
  readonly failed: number
  /** The first 1,000 failures, in order. */
  readonly failures: readonly Failure[]
  /**
   * Progress within the units that are not yet counted in `nbRequest`, as numerator and denominator. May exceed 1 if
   * several units are processed at once. Both are 0 between units.
   */
  readonly unitDone: number
  readonly unitTotal: number
  readonly startMs: number
  /** Time of the last committed step. */
  readonly endMs: number
  readonly finished: boolean
}

/** Maximum number of failures stored with a status; `failed` counts all. */
export const KEPT_FAILURES = 1_000

/**
 * Storage for the state of tagging that must commit with its effects: positions, plans and statuses. Also the only
 * component that changes documents. One implementation per engine. Transient faults (engine unavailable, disk full) are
 * rejections for which `isTransient` returns true.
 */
export interface TagStore {
  /**
   * Resolves when this process may execute; on a cluster, only one process may at a time. `lost` of the result aborts
   * when the process may no longer execute; `resign` hands over to another process.
   */
  lead(signal: AbortSignal): Promise<Leadership>

  position(collection: string): Promise<TagPosition>
  positions(): Promise<readonly TagPosition[]>
  /** Sets position to min(position, fromOffset) and run to run + 1, and stores the replay. Durable and atomic. */
  replay(collection: string, fromOffset: number, acceptedMs: number): Promise<void>
  /** Undefined until the request has been planned or has failed. */
  status(id: string): Promise<TagStatus | undefined>

  /**
   * Returns the record of the collection that is planned but not finished. The caller reads the record from the log.
   */
  underWay(collection: string): Promise<UnderWay | undefined>
  /**
   * PLAN: stores values, documents per unit, work list and status in one commit. A plan with no units is finished at
   * once.
   */
  plan(task: TagTask, signal: AbortSignal): Promise<TagStatus>
  /** APPLY: processes one batch, or the remaining part. The last batch includes FINISH. */
  apply(work: TagWork, signal: AbortSignal): Promise<TagStatus>
  /** Ends the request with a failure of the whole request, then FINISH. Changes already made are kept. */
  fail(work: Omit<TagWork, 'indices' | 'idPath'>, failure: Failure): Promise<TagStatus>

  /** True if a call may succeed on retry. */
  isTransient(error: unknown): boolean
  close(): Promise<void>
}

export interface UnderWay {
  readonly collection: string
  readonly offset: number
  readonly run: number
  readonly startMs: number
  readonly indices: readonly string[]
  readonly idPath: string
}

export interface Leadership {
  readonly lost: AbortSignal
  resign(): Promise<void>
}
