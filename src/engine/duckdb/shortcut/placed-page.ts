import type { SearchPlan } from '../../../query/plan/plan.ts'
import type { Predicate } from '../../../query/plan/predicate.ts'
import { DATE_RECORD, RANK_RECORD } from '../files/row-file.ts'
import { countRows, numberRows, type RowSpan } from '../files/row-spans.ts'
import type { SourcePlace } from '../files/source-pieces.ts'
import type { DocumentPlace } from '../index/found-documents.ts'
import type { IndexTable } from '../index/index-table.ts'
import { firstRows } from './first-rows.ts'
import { findPlacedRows, type PlacedRows } from './placed-rows.ts'
import { walkPlaced } from './placed-walk.ts'
import type { RankedKeys } from './ranked-keys.ts'
import { compileMatch, pathsIn, type RowColumns } from './row-match.ts'
import { canOrder, compileKeys, keysOfCursor } from './row-order.ts'

/** Maximum bytes of columns to read. Above it the database is faster, since it uses all threads. */
const MOST_PAGE_BYTES = 4 * 1024 * 1024

/**
 * Returns the number of matches of a predicate that filters by place. Undefined if the row file cannot answer it or
 * there are too many rows.
 */
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

interface PlacedPage {
  readonly places: readonly DocumentPlace[]
  /** Number of all matches. */
  readonly total: number
}

/**
 * Returns the page of a plan that filters by place. Undefined if the files cannot answer it or there are too many rows.
 */
export async function pageOfPlaced(
  plan: SearchPlan,
  tables: readonly IndexTable[],
  ranked: RankedKeys,
): Promise<PlacedPage | undefined> {
  const [table] = tables
  if (!table || !canOrder(plan.sort, table, ranked)) return undefined
  const placed = await findPlacedRows(plan.predicate, tables)
  if (!placed) return undefined
  const walked = await walkPlaced(plan, placed, table, ranked)
  const page = walked
    ? { places: walked, total: countRows(placed.spans) }
    : await lookThrough(plan, placed, table, ranked)
  return page && { ...page, places: page.places.map(({ at, size }) => ({ at, size, table })) }
}

/** Returns the page by scanning the columns of all rows. */
async function lookThrough(
  { sort, cursor, from, size }: SearchPlan,
  { spans, rest }: PlacedRows,
  table: IndexTable,
  ranked: RankedKeys,
): Promise<{ places: readonly SourcePlace[]; total: number } | undefined> {
  if (cursor?.direction === 'before') return undefined
  const columns = await readColumns(table, spans, [...pathsIn(rest), ...sort.map(({ field }) => field.path)])
  if (!columns) return undefined
  const { found, total } = firstRows({
    rows: countRows(spans),
    matches: rest.kind === 'everything' ? undefined : compileMatch(rest, table, columns),
    keys: compileKeys(sort, table, columns),
    after: cursor && keysOfCursor(cursor, sort, table, ranked),
    wanted: from + size,
  })
  const places = await table.files.rows?.sources(numberRows(found.slice(from), spans))
  return places && { places, total }
}

/** Reads the columns of the given paths for all rows of the spans. Undefined if they are too large. */
async function readColumns(
  { files: { rows } }: IndexTable,
  spans: readonly RowSpan[],
  paths: readonly string[],
): Promise<RowColumns | undefined> {
  if (!rows) return undefined
  const wanted = new Set(paths)
  const isDated = rows.lists.datePath !== undefined && wanted.delete(rows.lists.datePath)
  const bytesOfRow = (isDated ? DATE_RECORD : 0) + RANK_RECORD * wanted.size
  if (countRows(spans) * bytesOfRow > MOST_PAGE_BYTES) return undefined
  const ranks = new Map<string, Uint32Array>()
  for (const path of wanted) ranks.set(path, await rows.ranks(spans, path))
  return { dates: isDated ? await rows.dates(spans) : new Float64Array(0), ranks }
}
