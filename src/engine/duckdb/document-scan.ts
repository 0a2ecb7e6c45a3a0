import type { DuckDBValue } from '@duckdb/node-api'
import type { Selection } from '../../query/plan.ts'
import type { Predicate } from '../../query/predicate.ts'
import type { StoredDocument } from '../engine.ts'
import type { Database, Reader } from './database.ts'
import { fetchStored } from './found-documents.ts'
import type { IndexTable } from './index-table.ts'
import { compileSelections } from './selection-sql.ts'
import { readTables, type Tables, withSql } from './snapshot.ts'
import { SqlBuilder } from './sql-builder.ts'

/** Documents that come before the rest is put in order: a chunk of the database. */
const FIRST = 2048

/** All documents of the selection, batch by batch. */
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
    for (const table of tables) yield* scanTable(database, reader, table, selection.predicate)
  } finally {
    release.resolve()
    await held
  }
}

/**
 * In the order of the source file, which is then read from front to back. Since nothing is known before all matches are
 * in order, a first batch comes as it is found; whoever wants no more does not wait.
 */
async function* scanTable(
  database: Database,
  reader: Reader,
  table: IndexTable,
  predicate: Predicate,
): AsyncIterable<readonly StoredDocument[]> {
  const compile = (sql: SqlBuilder): string => {
    const parts = compileSelections(predicate, table, new Map(), sql)
    return parts.map((c) => `SELECT _id, _at, _size FROM ${table.table} WHERE ${c}`).join(' UNION ALL ')
  }
  const placeOf = (row: readonly DuckDBValue[]): number => Number(row[1])
  const first = await withSql(database, (sql) =>
    reader.rows(`SELECT * FROM (${compile(sql)}) LIMIT ${FIRST}`, sql.values),
  )
  if (first.length > 0) yield await fetchStored(table, first)
  if (first.length < FIRST) return
  const seen = new Set(first.map(placeOf))
  const sql = new SqlBuilder(database.matchers)
  try {
    for await (const rows of reader.stream(`${compile(sql)} ORDER BY _at`, sql.values)) {
      const others = rows.filter((row) => !seen.has(placeOf(row)))
      if (others.length > 0) yield await fetchStored(table, others)
    }
  } finally {
    sql.release()
  }
}
