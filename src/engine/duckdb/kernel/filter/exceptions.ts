import { BLOCK } from '../../segment/column.ts'
import type { Exceptions, RowTest } from '../row-test.ts'
import { ascendingRows, lowerBound } from './candidates.ts'

/** Below this share of the part (1 : n), rows that do not match are listed. */
const FEW_SHARE = 32

export const areFew = (rows: number, partRows: number): boolean => rows * FEW_SHARE <= partRows

export const noExceptions: Exceptions = { count: 0, rows: new Uint32Array(0) }

/** A test that all rows pass except `count` ones, which are listed when they are first read. */
export function exceptRows(test: RowTest, partRows: number, count: number, list: () => Uint32Array): RowTest {
  let rows: Uint32Array | undefined
  const listed = (): Uint32Array => {
    rows ??= list()
    return rows
  }
  const first = (row: number): number => lowerBound(listed(), row, 0, count)
  return {
    count: partRows - count,
    most: partRows - count,
    exceptions: {
      count,
      get rows(): Uint32Array {
        return listed()
      },
    },
    decide(block) {
      const found = test.decide?.(block) ?? 'some'
      if (found !== 'some') return found
      return (listed()[first(block * BLOCK)] ?? Infinity) < (block + 1) * BLOCK ? 'some' : 'all'
    },
    fill(from, to, mask) {
      mask.fill(1, 0, to - from)
      clearRows(listed(), first(from), from, to, mask)
    },
    refine: (from, to, mask) => clearRows(listed(), first(from), from, to, mask),
    holds: test.holds,
    ...(test.select ? { select: test.select } : {}),
  }
}

function clearRows(rows: Uint32Array, start: number, from: number, to: number, mask: Uint8Array): void {
  for (let i = start; i < rows.length; i++) {
    const row = rows[i] ?? 0
    if (row >= to) return
    mask[row - from] = 0
  }
}

/** Exceptions of a conjunction; undefined if those of a member are unknown, or if they are not few together. */
export function uniteExceptions(tests: readonly RowTest[], partRows: number): Exceptions | undefined {
  const all: Exceptions[] = []
  let count = 0
  for (const { exceptions } of tests) {
    if (exceptions === undefined) return undefined
    all.push(exceptions)
    count += exceptions.count
  }
  const [first] = all
  if (first === undefined) return noExceptions
  if (all.length === 1) return first
  if (!areFew(count, partRows)) return undefined
  const rows = ascendingRows(
    all.map((each) => each.rows),
    partRows,
  )
  return { count: rows.length, rows }
}
