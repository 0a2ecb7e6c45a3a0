import type { CodeColumn, Column, NumberColumn, PointColumn, ShapeColumn, TextColumn } from './column.ts'
import type { DictionaryData } from './dictionary.ts'
import type { LiveRows } from './live-rows.ts'
import type { Extents, Part } from './part.ts'
import { type IdentifierData, SegmentIdentifiers } from './segment-identifiers.ts'
import { SortedDictionary } from './sorted-dictionary.ts'

/** The content of a segment as plain data: shared arrays and JSON values. Immutable. */
export interface SegmentData {
  readonly rows: number
  /** As in `Part`. */
  readonly sortedBy?: string
  /** Columns of the fields that a row has a value of. */
  readonly columns: readonly ColumnData[]
  readonly ids: IdentifierData
  readonly seqs: RowNumberData
  readonly extents: Extents
}

export type ColumnData = { readonly path: string } & (
  | WithData<CodeColumn>
  | WithData<TextColumn>
  | NumberColumn
  | PointColumn
  | ShapeColumn
)

type WithData<T> = Omit<T, 'dictionary'> & { readonly dictionary: DictionaryData }

/** Rows have numbers of a range that begins with `firstSeq`. */
export interface RowNumberData {
  readonly firstSeq: number
  /** By row. */
  readonly numbers: Float64Array
  /** By number - firstSeq: the row + 1, or 0 if the row was dropped. As long as the range. */
  readonly rows: Uint32Array
}

/** Returns a segment as one reader sees it. */
export function segmentOf(data: SegmentData, live: LiveRows): Part {
  const { rows, sortedBy, extents, seqs } = data
  return {
    rows,
    live,
    ...(sortedBy === undefined ? {} : { sortedBy }),
    column: ({ path, type }) => {
      const found = data.columns.find((column) => column.path === path && column.type === type)
      return found && columnOf(found)
    },
    ids: new SegmentIdentifiers(data.ids),
    seqs: {
      seq: (row) => seqs.numbers[row] ?? -1,
      row: (seq) => (seqs.rows[seq - seqs.firstSeq] ?? 0) - 1,
    },
    extents,
  }
}

/** One column object per data, because kernels remember what they computed from dictionaries. */
const columns = new WeakMap<ColumnData, Column>()

function columnOf(data: ColumnData): Column {
  const known = columns.get(data)
  if (known) return known
  const column =
    data.kind === 'code' || data.kind === 'text' ? { ...data, dictionary: new SortedDictionary(data.dictionary) } : data
  columns.set(data, column)
  return column
}
