import type { Cursor, SortKey } from '../../../query/plan/plan.ts'
import { NO_RANK } from '../files/row-file.ts'
import type { IndexTable } from '../index/index-table.ts'
import type { RankedKeys } from './ranked-keys.ts'
import { isItsDate, type RowColumns } from './row-match.ts'

/** Sort key of a row as a number. Smaller comes first, rows without a value last. */
export type RowKey = (row: number) => number

/** True if the order only uses the date and ranks. */
export const canOrder = (sort: readonly SortKey[], table: IndexTable, ranked: RankedKeys): boolean =>
  sort.length > 0 && sort.every((key, i) => key.kind === 'field' && (ranked.has(i) || isItsDate(key.field, table)))

/** Only for an order accepted by `canOrder`. */
export const compileKeys = (sort: readonly SortKey[], table: IndexTable, columns: RowColumns): readonly RowKey[] =>
  sort.map(({ field, descending }): RowKey => {
    if (isItsDate(field, table)) {
      const { dates } = columns
      return (row) => keyOfDate(dates[row] ?? Number.NaN, descending)
    }
    const ranks = columns.ranks.get(field.path) ?? NOTHING
    return (row) => keyOfRank(ranks[row] ?? NO_RANK, descending)
  })

const NOTHING = new Uint32Array(0)

/** Returns the keys of a cursor. */
export const keysOfCursor = (
  { values }: Cursor,
  sort: readonly SortKey[],
  table: IndexTable,
  ranked: RankedKeys,
): readonly number[] =>
  sort.map(({ field, descending }, i) =>
    isItsDate(field, table)
      ? keyOfDate(Number(values[i] ?? Number.NaN), descending)
      : keyOfRank(Number(ranked.get(i) ?? NO_RANK), descending),
  )

function keyOfDate(date: number, descending: boolean): number {
  if (Number.isNaN(date)) return Number.POSITIVE_INFINITY
  return descending ? -date : date
}

const keyOfRank = (rank: number, descending: boolean): number =>
  rank === NO_RANK ? Number.POSITIVE_INFINITY : descending ? -rank : rank

export function compareRows(keys: readonly RowKey[], a: number, b: number): number {
  for (const key of keys) {
    const one = key(a)
    const other = key(b)
    if (one !== other) return one < other ? -1 : 1
  }
  return 0
}

/** True if a row sorts strictly after the given keys. */
export function isBehind(keys: readonly RowKey[], row: number, place: readonly number[]): boolean {
  for (let i = 0; i < place.length; i++) {
    const own = keys[i]?.(row) ?? 0
    const other = place[i] ?? 0
    if (own !== other) return own > other
  }
  return false
}
