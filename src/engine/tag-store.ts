import type { TagTask, TagWork } from './tag-task.ts'

/** How far the records of a collection have been executed. */
export interface TagPosition {
  readonly collection: string
  /** Grows with every replay; 0 at first. */
  readonly run: number
  /** The lowest offset that is not executed; 0 at first. */
  readonly nextOffset: number
  /** Replays that still tell something; the latest last. */
  readonly replays: readonly TagReplay[]
}

export interface TagReplay {
  readonly run: number
  readonly fromOffset: number
  /** ms */
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

export interface Failure {
  readonly id: string
  readonly message: string
  readonly type: FailureType
}

/** What is known of a request that has been planned; stored with its effects. */
export interface TagStatus {
  readonly id: string
  readonly offset: number
  readonly collection: string
  readonly run: number
  /** Units of the plan. */
  readonly propagated: number
  /** Units done, failed ones included. */
  readonly nbRequest: number
  readonly updated: number
  readonly failed: number
  /** The first 1,000, in order. */
  readonly failures: readonly Failure[]
  /**
   * The part of a unit that is done beyond those of `nbRequest`, as a fraction; more than a whole where units are done
   * several at once. Both 0 between units.
   */
  readonly unitDone: number
  readonly unitTotal: number
  readonly startMs: number
  /** Of the last committed step. */
  readonly endMs: number
  readonly finished: boolean
}

/** Failures kept with a status; `failed` counts all. */
export const KEPT_FAILURES = 1_000

/**
 * Where tagging keeps what must commit with its effects: positions, plans, statuses; and the one place that changes
 * documents. One implementation per engine. Faults that may pass (engine away, disk full) are rejections that
 * `isTransient` knows.
 */
export interface TagStore {
  /**
   * Resolves when this process may execute; on a cluster one does at a time. `lost` of the answer aborts when it may no
   * longer; `resign` lets another one.
   */
  lead(signal: AbortSignal): Promise<Leadership>

  position(collection: string): Promise<TagPosition>
  positions(): Promise<readonly TagPosition[]>
  /** position := min(position, fromOffset), run + 1, remembered; durable and all at once. */
  replay(collection: string, fromOffset: number, acceptedMs: number): Promise<void>
  /** Undefined until the request has been planned or has failed. */
  status(id: string): Promise<TagStatus | undefined>

  /** The collection's record that is planned and not finished; the caller reads the record from the log. */
  underWay(collection: string): Promise<UnderWay | undefined>
  /** PLAN: values, documents per unit, work list; committed at once, with the status. A plan of no units is finished by it. */
  plan(task: TagTask, signal: AbortSignal): Promise<TagStatus>
  /** APPLY of one batch, or what is left; the last one includes FINISH. */
  apply(work: TagWork, signal: AbortSignal): Promise<TagStatus>
  /** Ends the request with a failure of the whole, and FINISH. What was changed stays. */
  fail(work: Omit<TagWork, 'indices' | 'idPath'>, failure: Failure): Promise<TagStatus>

  /** Whether a call may succeed when it is repeated. */
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
