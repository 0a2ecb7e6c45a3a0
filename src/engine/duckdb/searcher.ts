import { DuckDBListValue, type DuckDBValue } from '@duckdb/node-api'
import type { JsonObject } from '../../model/document.ts'
import type { SearchPlan, Selection } from '../../query/plan.ts'
import type { Predicate } from '../../query/predicate.ts'
import type { FoundDocument, SearchResult, StoredDocument } from '../engine.ts'
import type { Database, Reader } from './database.ts'
import type { IndexTable } from './index-table.ts'
import { coverPredicate } from './key-cover.ts'
import { type LocatedRows, locateRows } from './located-rows.ts'
import { findRankedKeys } from './ranked-keys.ts'
import { compileCountedPage, compilePage, type PageAids } from './search-sql.ts'
import { compileIdLookup, compileSelections } from './selection-sql.ts'
import { lookUpIn, readTables, type Tables, withSql } from './snapshot.ts'
import { SqlBuilder } from './sql-builder.ts'

/** Up to this many matches, total and page come from one scan. */
const MOST_COUNTED_WITH_PAGE = 100_000

/** One page of hits and the exact total, from one snapshot. */
export function search(
  database: Database,
  named: Tables,
  plan: SearchPlan,
  signal: AbortSignal | undefined,
): Promise<SearchResult> {
  return readTables(database, named, signal, async (reader, tables) => {
    const lookUp = lookUpIn(database, reader)
    const located = await locateRows(plan.predicate, tables, lookUp)
    const single = plan.cursor || plan.from > 0 ? undefined : onlyRow(tables, located)
    if (single) return findSingle(database, reader, single, located, plan)
    const aids = { located, ranked: await findRankedKeys(plan, tables, lookUp) }
    const { places, total } = await findPlaces(database, reader, tables, plan, aids)
    const hits = await fetchDocuments(reader, tables, places, (table) => compileSpan(plan.predicate, table))
    if (plan.cursor?.direction === 'before') hits.reverse()
    return total === undefined ? { hits } : { total, hits }
  })
}

/** At most one document can match: it needs no order. */
async function findSingle(
  database: Database,
  reader: Reader,
  table: IndexTable,
  located: LocatedRows,
  plan: SearchPlan,
): Promise<SearchResult> {
  const [row] = await withSql(database, (sql) => {
    const [condition] = compileSelections(plan.predicate, table, located, sql)
    return reader.rows(`SELECT _source FROM ${table.table} WHERE ${condition}`, sql.values)
  })
  const hits = row ? [toFound(table, row[0])] : []
  return plan.wantsTotal ? { total: hits.length, hits } : { hits }
}

interface Places {
  readonly places: readonly (readonly DuckDBValue[])[]
  readonly total?: number
}

async function findPlaces(
  database: Database,
  reader: Reader,
  tables: readonly IndexTable[],
  plan: SearchPlan,
  aids: PageAids,
): Promise<Places> {
  if (plan.wantsTotal && plan.predicate.kind !== 'everything') {
    const places = await withSql(database, (sql) =>
      reader.rows(compileCountedPage(plan, tables, aids, MOST_COUNTED_WITH_PAGE, sql), sql.values),
    )
    const total = Number(places[0]?.[2] ?? MOST_COUNTED_WITH_PAGE + 1)
    if (total <= MOST_COUNTED_WITH_PAGE) return { places, total }
  }
  const places = await withSql(database, (sql) => reader.rows(compilePage(plan, tables, aids, sql), sql.values))
  if (!plan.wantsTotal) return { places }
  // A first page that is not full holds everything there is.
  const complete = !plan.cursor && places.length < plan.size && (plan.from === 0 || places.length > 0)
  return { places, total: complete ? plan.from + places.length : await countIn(database, reader, tables, plan) }
}

/** The table, when it is the only one and only one row of it can match. */
function onlyRow(tables: readonly IndexTable[], located: LocatedRows): IndexTable | undefined {
  const [table] = tables
  return table && tables.length === 1 && !table.hasTail && located.get(table)?.length === 1 ? table : undefined
}

export function count(
  database: Database,
  named: Tables,
  selection: Selection,
  signal: AbortSignal | undefined,
): Promise<number> {
  return readTables(database, named, signal, (reader, tables) => countIn(database, reader, tables, selection))
}

