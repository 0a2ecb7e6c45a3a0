import { BLOCK, type NumberColumn } from '../../../segment/column.ts'
import { readNumbers } from './block-reader.ts'

interface NumberRange {
  readonly min: number
  readonly max: number
}

const scratch = new Float64Array(BLOCK)

/** Returns the smallest and largest value in the first `rows` rows, dead ones included; undefined without a value. */
export function rangeOfNumbers(column: NumberColumn, rows: number): NumberRange | undefined {
  let min = Number.POSITIVE_INFINITY
  let max = Number.NEGATIVE_INFINITY
  if (column.blocks !== undefined) {
    const blocks = Math.ceil(rows / BLOCK)
    for (let block = 0; block < blocks; block++) {
      const low = column.blocks.min[block] ?? Number.NaN
      const high = column.blocks.max[block] ?? Number.NaN
      if (low < min) min = low
      if (high > max) max = high
    }
    return min <= max ? { min, max } : undefined
  }
  const positions = column.starts === undefined ? rows : (column.starts[rows] ?? 0)
  for (let from = 0; from < positions; from += BLOCK) {
    const count = Math.min(BLOCK, positions - from)
    readNumbers(column, undefined, from, count, scratch)
    for (let i = 0; i < count; i++) {
      const value = scratch[i] ?? 0
      if (value < min) min = value
      if (value > max) max = value
    }
  }
  return min <= max ? { min, max } : undefined
}
