import { BLOCK } from '../../segment/column.ts'
import type { Part } from '../../segment/part.ts'
import type { RowTest } from '../row-test.ts'
import { isSparse, narrowMask } from './filter-composition.ts'
import { createMask } from './filter-mask.ts'
import { selectBy } from './filter-values.ts'

/** Tests some rows of a block. */
export class RowNarrowing {
  readonly #test: RowTest
  readonly #mask = createMask()
  readonly #scratch = createMask()

  constructor(test: RowTest) {
    this.#test = test
  }

  /** Returns the rows that pass the test, in the memory of `list`. */
  rows(rows: Uint32Array, from: number, to: number, list: Uint32Array): Uint32Array {
    const test = this.#test
    const decision = test.decide?.(Math.floor(from / BLOCK)) ?? 'some'
    if (decision === 'all') return rows
    if (decision === 'none') return rows.subarray(0, 0)
    if (!test.isExpensive && test.select) return list.subarray(0, test.select(rows, list))
    if (!test.refine && isSparse(rows.length, to - from)) return rowsThat(test.holds, rows, list)
    const mask = this.#mask
    if (test.refine || test.isExpensive) {
      mask.fill(0, 0, to - from)
      for (let i = 0; i < rows.length; i++) mask[(rows[i] ?? 0) - from] = 1
      narrowMask(test, from, to, mask, rows.length, this.#scratch)
    } else test.fill(from, to, mask)
    return rowsIn(mask, from, rows, list)
  }
}

const rowsThat = (holds: (row: number) => boolean, rows: Uint32Array, list: Uint32Array): Uint32Array =>
  list.subarray(0, selectBy(holds)(rows, list))

function rowsIn(mask: Uint8Array, from: number, rows: Uint32Array, list: Uint32Array): Uint32Array {
  let count = 0
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] ?? 0
    list[count] = row
    count += mask[row - from] ?? 0
  }
  return list.subarray(0, count)
}

export const liveOf = (rows: Uint32Array, { live }: Part, list: Uint32Array): Uint32Array =>
  rowsThat((row) => live.isLive(row), rows, list)
