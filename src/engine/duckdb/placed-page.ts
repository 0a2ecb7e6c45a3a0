import type { SearchPlan } from '../../query/plan.ts'
import type { Predicate } from '../../query/predicate.ts'
import type { DocumentPlace } from './found-documents.ts'
import type { IndexTable } from './index-table.ts'
import { findPlacedRows } from './placed-rows.ts'
import type { RankedKeys } from './ranked-keys.ts'
import { DATE_RECORD, RANK_RECORD } from './row-file.ts'
import { compileMatch, pathsIn, type RowColumns } from './row-match.ts'
import { canOrder, compareRows, compileKeys, isBehind, keysOfCursor, type RowKey } from './row-order.ts'
import { countRows, type RowSpan } from './row-spans.ts'

/** Bytes of columns that are looked through; beyond that the database, which uses all threads, is sooner done. */
const MOST_BYTES = 4 * 1024 * 1024

/** How many match a predicate that demands a place; undefined where the file of rows does not tell it, or there are too many. */
export async function countPlaced(predicate: Predicate, tables: readonly IndexTable[]): Promise<number | undefined> {
  const [table] = tables
  const placed = await findPlacedRows(predicate, tables)
  if (!table || !placed) return undefined
  const { spans, rest } = placed
  const rows = countRows(spans)
  if (rest.kind === 'everything') return rows
  const columns = await readColumns(table, spans, pathsIn(rest))
  if (!columns) return undefined
  const matches = compileMatch(rest, table, columns)
  let count = 0
  for (let row = 0; row < rows; row++) if (matches(row)) count++
  return count
}

export interface PlacedPage {
  readonly places: readonly DocumentPlace[]
  /** Of all matches. */
  readonly total: number
}

/** The page of a plan that demands a place; undefined where the file of rows does not tell it, or there are too many. */
export async function pageOfPlaced(
  { predicate, sort, cursor, from, size }: SearchPlan,
  tables: readonly IndexTable[],
  ranked: RankedKeys,
): Promise<PlacedPage | undefined> {
  const [table] = tables
  const rows = table?.files.rows
  if (!table || !rows || cursor?.direction === 'before' || !canOrder(sort, table, ranked)) return undefined
  const placed = await findPlacedRows(predicate, tables)
  if (!placed) return undefined
  const { spans, rest } = placed
  const columns = await readColumns(table, spans, [...pathsIn(rest), ...sort.map(({ field }) => field.path)])
  if (!columns) return undefined
  const keys = compileKeys(sort, table, columns)
  const { found, total } = firstRows({
    rows: countRows(spans),
    matches: rest.kind === 'everything' ? undefined : compileMatch(rest, table, columns),
    keys,
    after: cursor && keysOfCursor(cursor, sort, table, ranked),
    wanted: from + size,
  })
  const places = await rows.sources(numbersOf(found.slice(from), spans))
  return { places: places.map((place) => ({ ...place, table })), total }
}

/** The columns of the given paths, of all rows of the spans; undefined where they take too much. */
async function readColumns(
  table: IndexTable,
  spans: readonly RowSpan[],
  paths: readonly string[],
): Promise<RowColumns | undefined> {
  const { rows } = table.files
  if (!rows) return undefined
  const wanted = new Set(paths)
  const isDated = rows.lists.datePath !== undefined && wanted.delete(rows.lists.datePath)
  const bytesOfRow = (isDated ? DATE_RECORD : 0) + RANK_RECORD * wanted.size
  if (countRows(spans) * bytesOfRow > MOST_BYTES) return undefined
  const ranks = new Map<string, Uint32Array>()
  for (const path of wanted) ranks.set(path, await rows.ranks(spans, path))
  return { dates: isDated ? await rows.dates(spans) : new Float64Array(0), ranks }
}

interface Sought {
  readonly rows: number
  readonly matches: ((row: number) => boolean) | undefined
  readonly keys: readonly RowKey[]
  readonly after: readonly number[] | undefined
  readonly wanted: number
}

/** The first rows in the order of keys, and how many match; rows are numbered as in the columns. */
function firstRows({ rows, matches, keys, after, wanted }: Sought): { found: readonly number[]; total: number } {
  const [first] = keys
  if (!first) throw new Error('an order has a key')
  let found: number[] = []
  let last = Number.POSITIVE_INFINITY
  let total = 0
  const cut = (): void => {
    found = found.sort((a, b) => compareRows(keys, a, b)).slice(0, wanted)
    const end = found[wanted - 1]
    if (end !== undefined) last = first(end)
  }
  for (let row = 0; row < rows; row++) {
    if (matches && !matches(row)) continue
    total++
    if (first(row) > last || (after && !isBehind(keys, row, after))) continue
    found.push(row)
    if (found.length >= 2 * wanted + CUT_AT_LEAST) cut()
  }
  cut()
  return { found, total }
}

/** Fewer are not worth a sort. */
const CUT_AT_LEAST = 256

/** The numbers in the table of rows that are numbered through all spans. */
function numbersOf(rows: readonly number[], spans: readonly RowSpan[]): readonly number[] {
  const starts: number[] = []
  let before = 0
  for (const { first, end } of spans) {
    starts.push(before)
    before += end - first
  }
  return rows.map((row) => {
    let [low, high] = [0, starts.length]
    while (high - low > 1) {
      const middle = (low + high) >>> 1
      if ((starts[middle] ?? 0) <= row) low = middle
      else high = middle
    }
    return (spans[low]?.first ?? 0) + row - (starts[low] ?? 0)
  })
}
