import { type DuckDBConnection, DuckDBListValue } from '@duckdb/node-api'

/** Deletes rows by number. The bounds let the scan skip other rows. */
export async function removeRows(connection: DuckDBConnection, table: string, seqs: readonly number[]): Promise<void> {
  if (seqs.length === 0) return
  let first = Number.POSITIVE_INFINITY
  let last = 0
  for (const seq of seqs) {
    first = Math.min(first, seq)
    last = Math.max(last, seq)
  }
  const sql = `DELETE FROM ${table} WHERE _seq BETWEEN ${first} AND ${last} AND _seq IN (SELECT unnest(CAST($1 AS BIGINT[])))`
  await connection.run(sql, [new DuckDBListValue(seqs.map(BigInt))])
}
