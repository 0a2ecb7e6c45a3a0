import type { Mapping } from '../../../model/mapping.ts'
import type { OpenedFiles } from '../../engine.ts'
import type { TableLayout } from './table-layout.ts'

/** A segment file of an index, which has the rows with numbers from `firstSeq` to `endSeq` (excluded). */
export interface SegmentRecord {
  readonly file: string
  readonly firstSeq: number
  readonly endSeq: number
  /** True if documents were edited since the file was written. The next start builds the segment from the database. */
  readonly isEdited?: true
}

/** Files that have the documents of an index. The source file then has their row numbers, as text. */
export interface OpenedRecord extends OpenedFiles {
  /** False while the index is filled. It is dropped at the next start then. */
  readonly isSealed: boolean
}

/** Catalog entry of an index. */
export interface IndexDefinition {
  readonly name: string
  /** Created once per index. A dropped and re-created index gets a new one. */
  readonly uuid: string
  /** Current name of the table. It changes when sources move to another file. */
  readonly table: string
  readonly mapping: Mapping
  readonly layout: TableLayout
  readonly documents: number
  /** Row number of the next document. Row numbers are never reused. */
  readonly nextSeq: number
  readonly sourceFile: string
  /** Offset of the next source. Bytes after it are left over from failed writes. */
  readonly sourceEnd: number
  /** Bytes before `sourceEnd` that belong to no document any more. */
  readonly sourceStale: number
  /** In the order of row numbers. */
  readonly segments: readonly SegmentRecord[]
  readonly opened?: OpenedRecord
  /** Incremented with every change. */
  readonly version: number
}
