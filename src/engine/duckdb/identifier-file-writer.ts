import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api'
import { HASH_RECORD, type IdentifierSection, ORDER_RECORD } from './identifier-file.ts'
import type { IdentifierLists, IndexDefinition } from './index-table.ts'
import { hashOf } from './located-rows.ts'
import type { SourceFile } from './source-file.ts'
import { type FieldLayout, rankColumnOf } from './table-layout.ts'

/** Records are written this many bytes at a time. */
const PORTION = 1024 * 1024

/** How a row becomes a record. */
interface RecordKind {
  readonly length: number
  readonly write: (bytes: Buffer, at: number, row: readonly number[]) => void
}

const hashRecord: RecordKind = {
  length: HASH_RECORD,
  write: (bytes, at, [low = 0, high = 0, rank = 0]) => {
    bytes.writeUInt32LE(low, at)
    bytes.writeUInt32LE(high, at + 4)
    bytes.writeUInt32LE(rank, at + 8)
  },
}

const orderRecord: RecordKind = {
  length: ORDER_RECORD,
  write: (bytes, at, [place = 0, size = 0, rank = 0]) => {
    bytes.writeDoubleLE(place, at)
    bytes.writeUInt32LE(size, at + 8)
    bytes.writeUInt32LE(rank, at + 12)
  },
}

/** Writes the lists of all ranked identifiers of an arranged table into a new file; it is on disk then. */
export async function writeIdentifiers(
  connection: DuckDBConnection,
  { table, layout }: IndexDefinition,
  name: string,
  file: SourceFile,
): Promise<IdentifierLists> {
  const sections: IdentifierSection[] = []
  let end = 0
  for (const field of layout.fields.filter(({ ranked }) => ranked === 'rows')) {
    const hashesAt = end
    const orderAt = await writeRecords(connection, hashesSql(table, field), hashRecord, file, hashesAt)
    end = await writeRecords(connection, orderSql(table, field), orderRecord, file, orderAt)
    sections.push({ path: field.path, count: (orderAt - hashesAt) / HASH_RECORD, hashesAt, orderAt })
  }
  await file.sync()
  return { file: name, end, sections }
}

function hashesSql(table: string, field: FieldLayout): string {
  const rank = rankColumnOf(field).name
  const rows = `SELECT ${hashOf(field.column)} AS h, ${rank} AS rank FROM ${table} WHERE ${rank} IS NOT NULL`
  const halves = ['h & 4294967295', 'h >> 32'].map((half) => `CAST(${half} AS UINTEGER)`)
  return `SELECT ${halves.join(', ')}, rank FROM (${rows}) ORDER BY h`
}

function orderSql(table: string, field: FieldLayout): string {
  const rank = rankColumnOf(field).name
  return `SELECT CAST(_at AS DOUBLE), _size, ${rank} FROM ${table} WHERE ${rank} IS NOT NULL ORDER BY ${rank}`
}

/** Answers where they end. */
async function writeRecords(
  connection: DuckDBConnection,
  sql: string,
  { length, write }: RecordKind,
  file: SourceFile,
  from: number,
): Promise<number> {
  const result = await connection.stream(sql)
  const bytes = Buffer.alloc(Math.floor(PORTION / length) * length)
  let written = from
  let filled = 0
  const pass = async (): Promise<void> => {
    await file.write(written, [bytes.subarray(0, filled)])
    written += filled
    filled = 0
  }
  for (let chunk = await result.fetchChunk(); chunk && chunk.rowCount > 0; chunk = await result.fetchChunk()) {
    const columns: DuckDBValue[][] = chunk.getColumns()
    for (let row = 0; row < chunk.rowCount; row++) {
      write(
        bytes,
        filled,
        columns.map((column) => Number(column[row])),
      )
      filled += length
      if (filled === bytes.length) await pass()
    }
  }
  await pass()
  return written
}
