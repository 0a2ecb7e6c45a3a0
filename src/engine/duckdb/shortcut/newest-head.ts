import type { SearchPlan } from '../../../query/plan/plan.ts'
import { firstWhere } from '../files/binary-search.ts'
import type { DocumentPlace } from '../index/found-documents.ts'
import type { IndexTable } from '../index/index-table.ts'
import type { RankedKeys } from './ranked-keys.ts'
import { compileMatch, type RowColumns } from './row-match.ts'
import { compareRows, compileKeys, isBehind, keysOfCursor } from './row-order.ts'

/**
 * The first rows of the copy that has the newest first, in memory: every document that is not among them is older, or has
 * no date. Looking through all of them takes less time than handing a statement to the database.
 */
export interface NewestHead extends RowColumns {
  readonly at: Float64Array
  readonly sizes: Uint32Array
}

/**
 * The page of a plan that asks for the newest first and looks at nothing the copy has not; undefined where the head does
 * not hold all of it.
 */
export function pageInHead(
  { predicate, sort, cursor, from, size }: SearchPlan,
  copy: IndexTable,
  head: NewestHead,
  ranked: RankedKeys,
): readonly DocumentPlace[] | undefined {
  // Before a cursor, those without a date come first; behind one without a date there are only such.
  if (cursor?.direction === 'before' || cursor?.values[0] === null) return undefined
  const after = cursor && keysOfCursor(cursor, sort, copy, ranked)
  const matches = compileMatch(predicate, copy, head)
  const keys = compileKeys(sort, copy, head)
  const { dates } = head
  const wanted = from + size
  const found: number[] = []
  for (let row = after ? firstFrom(dates, after[0] ?? 0) : 0; row < dates.length; row++) {
    // Only the other keys order those of one moment.
    if (found.length >= wanted && dates[row] !== dates[row - 1]) break
    if (matches(row) && (!after || isBehind(keys, row, after))) found.push(row)
  }
  if (found.length < wanted) return undefined
  return found
    .sort((a, b) => compareRows(keys, a, b))
    .slice(from, wanted)
    .map((row) => ({ table: copy, at: head.at[row] ?? 0, size: head.sizes[row] ?? 0 }))
}

/** Number of the first row that is not newer. */
const firstFrom = (dates: Float64Array, newest: number): number =>
  firstWhere(dates.length, (row) => -(dates[row] ?? 0) >= newest)
