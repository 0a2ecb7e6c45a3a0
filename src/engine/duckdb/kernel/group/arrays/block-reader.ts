import { BLOCK, type Codes, type NumberColumn } from '../../../segment/column.ts'

/*
 * Columns have arrays of several types. A loop that reads all of them would be slow for each, so a block is copied to
 * an array of one type first. The copies are used at once and therefore shared.
 */

let codeScratch = new Uint32Array(BLOCK)
let doubleScratch = new Float64Array(BLOCK)

/** Below this number of rows, reading them one by one is faster than copying the block. */
const FEW_ROWS = 48

/** Sets `out[i]` to the code of the i-th row: of `rows`, or of those from `from` on. Rows ascend. */
export function readCodes(
  codes: Codes,
  rows: Uint32Array | undefined,
  from: number,
  count: number,
  out: Uint32Array,
): void {
  if (rows === undefined) {
    out.set(codes.subarray(from, from + count))
    return
  }
  if (count < FEW_ROWS) {
    for (let i = 0; i < count; i++) out[i] = codes[rows[i] ?? 0] ?? 0
    return
  }
  const first = rows[0] ?? 0
  const length = (rows[count - 1] ?? 0) + 1 - first
  if (length > codeScratch.length) codeScratch = new Uint32Array(2 * length)
  codeScratch.set(codes.subarray(first, first + length))
  const scratch = codeScratch
  for (let i = 0; i < count; i++) out[i] = scratch[(rows[i] ?? 0) - first] ?? 0
}

/** Like `readCodes`, for doubles. */
export function readDoubles(
  values: Codes | Float64Array,
  rows: Uint32Array | undefined,
  from: number,
  count: number,
  out: Float64Array,
): void {
  if (rows === undefined) {
    out.set(values.subarray(from, from + count))
    return
  }
  if (count < FEW_ROWS) {
    for (let i = 0; i < count; i++) out[i] = values[rows[i] ?? 0] ?? 0
    return
  }
  const first = rows[0] ?? 0
  const length = (rows[count - 1] ?? 0) + 1 - first
  if (length > doubleScratch.length) doubleScratch = new Float64Array(2 * length)
  doubleScratch.set(values.subarray(first, first + length))
  const scratch = doubleScratch
  for (let i = 0; i < count; i++) out[i] = scratch[(rows[i] ?? 0) - first] ?? 0
}

/** Reads the numbers of rows, or of positions of a column with several values. NaN: none. */
export function readNumbers(
  { values, packing }: Pick<NumberColumn, 'values' | 'packing'>,
  rows: Uint32Array | undefined,
  from: number,
  count: number,
  out: Float64Array,
): void {
  readDoubles(values, rows, from, count, out)
  if (packing === undefined) return
  const { base, step } = packing
  for (let i = 0; i < count; i++) {
    const n = out[i] ?? 0
    out[i] = n === 0 ? Number.NaN : base + (n - 1) * step
  }
}

/** The number at one position. NaN: none. */
export function numberAt({ values, packing }: Pick<NumberColumn, 'values' | 'packing'>, position: number): number {
  const value = values[position] ?? Number.NaN
  if (packing === undefined) return value
  return value === 0 ? Number.NaN : packing.base + (value - 1) * packing.step
}
