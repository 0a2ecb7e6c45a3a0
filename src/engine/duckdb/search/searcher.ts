import type { DuckDBValue } from '@duckdb/node-api'
import type { SearchPlan, Selection } from '../../../query/plan/plan.ts'
import type { FoundDocument, SearchResult, StoredDocument } from '../../engine.ts'
import { hashOf, type LocatedRows, locateRows } from '../condition/located-rows.ts'
import { compileRow, compileSelections, compileTail } from '../condition/selection-sql.ts'
import { lookUpIn, readTables, type Tables } from '../condition/snapshot.ts'
import type { Database } from '../database/database.ts'
import type { Reader } from '../database/reader.ts'
import { type SqlBuilder, withSql } from '../database/sql-builder.ts'
import { type DocumentPlace, fetchDocuments, fetchStored, toPlace } from '../index/found-documents.ts'
import type { IndexTable } from '../index/index-table.ts'
import { countArranged, knownCount } from '../index/key-counts.ts'
import { findIdentified, type Identify } from '../shortcut/identified-document.ts'
import { pageInOrder } from '../shortcut/identifier-order.ts'
import { newestFirstForCount, newestFirstForPage } from '../shortcut/newest-first.ts'
import { type NewestHeads, pageInHead } from '../shortcut/newest-heads.ts'
import { countPlaced, pageOfPlaced } from '../shortcut/placed-page.ts'
import { compileRankSpan } from '../shortcut/rank-span.ts'
import { findRankedKeys } from '../shortcut/ranked-keys.ts'
import { compileCountedPage, compilePage, type PageAids } from './search-sql.ts'

/** Up to this many matches, total and page come from one scan. */
const MOST_COUNTED_WITH_PAGE = 100_000

/** Returns one page of hits and the exact total, from one snapshot. */
export function search(
  database: Database,
  heads: NewestHeads,
  named: Tables,
  plan: SearchPlan,
  signal: AbortSignal | undefined,
): Promise<SearchResult> {
  return readTables(database, named, signal, async (reader, tables) => {
    const identify: Identify = (predicate) => findIdentified(tables, predicate)
    const identified = plan.cursor || plan.from > 0 ? undefined : await identify(plan.predicate)
    if (identified) return singleResult(identified.document, plan)
    const lookUp = lookUpIn(reader)
    const located = await locateRows(plan.predicate, tables, lookUp)
    const single = plan.cursor || plan.from > 0 ? undefined : onlyRow(tables, located)
    if (single) return findSingle(reader, single, located, plan)
    const aids = { located, ranked: await findRankedKeys(plan, tables, lookUp, identify) }
    const { places, total } = await findPlaces(heads, reader, tables, plan, aids)
    const hits = await fetchDocuments(places)
    if (plan.cursor?.direction === 'before') hits.reverse()
    return total === undefined ? { hits } : { total, hits }
  })
}

/** At most one document can match, so no sort is needed. */
async function findSingle(
  reader: Reader,
  table: IndexTable,
  located: LocatedRows,
  plan: SearchPlan,
): Promise<SearchResult> {
  const [row] = await withSql((sql) => {
    const [condition] = compileSelections(plan.predicate, table, located, sql)
    return reader.rows(`SELECT _at, _size FROM ${table.table} WHERE ${condition}`, sql.values)
  })
  const [found] = row ? await fetchDocuments([toPlace(table, row[0], row[1])]) : []
  return singleResult(found, plan)
}

function singleResult(found: FoundDocument | undefined, { size, wantsTotal }: SearchPlan): SearchResult {
  const hits = found && size > 0 ? [found] : []
  return wantsTotal ? { total: found ? 1 : 0, hits } : { hits }
}

interface Places {
  readonly places: readonly DocumentPlace[]
  readonly total?: number
}

