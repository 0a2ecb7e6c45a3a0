import {
  DuckDBBlobValue,
  type DuckDBConnection,
  DuckDBDateValue,
  DuckDBInstance,
  DuckDBListValue,
  DuckDBStructValue,
  DuckDBTimestampMillisecondsValue,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  type DuckDBValue,
} from '@duckdb/node-api'
import { DEFAULT_PARSERS } from 'hyparquet/src/convert.js'
import type { JsonObject } from '../../model/json/document.ts'
import { Turn } from '../../turn.ts'
import { documentOfRow } from '../read/shared/json-value.ts'
import { pickFromFile, type RowPicker } from './row-picker.ts'

/** Memory of the database that reads single rows. It stores nothing. */
const MEMORY = '512MiB'
const THREADS = '2'

/** Rows that both readers must read alike before the database is used. */
const COMPARED_ROWS = 200

const PLAIN =
  /^(BOOLEAN|U?(TINYINT|SMALLINT|INTEGER|BIGINT)|FLOAT|DOUBLE|VARCHAR|DATE|TIMESTAMP(_MS| WITH TIME ZONE)?)$/
const DAY_MS = 86_400_000

let instance: Promise<DuckDBInstance> | undefined

/** Of this process; opened with the first file. */
function database(): Promise<DuckDBInstance> {
  const options = { memory_limit: MEMORY, threads: THREADS, autoinstall_known_extensions: 'false', temp_directory: '' }
  instance ??= DuckDBInstance.create(':memory:', options)
  return instance
}

/**
 * Picks rows with DuckDB, which decodes only what it needs. Undefined if the file has columns that it may read in another
 * way than the reader that loads files.
 */
export async function pickWithDatabase(path: string): Promise<RowPicker | undefined> {
  // A pattern would name other files.
  if (/[*?[\]{}]/.test(path)) return undefined
  const from = `read_parquet('${path.replaceAll("'", "''")}', file_row_number = true)`
  const columns = await connected((connection) => describeColumns(connection, from))
  if (columns === undefined) return undefined
  const selected = columns.map(({ sql }) => sql).join(', ')
  const slow = await pickFromFile(path)
  const pick = async (positions: readonly number[]): Promise<ReadonlyMap<number, JsonObject>> => {
    const [first = 0, last = first] = [positions[0], positions.at(-1)]
    const range = `file_row_number BETWEEN ${first} AND ${last}`
    const isWhole = last - first + 1 === positions.length
    const chosen = isWhole ? range : `${range} AND file_row_number IN (${positions.join(', ')})`
    const sql = `SELECT file_row_number, ${selected} FROM ${from} WHERE ${chosen}`
    const found = new Map<number, JsonObject>()
    const turn = new Turn()
    await connected(async (connection) => {
      for await (const rows of (await connection.stream(sql)).yieldRows()) {
        for (const [position, ...values] of rows) {
          const row = Object.fromEntries(columns.map(({ name, read }, i) => [name, read(values[i] ?? null)]))
          found.set(Number(position), documentOfRow(row))
          if (turn.isOver) await turn.next()
        }
      }
    })
    return found
  }
  const sample = Array.from({ length: COMPARED_ROWS }, (_, i) => i)
  const [ours, theirs] = await Promise.all([pick(sample), slow.pick(sample)])
  const isSame = sample.every((i) => JSON.stringify(ours.get(i)) === JSON.stringify(theirs.get(i)))
  return isSame ? { ...slow, pick } : undefined
}

interface PickedColumn {
  readonly name: string
  readonly sql: string
  /** Returns the value as the reader that loads files does. */
  readonly read: (value: DuckDBValue) => unknown
}

async function describeColumns(
  connection: DuckDBConnection,
  from: string,
): Promise<readonly PickedColumn[] | undefined> {
  const described = await (await connection.run(`DESCRIBE SELECT * EXCLUDE (file_row_number) FROM ${from}`)).getRows()
  const columns: PickedColumn[] = []
  for (const [name, type] of described) {
    const quoted = `"${String(name).replaceAll('"', '""')}"`
    const isGeometry = /^GEOMETRY/.test(String(type))
    if (isGeometry) columns.push({ name: String(name), sql: `ST_AsWKB(${quoted})`, read: readGeometry })
    else if (isPlain(String(type))) columns.push({ name: String(name), sql: quoted, read: readValue })
    else return undefined
  }
  return columns
}

/** Plain types, and lists and structures of them. */
function isPlain(type: string): boolean {
  const struct = /^STRUCT\((.*)\)$/.exec(type)?.[1]
  if (type.endsWith('[]')) return isPlain(type.slice(0, -2))
  if (struct === undefined) return PLAIN.test(type)
  // Only structures of plain members: names may contain anything, so that nested ones cannot be told apart safely.
  return struct.split(', ').every((member) => PLAIN.test(member.replace(/^("[^"]*"|\w+) /, '')))
}

function readGeometry(value: DuckDBValue): unknown {
  return value instanceof DuckDBBlobValue ? DEFAULT_PARSERS.geometryFromBytes(value.bytes) : null
}

function readValue(value: DuckDBValue): unknown {
  if (value instanceof DuckDBTimestampValue || value instanceof DuckDBTimestampTZValue)
    return new Date(Number(value.micros / 1000n))
  if (value instanceof DuckDBTimestampMillisecondsValue) return new Date(Number(value.millis))
  if (value instanceof DuckDBDateValue) return new Date(value.days * DAY_MS)
  if (value instanceof DuckDBListValue) return value.items.map(readValue)
  if (value instanceof DuckDBStructValue)
    return Object.fromEntries(Object.entries(value.entries).map(([name, member]) => [name, readValue(member)]))
  return value
}

async function connected<T>(work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
  const connection = await (await database()).connect()
  try {
    return await work(connection)
  } finally {
    connection.closeSync()
  }
}
