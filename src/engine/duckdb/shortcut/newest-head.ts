import type { SearchPlan } from '../../../query/plan/plan.ts'
import { firstWhere } from '../files/binary-search.ts'
import type { DocumentPlace } from '../index/found-documents.ts'
import type { IndexTable } from '../index/index-table.ts'
import type { RankedKeys } from './ranked-keys.ts'
import { compileMatch, type RowColumns } from './row-match.ts'
import { compareRows, compileKeys, isBehind, keysOfCursor } from './row-order.ts'

/**
 * First rows of the newest-first copy, in memory. All other documents are older or have no date. Searching all of them
 * takes less time than sending a statement to the database.
 */
export interface NewestHead extends RowColumns {
  readonly at: Float64Array
  readonly sizes: Uint32Array
}

/**
 * Returns the page of a plan that is sorted newest first and only uses columns of the copy. Undefined if the head does
 * not contain the whole page.
 */
export function pageInHead(
  { predicate, sort, cursor, from, size }: SearchPlan,
  copy: IndexTable,
  head: NewestHead,
  ranked: RankedKeys,
): readonly DocumentPlace[] | undefined {
  // Before a cursor, rows without a date come first; after a cursor without a date, there are only such rows.
  if (cursor?.direction === 'before' || cursor?.values[0] === null) return undefined
  const after = cursor && keysOfCursor(cursor, sort, copy, ranked)
  const matches = compileMatch(predicate, copy, head)
  const keys = compileKeys(sort, copy, head)
  const { dates } = head
  const wanted = from + size
  const found: number[] = []
  for (let row = after ? firstFrom(dates, after[0] ?? 0) : 0; row < dates.length; row++) {
    // Rows with equal dates are ordered by the other keys, so all of them are needed.
    if (found.length >= wanted && dates[row] !== dates[row - 1]) break
    if (matches(row) && (!after || isBehind(keys, row, after))) found.push(row)
  }
  if (found.length < wanted) return undefined
  return found
    .sort((a, b) => compareRows(keys, a, b))
    .slice(from, wanted)
    .map((row) => ({ table: copy, at: head.at[row] ?? 0, size: head.sizes[row] ?? 0 }))
}

/** Returns the index of the first row that is not newer. */
const firstFrom = (dates: Float64Array, newest: number): number =>
  firstWhere(dates.length, (row) => -(dates[row] ?? 0) >= newest)