async function findPlaces(
  heads: NewestHeads,
  reader: Reader,
  tables: readonly IndexTable[],
  plan: SearchPlan,
  aids: PageAids,
): Promise<Places> {
  const { predicate } = plan
  const newest = newestFirstForPage(plan, tables, aids.ranked)
  const scanned = newest ? [newest] : tables
  const known = knownCount(predicate, tables)
  const inOrder = await pageInOrder(plan, tables, aids.ranked)
  if (inOrder && known !== undefined) return plan.wantsTotal ? { places: inOrder, total: known } : { places: inOrder }
  const placed = await pageOfPlaced(plan, tables, aids.ranked)
  if (placed) return placed
  // A page alone skips everything after it in the sort order. Counting reads every match.
  if (
    plan.wantsTotal &&
    known === undefined &&
    !tables.every((table) => countArranged(predicate, table) !== undefined)
  ) {
    const rows = await withSql((sql) =>
      reader.rows(compileCountedPage(plan, scanned, aids, MOST_COUNTED_WITH_PAGE, sql), sql.values),
    )
    const total = Number(rows[0]?.[3] ?? MOST_COUNTED_WITH_PAGE + 1)
    if (total <= MOST_COUNTED_WITH_PAGE) return { places: toPlaces(rows, tables), total }
  }
  const places =
    (newest && pageInHead(plan, newest, await heads.of(newest, reader), aids.ranked)) ??
    toPlaces(await findPage(reader, scanned, plan, aids), tables)
  if (!plan.wantsTotal) return { places }
  if (known !== undefined) return { places, total: known }
  // If a first page is not full, it contains all matches.
  const complete = !plan.cursor && places.length < plan.size && (plan.from === 0 || places.length > 0)
  return { places, total: complete ? plan.from + places.length : await countIn(reader, tables, plan) }
}

async function findPage(
  reader: Reader,
  tables: readonly IndexTable[],
  plan: SearchPlan,
  aids: PageAids,
): Promise<readonly (readonly DuckDBValue[])[]> {
  const span = compileRankSpan(plan, tables, aids.ranked)
  const find = (within?: typeof span): Promise<DuckDBValue[][]> =>
    withSql((sql) => reader.rows(compilePage(plan, tables, aids, sql, within), sql.values))
  const rows = span === undefined ? [] : await find(span)
  return rows.length > 0 && rows.length === plan.size ? rows : find()
}

function toPlaces(rows: readonly (readonly DuckDBValue[])[], tables: readonly IndexTable[]): readonly DocumentPlace[] {
  return rows.flatMap(([number, at, size]) => {
    const table = tables[Number(number)]
    return table ? toPlace(table, at, size) : []
  })
}

/** Returns the table if it is the only one and only one of its rows can match. */
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
  return readTables(database, named, signal, (reader, tables) => countIn(reader, tables, selection))
}

export async function countIn(reader: Reader, tables: readonly IndexTable[], selection: Selection): Promise<number> {
  const { predicate } = selection
  const known = knownCount(predicate, tables)
  if (known !== undefined) return known
  const placed = await countPlaced(predicate, tables)
  if (placed !== undefined) return placed
  const located = await locateRows(predicate, tables, lookUpIn(reader))
  let arranged = 0
  const rows = await withSql((sql) => {
    const parts = tables.flatMap((t) => {
      const counted = countArranged(predicate, t)
      arranged += counted ?? 0
      const scanned = newestFirstForCount(predicate, t) ?? t
      const conditions =
        counted === undefined ? compileSelections(predicate, scanned, located, sql) : [compileTail(predicate, t, sql)]
      return conditions.map((c) => `SELECT count(*) AS n FROM ${scanned.table} WHERE ${c}`)
    })
    return reader.rows(`SELECT sum(n) FROM (${parts.join(' UNION ALL ')})`, sql.values)
  })
  return arranged + Number(rows[0]?.[0] ?? 0)
}

/** Returns the document with an `_id`. */
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
      const rows = await withSql(async (sql) => {
        const isIt = `_id = ${sql.bind(id, 'VARCHAR')}`
        const parts = await locateId(reader, table, id, sql)
        const found = parts.map((c) => `SELECT _id, _at, _size FROM ${table.table} WHERE ${c} AND ${isIt}`)
        return found.length === 0 ? [] : reader.rows(found.join(' UNION ALL '), sql.values)
      })
      const [stored] = await fetchStored(table, rows)
      return stored
    },
  )
}

/** Returns conditions on the parts of a table that can contain an `_id`. */
async function locateId(reader: Reader, table: IndexTable, id: string, sql: SqlBuilder): Promise<readonly string[]> {
  const number = table.lookupNumber('_id')
  if (number === undefined) return ['TRUE']
  const hash = hashOf('CAST($1 AS VARCHAR)')
  const rows = await reader.rows(`SELECT seq FROM ${table.lookupTable} WHERE field = ${number} AND h = ${hash}`, [id])
  const places = rows.map(([seq]) => compileRow(seq ?? null, sql))
  return table.hasTail ? [...places, `_seq >= ${table.definition.arrangedSeq}`] : places
}
