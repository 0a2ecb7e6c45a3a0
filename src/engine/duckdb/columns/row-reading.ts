import type { Mapping } from '../../../model/mapping.ts'
import { systemColumns, type TableLayout } from '../index/table-layout.ts'
import { type ColumnBuffer, LongBuffer, makeBuffer, type Parts } from './column-buffer.ts'
import { buildTree } from './document-tree.ts'
import { PlainDocumentReader } from './plain-document-reader.ts'
import { StringHeap } from './string-heap.ts'

/*
 * Reading the documents of a body into columns on a thread of its own. Everything here can be handed from thread to
 * thread without being copied.
 */

/** What documents are read by. */
export interface RowShape {
  readonly mapping: Mapping
  readonly layout: TableLayout
}

/** Documents to read, one row each. */
export interface RowsToRead {
  /** The body, and room for what is made of its texts. */
  readonly bytes: ArrayBuffer
  readonly end: number
  /** Where the documents begin; NOT_IN_BODY leaves a row out. */
  readonly starts: Uint32Array<ArrayBuffer>
}

export const NOT_IN_BODY = 0xffffffff

export interface ReadRows {
  readonly bytes: ArrayBuffer
  readonly end: number
  /** Of the fields, in the order of the table. */
  readonly columns: readonly Parts[]
  /** 1 where the row was read; the others are unusual, and nothing is set there. */
  readonly isRead: Uint8Array<ArrayBuffer>
}

/** The columns of the fields, empty or made of their parts. */
export const storedColumns = (
  layout: TableLayout,
  capacity: number,
  heap: StringHeap,
  parts?: readonly Parts[],
): readonly ColumnBuffer[] =>
  layout.columns.slice(systemColumns.length).map((c, i) => makeBuffer(c.sqlType, capacity, heap, parts?.[i]))

/** False: fields get the values of others, which no row tells by itself. */
export const canReadRows = ({ mapping, layout }: RowShape): boolean => !buildTree(mapping, layout).copies

/** Reads every document that is as usual. */
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
