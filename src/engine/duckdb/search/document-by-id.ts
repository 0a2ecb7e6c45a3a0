import type { StoredDocument } from '../../engine.ts'
import { readTables } from '../condition/snapshot.ts'
import type { Database } from '../database/database.ts'
import { fetchParsed, toPlace } from '../table/found-documents.ts'
import type { IndexTable } from '../table/index-table.ts'

/** Returns the document stored under an identifier. The table has no index of identifiers, so all of them are read. */
export function documentById(
  database: Database,
  table: () => IndexTable,
  id: string,
  signal: AbortSignal | undefined,
): Promise<StoredDocument | undefined> {
  return readTables(
    database,
    () => [table()],
    signal,
    async (reader, [held]) => {
      if (!held) return undefined
      const [row] = await reader.rows(`SELECT _at, _size FROM ${held.table} WHERE _id = $1`, [id])
      const [found] = row ? await fetchParsed([toPlace(held, row[0], row[1])]) : []
      return found && { ...found, id }
    },
  )
}
