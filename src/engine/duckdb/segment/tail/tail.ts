import type { Field } from '../../../../query/schema/field.ts'
import type { TableLayout } from '../../index/table-layout.ts'
import type { Column } from '../column.ts'
import type { IncomingRows } from '../incoming-rows.ts'
import type { LiveRows } from '../live-rows.ts'
import type { Part, RowNumbers } from '../part.ts'
import { grown, makeFloat64s, makeUint32s } from './growing-array.ts'
import { makeTailColumn, type TailColumn } from './tail-columns.ts'
import { TailIdentifiers } from './tail-identifiers.ts'

/** Recently written rows of an index in order of arrival, in the same columns as a segment. */
export class Tail {
  /** Row number in the database of the first row. */
  readonly firstSeq: number
  #layout: TableLayout
  /** By path. */
  readonly #columns = new Map<string, TailColumn>()
  readonly #ids = new TailIdentifiers()
  #at: Float64Array = new Float64Array()
  #sizes: Uint32Array = new Uint32Array()

  constructor(layout: TableLayout, firstSeq: number) {
    this.#layout = layout
    this.firstSeq = firstSeq
  }

  /**
   * Writes rows from row `at` on: the number of committed rows. Rows beyond it are those of a failed transaction and
   * are overwritten. `layout`: if it has changed.
   */
  append(rows: IncomingRows, at: number, layout: TableLayout = this.#layout): void {
    this.#layout = layout
    const { count } = rows
    if (rows.firstSeq !== this.firstSeq + at)
      throw new Error(`row ${rows.firstSeq} cannot follow row ${this.firstSeq + at - 1}`)
    for (const { path, type } of layout.fields) {
      const field = rows.fields.get(path)
      let column = this.#columns.get(path)
      if (column === undefined && field !== undefined) {
        column = makeTailColumn(type, at)
        if (column !== undefined) this.#columns.set(path, column)
      }
      column?.write(field, at, count)
    }
    this.#ids.write(rows.ids, at, count)
    this.#at = grown(this.#at, at + count, makeFloat64s)
    this.#sizes = grown(this.#sizes, at + count, makeUint32s)
    for (let i = 0; i < count; i++) {
      this.#at[at + i] = rows.at[i] ?? 0
      this.#sizes[at + i] = rows.sizes[i] ?? 0
    }
  }

  /** Returns the first `rows` rows. Later writes do not change them. */
  view(rows: number, live: LiveRows): Part {
    const columns = new Map<string, Column>()
    for (const [path, column] of this.#columns) columns.set(path, column.view())
    return {
      rows,
      live,
      column: (field) => columnOf(columns, field),
      ids: this.#ids.view(rows),
      seqs: consecutive(this.firstSeq, rows),
      extents: { at: this.#at, size: this.#sizes },
    }
  }

  /** Estimated memory. */
  get bytes(): number {
    let bytes = this.#at.byteLength + this.#sizes.byteLength + this.#ids.bytes
    for (const column of this.#columns.values()) bytes += column.bytes
    return bytes
  }
}

function columnOf(columns: ReadonlyMap<string, Column>, { path, type }: Pick<Field, 'path' | 'type'>) {
  const column = columns.get(path)
  return column?.type === type ? column : undefined
}

const consecutive = (firstSeq: number, rows: number): RowNumbers => ({
  seq: (row) => firstSeq + row,
  row: (seq) => (seq >= firstSeq && seq < firstSeq + rows ? seq - firstSeq : -1),
})