export async function countIn(
  database: Database,
  reader: Reader,
  tables: readonly IndexTable[],
  selection: Selection,
): Promise<number> {
  if (selection.predicate.kind === 'everything') return tables.reduce((n, t) => n + t.definition.documents, 0)
  const located = await locateRows(selection.predicate, tables, lookUpIn(database, reader))
  const rows = await withSql(database, (sql) => {
    const parts = tables.flatMap((t) =>
      compileSelections(selection.predicate, t, located, sql).map(
        (c) => `SELECT count(*) AS n FROM ${t.table} WHERE ${c}`,
      ),
    )
    return reader.rows(`SELECT sum(n) FROM (${parts.join(' UNION ALL ')})`, sql.values)
  })
  return Number(rows[0]?.[0] ?? 0)
}

/** The document stored under an `_id`. */
export function document(
  database: Database,
  named: () => IndexTable,
  id: string,
  signal: AbortSignal | undefined,
): Promise<StoredDocument | undefined> {
  return readTables(
    database,
    () => [named()],
    signal,
    async (reader, [table]) => {
      if (!table) return undefined
      const sql = `SELECT _id, _source FROM ${table.table} WHERE ${compileIdLookup(table)}`
      const [row] = await reader.rows(sql, [new DuckDBListValue([id])])
      return row && toDocument(table, row)
    },
  )
}

/** All documents of the selection, chunk by chunk. */
export async function* scan(
  database: Database,
  named: Tables,
  selection: Selection,
  signal: AbortSignal | undefined,
): AsyncIterable<readonly StoredDocument[]> {
  const release = Promise.withResolvers<void>()
  const opened = Promise.withResolvers<{ reader: Reader; tables: readonly IndexTable[] }>()
  // The reader belongs to this iteration: it goes back when the consumer is done or leaves.
  const hold = async (reader: Reader, tables: readonly IndexTable[]): Promise<void> => {
    // Touching every table pins the snapshot, so that one replaced during the scan stays readable.
    for (const table of tables) await reader.rows(`SELECT 1 FROM ${table.table} LIMIT 0`)
    opened.resolve({ reader, tables })
    await release.promise
  }
  const held = readTables(database, named, signal, hold, 'long')
  held.catch(opened.reject)
  try {
    const { reader, tables } = await opened.promise
    for (const table of tables) {
      const sql = new SqlBuilder(database.matchers)
      try {
        const parts = compileSelections(selection.predicate, table, new Map(), sql)
        const text = parts.map((c) => `SELECT _id, _source FROM ${table.table} WHERE ${c}`).join(' UNION ALL ')
        for await (const rows of reader.stream(text, sql.values)) yield rows.map((row) => toDocument(table, row))
      } finally {
        sql.release()
      }
    }
  } finally {
    release.resolve()
    await held
  }
}

/** What a predicate says of the place of its matches, as one range of keys: the rows outside it need no look. */
function compileSpan(predicate: Predicate, table: IndexTable): string | undefined {
  const cover = coverPredicate(predicate, table)
  const [first] = cover ?? []
  const last = cover?.at(-1)
  if (!first || !last) return undefined
  const key = `${table.clusteringField?.column}_key`
  return `${key} BETWEEN CAST(${first.first} AS UBIGINT) AND CAST(${last.last} AS UBIGINT)`
}

/** The documents at the given places, in their order. `holds`: a condition known to hold of all of them in a table. */
export async function fetchDocuments(
  reader: Reader,
  tables: readonly IndexTable[],
  places: readonly (readonly DuckDBValue[])[],
  holds?: (table: IndexTable) => string | undefined,
): Promise<FoundDocument[]> {
  const found = new Map<string, FoundDocument>()
  for (const [number, table] of tables.entries()) {
    const rowIds = places.filter((p) => Number(p[0]) === number).map((p) => String(p[1]))
    if (rowIds.length === 0) continue
    // unnest in a subquery is pushed into the scan as a filter on row numbers; a plain list is not.
    const listed = `rowid IN (SELECT unnest([${rowIds.join(',')}]))`
    const known = holds?.(table)
    // A list of row numbers skips no row group by itself.
    const condition = known === undefined ? listed : `${known} AND ${listed}`
    const sql = `SELECT _source, rowid FROM ${table.table} WHERE ${condition}`
    for (const row of await reader.rows(sql)) found.set(`${number}/${row[1]}`, toFound(table, row[0]))
  }
  return places.flatMap(([number, rowId]) => found.get(`${number}/${rowId}`) ?? [])
}

function toFound(table: IndexTable, source: DuckDBValue | undefined): FoundDocument {
  const text = String(source)
  return { index: table.name, source: JSON.parse(text) as JsonObject, text }
}

function toDocument(table: IndexTable, [id, source]: readonly DuckDBValue[]): StoredDocument {
  return { ...toFound(table, source), id: String(id) }
}
