/** Some matching rows of a part. Valid until the next batch is asked for: the memory of `rows` is reused. */
export interface RowBatch {
  /** All rows of the batch are from `from` to `to` (excluded), at most BLOCK rows apart. */
  readonly from: number
  readonly to: number
  /** The matching rows, ascending; absolute row numbers. Undefined: all rows from `from` to `to`. */
  readonly rows: Uint32Array | undefined
  readonly count: number
}
