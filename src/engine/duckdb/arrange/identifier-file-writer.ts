import type { DuckDBConnection } from '@duckdb/node-api'
import { doubleChunks } from '../database/vector-items.ts'
import { HASH_RECORD, type IdentifierLists, type IdentifierSection, ORDER_RECORD } from '../files/identifier-file.ts'
import type { SourceFile } from '../files/source-file.ts'
import type { IndexTable } from '../index/index-table.ts'
import { type FieldLayout, rankColumnOf } from '../index/table-layout.ts'

/** Bytes per write. */
const PORTION = 1024 * 1024

/** Converts a row of double columns to a record. */
interface RecordKind {
  readonly length: number
  readonly write: (record: DataView, at: number, columns: readonly Float64Array[], row: number) => void
}

const hashRecord: RecordKind = {
  length: HASH_RECORD,
  write: (bytes, at, [low, high, rank], row) => {
    bytes.setUint32(at, low?.[row] ?? 0, true)
    bytes.setUint32(at + 4, high?.[row] ?? 0, true)
    bytes.setUint32(at + 8, rank?.[row] ?? 0, true)
  },
}

const orderRecord: RecordKind = {
  length: ORDER_RECORD,
  write: (bytes, at, [place, size, rank, number], row) => {
    bytes.setFloat64(at, place?.[row] ?? 0, true)
    bytes.setUint32(at + 8, size?.[row] ?? 0, true)
    bytes.setUint32(at + 12, rank?.[row] ?? 0, true)
    bytes.setUint32(at + 16, number?.[row] ?? 0, true)
  },
}

/** Writes the lists of all ranked identifiers of an arranged table and syncs the file. The lookup table must exist. */
export async function writeIdentifiers(
  connection: DuckDBConnection,
  table: IndexTable,
  name: string,
  file: SourceFile,
): Promise<IdentifierLists> {
  const sections: IdentifierSection[] = []
  let end = 0
  for (const field of table.definition.layout.fields.filter(({ ranked }) => ranked === 'rows')) {
    const hashesAt = end
    const orderAt = await writeRecords(connection, hashesSql(table, field), hashRecord, file, hashesAt)
    end = await writeRecords(connection, orderSql(table, field), orderRecord, file, orderAt)
    sections.push({ path: field.path, count: (orderAt - hashesAt) / HASH_RECORD, hashesAt, orderAt })
  }
  await file.sync()
  return { file: name, end, sections, tellsRows: true }
}

function hashesSql(table: IndexTable, { path }: FieldLayout): string {
  const values = asDoubles(['h & 4294967295', 'h >> 32', 'rank'])
  return `SELECT ${values} FROM ${table.lookupTable} WHERE field = ${table.lookupNumber(path)} ORDER BY h`
}

function orderSql({ table }: IndexTable, field: FieldLayout): string {
  const rank = rankColumnOf(field).name
  return `SELECT ${asDoubles(['_at', '_size', rank, '_seq'])} FROM ${table} WHERE ${rank} IS NOT NULL ORDER BY ${rank}`
}

const asDoubles = (values: readonly string[]): string => values.map((value) => `CAST(${value} AS DOUBLE)`).join(', ')

/** Returns the end offset of the records. */
async function writeRecords(
  connection: DuckDBConnection,
  sql: string,
  { length, write }: RecordKind,
  file: SourceFile,
  from: number,
): Promise<number> {
  const result = await connection.stream(sql)
  const bytes = Buffer.alloc(Math.floor(PORTION / length) * length)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  let written = from
  let filled = 0
  const pass = async (): Promise<void> => {
    await file.write(written, [bytes.subarray(0, filled)])
    written += filled
    filled = 0
  }
  for await (const { rowCount, doubles } of doubleChunks(result)) {
    const columns = Array.from({ length: result.columnCount }, (_, i) => doubles(i))
    for (let row = 0; row < rowCount; row++) {
      write(view, filled, columns, row)
      filled += length
      if (filled === bytes.length) await pass()
    }
  }
  await pass()
  return written
}
