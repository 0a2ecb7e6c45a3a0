import type { Field } from '../../../query/schema/field.ts'
import type { Column } from './column.ts'
import type { LiveRows } from './live-rows.ts'

/** Rows of an index as one reader sees them: a segment, or a tail up to a length. Immutable. */
export interface Part {
  /** Rows are numbered from 0 to `rows` - 1, dead ones included. */
  readonly rows: number
  readonly live: LiveRows
  /**
   * Path of the GEO_POINT or GEO_SHAPE whose Morton keys the rows are sorted by; rows without a key come last. Absent in
   * tails and if the index has no such field.
   */
  readonly sortedBy?: string
  /** Returns the column of a field. Undefined if no row has a value, or if the field has another type here. */
  column(field: Pick<Field, 'path' | 'type'>): Column | undefined
  readonly ids: Identifiers
  /** Row numbers in the database. */
  readonly seqs: RowNumbers
  readonly extents: Extents
}

/** Index-level identifiers (`_id`), one per row. */
export interface Identifiers {
  id(row: number): string
  /** Returns the rows with this identifier: at most one is live. */
  find(id: string): readonly number[]
}

export interface RowNumbers {
  seq(row: number): number
  /** Returns the row with a number, or -1. */
  row(seq: number): number
}

/** Offset and length of the source of each row in the source file of the index. */
export interface Extents {
  readonly at: Float64Array
  readonly size: Uint32Array
}
