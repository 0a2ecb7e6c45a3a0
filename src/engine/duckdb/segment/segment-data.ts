import type { FieldType } from '../../../model/field-type.ts'
import type { Field } from '../../../query/schema/field.ts'
import type { CodeColumn, Column, NumberColumn, PointColumn, ShapeColumn, TextColumn } from './column.ts'
import type { DictionaryData } from './dictionary.ts'
import type { LiveRows } from './live-rows.ts'
import type { Extents, Identifiers, Part, RowNumbers } from './part.ts'
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

/** What was opened of a segment. Plain data, which can be sent to another thread. */
export interface OpenedData extends Pick<SegmentData, 'rows' | 'sortedBy' | 'columns'> {
  readonly ids?: IdentifierData | undefined
  readonly seqs?: RowNumberData | undefined
  readonly extents?: Extents | undefined
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

/**
 * Returns a segment as one reader sees it. `isStored`: tells whether the segment has a column that was not opened, which
 * a reader must not take for one without values.
 */
export const segmentOf = (data: OpenedData, live: LiveRows, isStored?: IsStored): Part =>
  new OpenedSegment(data, live, isStored)

type IsStored = (path: string, type: FieldType) => boolean

/** A class, because objects with getters of their own are slow to make. */
class OpenedSegment implements Part {
  readonly rows: number
  readonly live: LiveRows
  readonly sortedBy?: string
  readonly #data: OpenedData
  readonly #isStored: IsStored | undefined

  constructor(data: OpenedData, live: LiveRows, isStored: IsStored | undefined) {
    this.rows = data.rows
    this.live = live
    if (data.sortedBy !== undefined) this.sortedBy = data.sortedBy
    this.#data = data
    this.#isStored = isStored
  }

  column({ path, type }: Pick<Field, 'path' | 'type'>): Column | undefined {
    const found = this.#data.columns.find((column) => column.path === path && column.type === type)
    if (!found && this.#isStored?.(path, type)) throw notOpened(`column ${path}`)
    return found && columnOf(found)
  }

  get ids(): Identifiers {
    if (!this.#data.ids) throw notOpened('identifiers')
    return identifiersOf(this.#data.ids)
  }

  get seqs(): RowNumbers {
    const { seqs } = this.#data
    if (!seqs) throw notOpened('row numbers')
    return {
      seq: (row) => seqs.numbers[row] ?? -1,
      row: (seq) => (seqs.rows[seq - seqs.firstSeq] ?? 0) - 1,
    }
  }

  get extents(): Extents {
    if (!this.#data.extents) throw notOpened('extents')
    return this.#data.extents
  }
}

const notOpened = (what: string): Error => new Error(`the segment was opened without its ${what}`)

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

const identifiers = new WeakMap<IdentifierData, SegmentIdentifiers>()

export function identifiersOf(data: IdentifierData): SegmentIdentifiers {
  const known = identifiers.get(data) ?? new SegmentIdentifiers(data)
  identifiers.set(data, known)
  return known
}
