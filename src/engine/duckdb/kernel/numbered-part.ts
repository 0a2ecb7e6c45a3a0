import type { Part, PartOutline } from '../segment/part.ts'

/** A part of one of several indices that a plan reads. */
export interface NumberedPart<P extends PartOutline = Part> {
  readonly part: P
  /** Number of the index in the plan. */
  readonly table: number
}

/** A row of a list of parts. */
export interface RowRef {
  /** Index in the list. */
  readonly part: number
  readonly row: number
}
