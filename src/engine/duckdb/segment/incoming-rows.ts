import { type IncomingColumn, plainValues } from './incoming-column.ts'

/** Rows to append to a tail, column by column. All columns have at least `count` entries. */
export interface IncomingRows {
  readonly count: number
  /** Consecutive row numbers in the database, starting here. */
  readonly firstSeq: number
  readonly ids: IncomingColumn
  readonly at: ArrayLike<number>
  readonly sizes: ArrayLike<number>
  /** By path. A field that no row has may be missing. */
  readonly fields: ReadonlyMap<string, IncomingField>
}

/** Values of a field as the database stores them: one column per column of the field (`columnsOf`, table-layout.ts). */
export interface IncomingField {
  readonly columns: readonly IncomingColumn[]
  /** All values of rows with several (index/several-values.ts for the form), null elsewhere. */
  readonly several?: IncomingColumn
}

const noValues = plainValues([])

/** Returns a column of a field, an empty one if the field does not have it. */
export const columnAt = (field: IncomingField | undefined, index: number): IncomingColumn =>
  field?.columns[index] ?? noValues

export const severalOf = (field: IncomingField | undefined): IncomingColumn => field?.several ?? noValues
