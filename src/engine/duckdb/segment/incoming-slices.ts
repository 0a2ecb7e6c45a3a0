import type { IncomingColumn } from './incoming-column.ts'
import type { IncomingRows } from './incoming-rows.ts'

/** Rows per slice. A multiple of 8, so that validity bits need not be shifted. */
const SLICE = 4096

/** Cuts many rows into slices, which can be appended to a tail one at a time. */
export function* slicesOf(rows: IncomingRows): Iterable<IncomingRows> {
  if (rows.count <= SLICE) {
    yield rows
    return
  }
  for (let from = 0; from < rows.count; from += SLICE) yield sliceOf(rows, from, Math.min(rows.count, from + SLICE))
}

function sliceOf({ firstSeq, ids, at, sizes, fields }: IncomingRows, from: number, to: number): IncomingRows {
  return {
    count: to - from,
    firstSeq: firstSeq + from,
    ids: cut(ids, from, to),
    at: Array.prototype.slice.call(at, from, to),
    sizes: Array.prototype.slice.call(sizes, from, to),
    fields: new Map(
      [...fields].map(([path, { columns, several }]) => [
        path,
        {
          columns: columns.map((column) => cut(column, from, to)),
          ...(several && { several: cut(several, from, to) }),
        },
      ]),
    ),
  }
}

function cut(column: IncomingColumn, from: number, to: number): IncomingColumn {
  if (column.kind === 'plain') return { kind: 'plain', values: Array.prototype.slice.call(column.values, from, to) }
  const valid = column.valid.subarray(from >> 3)
  switch (column.kind) {
    case 'numbers':
      return { kind: 'numbers', valid, values: column.values.subarray(from, to) }
    case 'longs':
      return { kind: 'longs', valid, halves: column.halves.subarray(2 * from, 2 * to) }
    case 'texts':
      return { ...column, valid, starts: column.starts.subarray(from, to), lengths: column.lengths.subarray(from, to) }
  }
}
