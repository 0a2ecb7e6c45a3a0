import type { Mapping } from '../../../model/mapping.ts'
import type { IdentifierLists } from '../files/identifier-file.ts'
import type { RowLists } from '../files/row-file.ts'
import type { TableLayout } from './table-layout.ts'

/** The ends of what the arranged documents of a table have of a field. */
export interface Extremes {
  readonly path: string
  /** How many have a value. */
  readonly documents: number
  /** Least and greatest value; of places west, south, east and north. Null where none has a value. */
  readonly ends: readonly (number | null)[]
}

/** What the catalog keeps of an index. */
export interface IndexDefinition {
  readonly name: string
  /** Made once per index; a dropped and re-created index gets another. */
  readonly uuid: string
  /** Current table; arranging the storage writes a new one. */
  readonly table: string
  readonly mapping: Mapping
  readonly layout: TableLayout
  readonly documents: number
  /** Number the next document gets. */
  readonly nextSeq: number
  /** Documents numbered below it lie in key order and are in the lookup table. */
  readonly arrangedSeq: number
  /** Paths (`_id`, keywords with almost a value per document) whose values the lookup table finds. */
  readonly lookups: readonly string[]
  /** Paths whose keys were counted when the documents were arranged, by their number in the table of counts. */
  readonly counted?: readonly string[]
  /** The ends of the values of arranged documents (extremes.ts). */
  readonly extremes?: readonly Extremes[]
  /** Where the arranged documents lie (key-marks.ts). */
  readonly keyMarks?: KeyMarks
  /** There is a copy of the table, newest first (newest-first.ts). */
  readonly newest?: NewestFirst
  /** The file that has the documents in the order of their identifiers. */
  readonly identifiers?: IdentifierLists
  /** The file that has columns of the rows in their order. */
  readonly rows?: RowLists
  /** The copies and the files beside the sources tell where the sources of arranged documents lie; not once edits moved some. */
  readonly tellsPlaces?: boolean
  /** A field has lost what arranging had added to it. */
  readonly lacksAids?: boolean
  /** The source file; when most of it is no longer used, arranging writes a new one. */
  readonly sourceFile: string
  /** Where the next source goes. What the file may hold from there on is of writes that failed. */
  readonly sourceEnd: number
  /** Bytes before it that were of no use when the table was arranged, and those of documents as they were before edits since. */
  readonly sourceStale?: number
  /** Grows with every change. */
  readonly version: number
}

/** What is known of the copy that has the newest first. */
export interface NewestFirst {
  /** Of the date it is in the order of. */
  readonly path: string
  /** Those with a later date are its head (newest-heads.ts); null: all that have one. */
  readonly headAfter: number | null
}

/** Names of the files of an index. */
export const filesOf = ({ sourceFile, identifiers, rows }: IndexDefinition): readonly string[] =>
  [sourceFile, identifiers?.file, rows?.file].filter((name) => name !== undefined)

/** The places of arranged rows at even distances. They tell about how many rows have keys between two others. */
export interface KeyMarks {
  /** Rows from one mark to the next. */
  readonly every: number
  /** Tiles of zoom 16, numbered as their keys are; ascending. */
  readonly tiles: readonly number[]
}
