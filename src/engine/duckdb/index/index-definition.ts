import type { Mapping } from '../../../model/mapping.ts'
import type { IdentifierLists } from '../files/identifier-file.ts'
import type { RowLists } from '../files/row-file.ts'
import type { TableLayout } from './table-layout.ts'

/** Minimum and maximum of a field over the arranged documents of a table. */
export interface Extremes {
  readonly path: string
  /** Number of documents with a value. */
  readonly documents: number
  /** Minimum and maximum; for places west, south, east and north. Null if no document has a value. */
  readonly ends: readonly (number | null)[]
}

/** A segment file of an index, which has the rows with numbers from `firstSeq` to `endSeq` (excluded). */
export interface SegmentRecord {
  readonly file: string
  readonly firstSeq: number
  readonly endSeq: number
  /** True if documents were edited since the file was written. The next start builds the segment from the database. */
  readonly isEdited?: true
}

/** Catalog entry of an index. */
export interface IndexDefinition {
  readonly name: string
  /** Created once per index. A dropped and re-created index gets a new one. */
  readonly uuid: string
  /** Current table. Each arrangement writes a new one. */
  readonly table: string
  readonly mapping: Mapping
  readonly layout: TableLayout
  readonly documents: number
  /** Row number of the next document. */
  readonly nextSeq: number
  /** Rows below this number are in Morton order and in the lookup table. */
  readonly arrangedSeq: number
  /** Paths in the lookup table: `_id`, and keywords with almost one value per document. */
  readonly lookups: readonly string[]
  /** Paths whose keys were counted by the arrangement. The index is the field number in the counts table. */
  readonly counted?: readonly string[]
  /** Extremes of the arranged documents (extremes.ts). */
  readonly extremes?: readonly Extremes[]
  /** Samples of the key distribution of the arranged documents (key-marks.ts). */
  readonly keyMarks?: KeyMarks
  /** Newest-first copy of the table, if there is one (newest-first.ts). */
  readonly newest?: NewestFirst
  /** File of the documents in the order of their identifiers. */
  readonly identifiers?: IdentifierLists
  /** File of columns in row order. */
  readonly rows?: RowLists
  /**
   * True if the copy and the files contain the right source extents of the arranged documents. Edits that move sources
   * reset it.
   */
  readonly tellsPlaces?: boolean
  /** True if a field lost its rank or day column to an edit. */
  readonly lacksAids?: boolean
  /** Source file. The arrangement writes a new one when most of it is unused. */
  readonly sourceFile: string
  /** Offset of the next source. Bytes after it are left over from failed writes. */
  readonly sourceEnd: number
  /**
   * Bytes before `sourceEnd` that were unused when the table was arranged, plus the old versions of documents edited
   * since.
   */
  readonly sourceStale?: number
  /** Incremented with every change. */
  readonly version: number
}

/** Description of the newest-first copy. */
export interface NewestFirst {
  /** Path of the date it is sorted by. */
  readonly path: string
  /** Rows with a later date form its head (newest-heads.ts). Null: all rows with a date. */
  readonly headAfter: number | null
}

/** Names of the files of an index. */
export const filesOf = ({ sourceFile, identifiers, rows }: IndexDefinition): readonly string[] =>
  [sourceFile, identifiers?.file, rows?.file].filter((name) => name !== undefined)

/** Positions of arranged rows at regular intervals. They allow estimating how many rows have keys in a range. */
export interface KeyMarks {
  /** Rows from one mark to the next. */
  readonly every: number
  /** Tiles of zoom 16, numbered in Morton order, ascending. */
  readonly tiles: readonly number[]
}
