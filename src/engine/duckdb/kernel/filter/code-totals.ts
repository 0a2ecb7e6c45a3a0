import { BLOCK, type CodeColumn, type Codes, type NumberColumn } from '../../segment/column.ts'
import type { CodeSet } from './filter-codes.ts'

const known = new WeakMap<CodeColumn | NumberColumn, Uint32Array>()

/**
 * Returns the number of rows of a segment that have one of some codes; for columns with at most one value per row. The
 * rows of each code are counted once. `largest`: an upper bound of the codes of the column.
 */
export function rowsWithCodes(
  column: CodeColumn | NumberColumn,
  codes: Codes,
  set: CodeSet,
  rows: number,
  largest: number,
): number {
  const totals = codeTotals(column, codes, rows, largest)
  const before = (code: number): number => totals[Math.min(Math.max(code, 0), largest + 1)] ?? 0
  if (set.kind === 'range') return before(set.last + 1) - before(set.first)
  return set.codes.reduce((sum, code) => sum + before(code + 1) - before(code), 0)
}

/** Entry c is the number of rows whose code is below c. */
export function codeTotals(
  column: CodeColumn | NumberColumn,
  codes: Codes,
  rows: number,
  largest: number,
): Uint32Array {
  const found = known.get(column)
  if (found) return found
  const totals = new Uint32Array(largest + 2)
  const block = new Uint32Array(BLOCK)
  for (let from = 0; from < rows; from += BLOCK) {
    const count = Math.min(BLOCK, rows - from)
    block.set(codes.subarray(from, from + count))
    countCodes(block, count, totals)
  }
  for (let code = 1; code < totals.length; code++) totals[code] = (totals[code] ?? 0) + (totals[code - 1] ?? 0)
  known.set(column, totals)
  return totals
}

function countCodes(codes: Uint32Array, count: number, totals: Uint32Array): void {
  for (let i = 0; i < count; i++) {
    const next = (codes[i] ?? 0) + 1
    totals[next] = (totals[next] ?? 0) + 1
  }
}
