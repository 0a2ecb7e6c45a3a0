import type { TagRecord } from '../model/tag-record.ts'
import type { Predicate } from '../query/plan/predicate.ts'
import type { Field } from '../query/schema/field.ts'

/** A record prepared for execution: its filters are resolved against the current collection. */
export interface TagTask {
  readonly record: TagRecord
  /** Run of the collection when the record was chosen. A replay accepted since then has a higher run. */
  readonly run: number
  /** Start time of the status: acceptance of the request, or of the replay that made it run again. */
  readonly startMs: number
  /** Names of existing indices, in name order; at least one. */
  readonly indices: readonly string[]
  /** Documents that get the tag. With propagation they must also have one of the propagated values. */
  readonly target: Predicate
  readonly propagation?: {
    readonly field: Field
    /** Documents whose values of the field are collected. */
    readonly selection: Predicate
  }
  /** Maximum number of documents per unit (update_max_hits). */
  readonly maxHits: number
  /** Path of the document identifier used in failures. */
  readonly idPath: string
  /** Milliseconds. Clock of the step. */
  readonly now: () => number
}

/** A record with a committed plan and an unfinished work list: everything needed to resume it. */
export type TagWork = Pick<TagTask, 'record' | 'run' | 'startMs' | 'indices' | 'idPath' | 'now'>
