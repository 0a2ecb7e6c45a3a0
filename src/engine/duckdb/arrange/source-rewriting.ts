import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api'
import type { SourceFile } from '../files/source-file.ts'
import type { SourcePlace } from '../files/source-pieces.ts'
import type { IndexTable } from '../index/index-table.ts'

/** Bytes. A smaller file is never rewritten. */
export const SMALL_FILE = 8 * 1024 * 1024

/** A file is rewritten when less than this share of it is used by documents. */
const USED_SHARE = 0.5

/** Bytes copied at a time. */
const PORTION = 4 * 1024 * 1024

/** True if most of the source file belongs to replaced or deleted documents. */
export async function wantsNewSources(connection: DuckDBConnection, table: IndexTable): Promise<boolean> {
  if (table.definition.sourceEnd <= SMALL_FILE) return false
  return (await usedBytes(connection, table)) < table.definition.sourceEnd * USED_SHARE
}

/** Returns the bytes of the source file that are used by documents. */
export async function usedBytes(connection: DuckDBConnection, { table }: IndexTable): Promise<number> {
  const rows = await (await connection.run(`SELECT sum(_size) FROM ${table}`)).getRows()
  return Number(rows[0]?.[0] ?? 0)
}

/** Table that maps the row (`_seq`) of each document to its old and new offset (`old`, `_at`) in the source file. */
export const placesTable = (table: IndexTable): string => `${table.table}_places`

/** Copies the sources of all documents to another file in the given order, and syncs it. Returns the end offset. */
export async function copySources(
  connection: DuckDBConnection,
  table: IndexTable,
  order: string,
  target: SourceFile,
): Promise<number> {
  const moved = `CAST(sum(_size) OVER (ORDER BY ${order} ROWS UNBOUNDED PRECEDING) - _size AS BIGINT)`
  const places = `SELECT d._seq, d._at AS old, d._size, ${moved} AS _at FROM ${table.table} d`
  await connection.run(`CREATE TABLE ${placesTable(table)} AS ${places}`)
  const copied = await connection.stream(`SELECT old, _size FROM ${placesTable(table)} ORDER BY _at`)
  let end = 0
  for await (const portion of portionsOf(copied.yieldRows())) {
    const bytes = Buffer.concat(await table.sources.read(portion))
    await target.write(end, [bytes])
    end += bytes.length
  }
  await target.sync()
  return end
}

async function* portionsOf(chunks: AsyncIterable<DuckDBValue[][]>): AsyncIterable<readonly SourcePlace[]> {
  let portion: SourcePlace[] = []
  let bytes = 0
  for await (const rows of chunks) {
    for (const [at, size] of rows) {
      portion.push({ at: Number(at), size: Number(size) })
      bytes += Number(size)
      if (bytes < PORTION) continue
      yield portion
      portion = []
      bytes = 0
    }
  }
  if (portion.length > 0) yield portion
}
