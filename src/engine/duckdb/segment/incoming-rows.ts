import type { DuckDBValue } from '@duckdb/node-api'

/** Rows to append to a tail, column by column. All arrays have at least `count` entries. */
export interface IncomingRows {
  readonly count: number
  /** Consecutive row numbers in the database, starting here. */
  readonly firstSeq: number
  readonly ids: ArrayLike<string>
  readonly at: ArrayLike<number>
  readonly sizes: ArrayLike<number>
  /** By path. A field that no row has may be missing. */
  readonly fields: ReadonlyMap<string, IncomingField>
}

/**
 * Values of a field in the form the database stores them: one entry per column of the field (`columnsOf` in
 * index/table-layout.ts), null for no value. Integers may be numbers or bigints.
 */
export interface IncomingField {
  readonly columns: readonly ArrayLike<DuckDBValue>[]
  /** All values of rows with several (index/several-values.ts for the form), null elsewhere. */
  readonly several?: ArrayLike<DuckDBValue>
}
