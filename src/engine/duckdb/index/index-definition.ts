import type { Mapping } from '../../../model/mapping.ts'
import type { TableLayout } from './table-layout.ts'

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
  /** Incremented with every change. */
  readonly version: number
}
