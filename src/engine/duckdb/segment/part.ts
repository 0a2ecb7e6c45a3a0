import type { Field } from '../../../query/schema/field.ts'
import type { Column } from './column.ts'
import type { LiveRows } from './live-rows.ts'

type FieldKey = Pick<Field, 'path' | 'type'>

/** What is known of a part of an index without opening it. Immutable. */
export interface PartOutline {
  /** Rows are numbered from 0 to `rows` - 1, dead ones included. */
  readonly rows: number
  readonly live: LiveRows
  /** Describes the column of a field. Undefined if no row has a value, or if the field has another type here. */
  column(field: FieldKey): ColumnOutline | undefined
}

/** What is known of a column without its arrays. Columns are outlines of themselves. */
export interface ColumnOutline extends Pick<Column, 'kind' | 'type'> {
  /** As in NumberColumn. */
  readonly inexact?: true
  readonly dictionary?: { readonly size: number }
}

/** A part as an index keeps it. Its columns may have to be read from a file first. */
export interface StoredPart extends PartOutline {
  /**
   * Reads what is missing in memory, and keeps it there until the opened part is released. At once, unless something must
   * be read. Rejects with DamagedSegment if that is impossible.
   */
  open(wanted: Wanted, signal?: AbortSignal): OpenedPart | Promise<OpenedPart>
  /** The identifiers, if they are in memory at the moment. */
  readonly knownIds: Identifiers | undefined
}

/** What a read needs of its parts. */
export interface Wanted {
  readonly fields?: readonly FieldKey[]
  readonly ids?: boolean
  readonly seqs?: boolean
  readonly extents?: boolean
}

export interface OpenedPart {
  readonly part: Part
  /** Ends the use of the part. Further calls do nothing. */
  release(): void
}

/**
 * Rows of an index as one reader sees them: a segment, or a tail up to a length. Has the columns it was opened with.
 * Immutable.
 */
export interface Part extends PartOutline {
  /**
   * Path of the GEO_POINT or GEO_SHAPE whose Morton keys the rows are sorted by; rows without a key come last. Absent in
   * tails and if the index has no such field.
   */
  readonly sortedBy?: string
  /** Returns the column of a field. Throws if the part was opened without it. */
  column(field: FieldKey): Column | undefined
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

/** A part that is in memory as a whole, such as a tail. */
export const residentPart = (part: Part): StoredPart => ({
  rows: part.rows,
  live: part.live,
  column: (field) => part.column(field),
  open: () => ({ part, release: () => undefined }),
  knownIds: part.ids,
})

/** Opens several parts. If that fails, none is open. */
export async function openAll(
  parts: readonly StoredPart[],
  wanted: Wanted,
  signal?: AbortSignal,
): Promise<{ readonly parts: readonly Part[]; release(): void }> {
  const opening = parts.map((part) => part.open(wanted, signal))
  const settled = opening.some((opened) => opened instanceof Promise)
    ? await Promise.allSettled(opening)
    : opening.map((value) => ({ status: 'fulfilled' as const, value: value as OpenedPart }))
  const opened = settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  const release = (): void => {
    for (const part of opened) part.release()
  }
  const failure = settled.find((result) => result.status === 'rejected')
  if (failure?.status === 'rejected') {
    release()
    throw failure.reason
  }
  return { parts: opened.map(({ part }) => part), release }
}
