import { setTimeout } from 'node:timers/promises'
import type { Database } from '../database/database.ts'
import { isStale } from '../database/engine-fault.ts'
import type { ReadLength } from '../database/read-slots.ts'
import type { Reader } from '../database/reader.ts'
import type { IndexTable } from '../table/index-table.ts'

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
 * Tables are looked up before the snapshot starts. If an index is dropped or its sources move to another file in
 * between, the table does not exist under its name; the query is then retried with the current tables.
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
export async function holding<T>(
  tables: readonly IndexTable[],
  work: (tables: readonly IndexTable[]) => Promise<T>,
): Promise<T> {
  for (const { sources, parts } of tables) {
    sources.hold()
    parts.hold()
  }
  try {
    return await work(tables)
  } finally {
    for (const { sources, parts } of tables) {
      await sources.release()
      await parts.release()
    }
  }
}
