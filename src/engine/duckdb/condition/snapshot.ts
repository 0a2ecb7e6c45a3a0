import { setTimeout } from 'node:timers/promises'
import type { Database } from '../database/database.ts'
import { isStale } from '../database/engine-fault.ts'
import type { ReadLength } from '../database/read-slots.ts'
import type { Reader } from '../database/reader.ts'
import { withSql } from '../database/sql-builder.ts'
import { holdFiles, releaseFiles } from '../index/index-files.ts'
import type { IndexTable } from '../index/index-table.ts'
import type { LookUp } from './located-rows.ts'

/** Returns the current tables of a query. Called again if a write replaced one meanwhile. */
export type Tables = () => readonly IndexTable[]

const REPLACED_TABLE_TRIES = 5

/** Runs a query in one snapshot. */
export function readTables<T>(
  database: Database,
  tables: Tables,
  signal: AbortSignal | undefined,
  work: (reader: Reader, tables: readonly IndexTable[]) => Promise<T>,
  length: ReadLength = 'quick',
): Promise<T> {
  return retryingStale(() => database.read(signal, (reader) => holding(tables(), (held) => work(reader, held)), length))
}

/**
 * Tables are looked up before the snapshot starts. If one is rearranged or its columns change in between, the table or
 * a column is missing; the query is then retried with the current tables.
 */
export async function retryingStale<T>(query: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await query()
    } catch (error) {
      if (attempt === REPLACED_TABLE_TRIES || !isStale(error)) throw error
      await setTimeout(attempt * 2)
    }
  }
}

/** Keeps the files of the tables open during `work`. */
async function holding<T>(
  tables: readonly IndexTable[],
  work: (tables: readonly IndexTable[]) => Promise<T>,
): Promise<T> {
  for (const { files } of tables) holdFiles(files)
  try {
    return await work(tables)
  } finally {
    for (const { files } of tables) await releaseFiles(files)
  }
}

export const lookUpIn =
  (reader: Reader): LookUp =>
  (compile) =>
    withSql(async (sql) => (await reader.rows(compile(sql), sql.values)).map((row) => row[0] ?? null))
