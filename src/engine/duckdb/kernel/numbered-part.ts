import type { Part } from '../segment/part.ts'

/** A part of one of several indices that a plan reads. */
export interface NumberedPart {
  readonly part: Part
  /** Number of the index in the plan. */
  readonly table: number
}

/** A row of a list of parts. */
export interface RowRef {
  /** Index in the list. */
  readonly part: number
  readonly row: number
}
