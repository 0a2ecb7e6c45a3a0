import type { TagRecord } from '../model/tag-record.ts'
import type { Predicate } from '../query/plan/predicate.ts'
import type { Field } from '../query/schema/field.ts'

/** A record made ready for execution: filters resolved against the collection as it is now. */
export interface TagTask {
  readonly record: TagRecord
  /** Run of the collection it was chosen under; a replay accepted since then has a later one. */
  readonly run: number
  /** Of the status: acceptance of the request, or of the replay that made it run again. */
  readonly startMs: number
  /** Names of existing indices, in name order; at least one. */
  readonly indices: readonly string[]
  /** Documents that get the tag; with propagation also: that have one of the values. */
  readonly target: Predicate
  readonly propagation?: {
    readonly field: Field
    /** Documents whose values of the field are collected. */
    readonly selection: Predicate
  }
  /** The largest number of documents of one unit (update_max_hits). */
  readonly maxHits: number
  /** Where documents hold the identifier that failures name. */
  readonly idPath: string
  /** ms; the clock when the step began. */
  readonly now: () => number
}

/** A record whose plan is committed and whose work list is not done: all that is needed to go on with it. */
export type TagWork = Pick<TagTask, 'record' | 'run' | 'startMs' | 'indices' | 'idPath' | 'now'>
