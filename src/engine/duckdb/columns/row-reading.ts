import type { Mapping } from '../../../model/mapping.ts'
import { systemColumns, type TableLayout } from '../index/table-layout.ts'
import { type ColumnBuffer, LongBuffer, makeBuffer, type Parts } from './column-buffer.ts'
import { buildTree } from './document-tree.ts'
import { PlainDocumentReader } from './plain-document-reader.ts'
import { StringHeap } from './string-heap.ts'

/*
 * Reads the documents of a request body into columns on a worker thread. All types here can be transferred between
 * threads without copying.
 */

/** Mapping and layout documents are read with. */
export interface RowShape {
  readonly mapping: Mapping
  readonly layout: TableLayout
}

/** Documents to read, one row each. */
export interface RowsToRead {
  /** The body, followed by space for the texts derived from it. */
  readonly bytes: ArrayBuffer
  readonly end: number
  /** Start offsets of the documents. NOT_IN_BODY skips a row. */
  readonly starts: Uint32Array<ArrayBuffer>
}

export const NOT_IN_BODY = 0xffffffff

export interface ReadRows {
  readonly bytes: ArrayBuffer
  readonly end: number
  /** Columns of the fields, in table order. */
  readonly columns: readonly Parts[]
  /** 1 if the row was read. Other rows are unusual, and nothing is set for them. */
  readonly isRead: Uint8Array<ArrayBuffer>
}

/** Creates the columns of the fields, empty or from their parts. */
export const storedColumns = (
  layout: TableLayout,
  capacity: number,
  heap: StringHeap,
  parts?: readonly Parts[],
): readonly ColumnBuffer[] =>
  layout.columns.slice(systemColumns.length).map((c, i) => makeBuffer(c.sqlType, capacity, heap, parts?.[i]))

/** False if fields receive values of others (copy_to), which this path does not support. */
export const canReadRows = ({ mapping, layout }: RowShape): boolean => !buildTree(mapping, layout).copies

/** Reads every document that is not unusual. */
export function readRows({ mapping, layout }: RowShape, { bytes, end, starts }: RowsToRead): ReadRows {
  const heap = StringHeap.around(bytes, end)
  const body = heap.bytes.subarray(0, end)
  const stored = storedColumns(layout, starts.length, heap)
  const columns = [...systemColumns.map(() => new LongBuffer(0)), ...stored]
  const reader = new PlainDocumentReader(body, buildTree(mapping, layout).root, columns, heap)
  const isRead = new Uint8Array(starts.length)
  for (let row = 0; row < starts.length; row++) {
    const start = starts[row] ?? NOT_IN_BODY
    if (start !== NOT_IN_BODY && reader.read(start, row)) isRead[row] = 1
    else for (const column of stored) column.clear(row)
  }
  return { bytes: heap.memory, end: heap.end, columns: stored.map((column) => column.parts), isRead }
}
