import type { DuckDBValue } from '@duckdb/node-api'
import type { SearchPlan, Selection } from '../../../query/plan/plan.ts'
import type { SearchResult } from '../../engine.ts'
import { compileSelection } from '../condition/selection-sql.ts'
import { readTables, type Tables } from '../condition/snapshot.ts'
import type { Database } from '../database/database.ts'
import type { Reader } from '../database/reader.ts'
import { withSql } from '../database/sql-builder.ts'
import { type DocumentPlace, fetchDocuments, toPlace } from '../table/found-documents.ts'
import type { IndexTable } from '../table/index-table.ts'
import { compileCountedPage, compilePage } from './search-sql.ts'

/** Up to this many matches, total and page come from one scan. */
const MOST_COUNTED_WITH_PAGE = 100_000

/** Returns one page of hits and the exact total, from one snapshot. */
export function search(
  database: Database,
  named: Tables,
  plan: SearchPlan,
  signal: AbortSignal | undefined,
): Promise<SearchResult> {
  return readTables(database, named, signal, async (reader, tables) => {
    const { places, total } = await findPlaces(reader, tables, plan)
    const hits = await fetchDocuments(places)
    if (plan.cursor?.direction === 'before') hits.reverse()
    return total === undefined ? { hits } : { total, hits }
  })
}

interface Places {
  readonly places: readonly DocumentPlace[]
  readonly total?: number
}

async function findPlaces(reader: Reader, tables: readonly IndexTable[], plan: SearchPlan): Promise<Places> {
  // A page alone skips everything after it in the sort order. Counting reads every match, unless all documents match.
  if (plan.wantsTotal && plan.predicate.kind !== 'everything') {
    const rows = await withSql((sql) =>
      reader.rows(compileCountedPage(plan, tables, MOST_COUNTED_WITH_PAGE, sql), sql.values),
    )
    const total = Number(rows[0]?.[0] ?? MOST_COUNTED_WITH_PAGE + 1)
    const places = rows.map((row) => row.slice(1))
    if (total <= MOST_COUNTED_WITH_PAGE) return { places: toPlaces(places, tables), total }
  }
  const rows = await withSql((sql) => reader.rows(compilePage(plan, tables, sql), sql.values))
  const places = toPlaces(rows, tables)
  if (!plan.wantsTotal) return { places }
  // If a first page is not full, it contains all matches.
  const complete = !plan.cursor && places.length < plan.size && (plan.from === 0 || places.length > 0)
  return { places, total: complete ? plan.from + places.length : await countIn(reader, tables, plan) }
}

function toPlaces(rows: readonly (readonly DuckDBValue[])[], tables: readonly IndexTable[]): readonly DocumentPlace[] {
  return rows.flatMap(([number, at, size, id]) => {
    const table = tables[Number(number)]
    if (!table) return []
    const place = toPlace(table, at, size)
    return typeof id === 'string' ? { ...place, id } : place
  })
}

export function count(
  database: Database,
  named: Tables,
  selection: Selection,
  signal: AbortSignal | undefined,
): Promise<number> {
  return readTables(database, named, signal, (reader, tables) => countIn(reader, tables, selection))
}

export async function countIn(
  reader: Reader,
  tables: readonly IndexTable[],
  { predicate }: Selection,
): Promise<number> {
  const rows = await withSql((sql) => {
    const parts = tables.map((t) => `SELECT count(*) AS n FROM ${t.table} WHERE ${compileSelection(predicate, t, sql)}`)
    return reader.rows(`SELECT sum(n) FROM (${parts.join(' UNION ALL ')})`, sql.values)
  })
  return Number(rows[0]?.[0] ?? 0)
}
