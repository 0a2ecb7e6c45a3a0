import { type DuckDBConnection, DuckDBListValue } from '@duckdb/node-api'
import type { StoredRow } from '../parts/index-parts.ts'
import type { IndexTable } from '../table/index-table.ts'

/**
 * Returns the documents with these ids, as far as there are any. Those of segments that cannot be read are looked up in
 * the database, which takes longer.
 */
export async function findStored(
  connection: DuckDBConnection,
  { table, parts }: IndexTable,
  ids: ReadonlySet<string>,
): Promise<ReadonlyMap<string, StoredRow>> {
  const found = new Map(await parts.findAll(ids))
  const missing = [...ids].filter((id) => !found.has(id))
  for (const { firstSeq, endSeq } of missing.length > 0 ? parts.lost : []) {
    const sql = `SELECT _id, _seq, _at, _size FROM ${table} WHERE _seq >= ${firstSeq} AND _seq < ${endSeq} AND _id IN (SELECT unnest(CAST($1 AS VARCHAR[])))`
    const rows = await (await connection.run(sql, [new DuckDBListValue(missing)])).getRows()
    for (const [id, seq, at, size] of rows) {
      found.set(String(id), { seq: Number(seq), at: Number(at), size: Number(size) })
    }
  }
  return found
}

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
