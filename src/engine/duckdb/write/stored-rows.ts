import { type DuckDBConnection, DuckDBListValue } from '@duckdb/node-api'
import type { StoredRow } from '../parts/index-parts.ts'
import type { IndexTable } from '../table/index-table.ts'

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
