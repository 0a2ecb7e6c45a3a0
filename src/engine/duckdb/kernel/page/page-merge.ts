import type { NumberedPart, RowRef } from '../numbered-part.ts'
import type { ReadingOrder, RowOrder } from './page-order.ts'
import { compareKeyValues, type KeyValue } from './sort-key.ts'

/** A row of a page with its value for the first sort key. */
export interface PageRow extends RowRef {
  readonly first: KeyValue
}

/** Merges the rows of pages, up to `most`. Both are in reading order. `orders`: by part. */
export function mergeRows(
  a: readonly PageRow[],
  b: readonly PageRow[],
  most: number,
  order: ReadingOrder,
  parts: readonly NumberedPart[],
  orders: readonly RowOrder[],
): readonly PageRow[] {
  if (a.length === 0 || b.length === 0) return (a.length === 0 ? b : a).slice(0, most)
  const merged: PageRow[] = []
  for (let i = 0, j = 0; merged.length < most; ) {
    const x = a[i]
    const y = b[j]
    const next = x && y ? (compareRows(x, y, order, parts, orders) <= 0 ? x : y) : (x ?? y)
    if (!next) break
    if (next === x) i++
    else j++
    merged.push(next)
  }
  return merged
}

/** Compares by value, because ranks and codes belong to one part; then by index and extent, for a total order. */
function compareRows(
  a: PageRow,
  b: PageRow,
  { directions, isBackwards }: ReadingOrder,
  parts: readonly NumberedPart[],
  orders: readonly RowOrder[],
): number {
  for (const [i, direction] of directions.entries()) {
    const x = i === 0 ? a.first : (orders[a.part]?.value(i, a.row) ?? null)
    const y = i === 0 ? b.first : (orders[b.part]?.value(i, b.row) ?? null)
    const compared = compareKeyValues(x, y, direction)
    if (compared !== 0) return compared
  }
  const compared = tableOf(a, parts) - tableOf(b, parts) || extentOf(a, parts) - extentOf(b, parts)
  return isBackwards ? -compared : compared
}

const tableOf = ({ part }: RowRef, parts: readonly NumberedPart[]): number => parts[part]?.table ?? 0

const extentOf = ({ part, row }: RowRef, parts: readonly NumberedPart[]): number =>
  parts[part]?.part.extents.at[row] ?? 0
