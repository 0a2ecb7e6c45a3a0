import type { CodeColumn, RowsByCode } from '../../segment/column.ts'
import type { Part } from '../../segment/part.ts'
import type { RowTest } from '../row-test.ts'
import { ascendingRows, isWorthListing } from './candidates.ts'
import { rowsWithCodes } from './code-totals.ts'
import { type CodeSet, codeRange, isEmptySet, testCodes } from './filter-codes.ts'
import { matchingCodes, type TermPredicate } from './filter-terms.ts'
import { everyRow, listedTest, noRow } from './filter-tests.ts'
import { testAnyOfSeveral, testSeveral } from './filter-values.ts'

/** Compiles a predicate on the terms of a KEYWORD or IP. */
export function compileCodeTest(p: TermPredicate, column: CodeColumn, part: Part): RowTest {
  const set = matchingCodes(p, column.dictionary)
  if (isEmptySet(set)) return noRow
  const { codes, starts, rowsByCode } = column
  const flat = testCodes(codes, set)
  const test = starts ? testSeveral(flat, starts) : flat
  if (!rowsByCode) return starts || !column.dictionary.sorted ? test : countedTest(test, column, set, part.rows)
  const most = countRows(rowsByCode, set)
  if (most === 0) return noRow
  if (most === part.rows && !starts) return everyRow
  const isListed = isSingle(set) || isWorthListing(most, part.rows)
  // A row counts once for each code.
  const isDistinct = !starts || isSingle(set)
  const counted = isDistinct ? { ...test, count: most, ...unorderedRows(rowsByCode, set) } : test
  return isListed ? listedTest(counted, most, () => rowsOfCodes(rowsByCode, set, part.rows)) : { ...counted, most }
}

/** Adds the number of matching rows of a segment. Its dictionary is small, or there would be rows by code. */
function countedTest(test: RowTest, column: CodeColumn, set: CodeSet, rows: number): RowTest {
  const count = rowsWithCodes(column, column.codes, set, rows, column.dictionary.size)
  return count === rows ? everyRow : { ...test, most: count, count }
}

export function compileCodeExists({ codes, starts, rowsByCode, dictionary }: CodeColumn, part: Part): RowTest {
  if (starts) return testAnyOfSeveral(starts)
  if (rowsByCode?.rows.length === part.rows) return everyRow
  return testCodes(codes, codeRange(1, dictionary.size))
}

const isSingle = (set: CodeSet): boolean => set.kind === 'range' && set.first === set.last

/** Upper bound of the rows that have one of the codes: a row counts once for each code. */
function countRows({ starts }: RowsByCode, set: CodeSet): number {
  if (set.kind === 'range') return (starts[set.last + 1] ?? 0) - (starts[set.first] ?? 0)
  return set.codes.reduce((sum, code) => sum + (starts[code + 1] ?? 0) - (starts[code] ?? 0), 0)
}

/** The rows of neighbouring codes follow each other. */
function unorderedRows({ rows, starts }: RowsByCode, set: CodeSet): Pick<RowTest, 'unordered'> {
  if (set.kind === 'list') return {}
  return { unordered: () => rows.subarray(starts[set.first] ?? 0, starts[set.last + 1] ?? 0) }
}

function rowsOfCodes({ rows, starts }: RowsByCode, set: CodeSet, partRows: number): Uint32Array {
  if (set.kind === 'range') {
    const all = rows.subarray(starts[set.first] ?? 0, starts[set.last + 1] ?? 0)
    return isSingle(set) ? all : ascendingRows([all], partRows)
  }
  const lists = Array.from(set.codes, (code) => rows.subarray(starts[code] ?? 0, starts[code + 1] ?? 0))
  return ascendingRows(lists, partRows)
}
