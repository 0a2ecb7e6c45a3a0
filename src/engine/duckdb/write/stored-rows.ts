import { type DuckDBConnection, DuckDBListValue } from '@duckdb/node-api'
import type { SourcePlace } from '../files/source-pieces.ts'
import type { IndexTable } from '../index/index-table.ts'

/** Row number and source extent of a stored document. */
export interface StoredRow extends SourcePlace {
  readonly seq: number
}

/** Finds rows by the ids of their documents, in the state a transaction sees. */
export interface StoredRows {
  /** Returns the rows of the ids that are stored. */
  find(table: IndexTable, ids: readonly string[]): Promise<ReadonlyMap<string, StoredRow>>
}

/** Returns the rows as the transaction of a connection sees them. */
export type StoredRowsIn = (connection: DuckDBConnection) => StoredRows

/** Finds rows with a scan of the ids. */
export const scannedRows: StoredRowsIn = (connection) => ({
  async find({ table }, ids) {
    if (ids.length === 0) return new Map()
    const listed = '_id IN (SELECT unnest(CAST($1 AS VARCHAR[])))'
    const sql = `SELECT _id, _seq, _at, _size FROM ${table} WHERE ${listed}`
    const rows = await (await connection.run(sql, [new DuckDBListValue(ids)])).getRows()
    return new Map(
      rows.map(([id, seq, at, size]) => [String(id), { seq: Number(seq), at: Number(at), size: Number(size) }]),
    )
  },
})

/** Deletes rows by number. The bounds let the scan skip other rows. */
export async function removeRows(
  connection: DuckDBConnection,
  { table }: IndexTable,
  rows: readonly StoredRow[],
): Promise<void> {
  if (rows.length === 0) return
  let first = Number.POSITIVE_INFINITY
  let last = 0
  for (const { seq } of rows) {
    first = Math.min(first, seq)
    last = Math.max(last, seq)
  }
  const sql = `DELETE FROM ${table} WHERE _seq BETWEEN ${first} AND ${last} AND _seq IN (SELECT unnest(CAST($1 AS BIGINT[])))`
  await connection.run(sql, [new DuckDBListValue(rows.map(({ seq }) => BigInt(seq)))])
}
