import type { DuckDBConnection } from '@duckdb/node-api'
import type { Reader } from '../database/reader.ts'
import { NO_RANK } from '../files/row-file.ts'
import type { IndexTable } from '../index/index-table.ts'
import { rankColumnOf } from '../index/table-layout.ts'
import type { NewestHead } from './newest-head.ts'

/** Maximum bytes of a head: 65,536 rows with three ranks. */
const HEAD_BYTES = 2 * 1024 * 1024
const bytesOfRow = (ranks: number): number => 8 + 8 + 4 + 4 * ranks

/** Maximum number of cached heads. The least recently used is evicted. */
const MOST_KEPT = 32

/** Returns the newest date outside the head of a copy with this many ranks. Null if all dates are in the head. */
export async function findHeadEnd(
  connection: DuckDBConnection,
  copy: string,
  date: string,
  ranks: number,
): Promise<number | null> {
  const rows = Math.floor(HEAD_BYTES / bytesOfRow(ranks))
  const sql = `SELECT ${date} FROM ${copy} WHERE ${date} IS NOT NULL ORDER BY ${date} DESC LIMIT 1 OFFSET ${rows}`
  const [row] = await (await connection.run(sql)).getRows()
  return row ? Number(row[0]) : null
}

/** Cache of the heads of newest-first copies. */
export class NewestHeads {
  /** By name of the copy, which is never reused. Least recently used first. */
  readonly #kept = new Map<string, NewestHead>()

  /** Returns the head of a copy, reading it on first use. */
  async of(copy: IndexTable, reader: Reader): Promise<NewestHead> {
    const head = this.#kept.get(copy.table) ?? (await readHead(copy, reader))
    this.#kept.delete(copy.table)
    this.#kept.set(copy.table, head)
    const [oldest] = this.#kept.keys()
    if (this.#kept.size > MOST_KEPT && oldest !== undefined) this.#kept.delete(oldest)
    return head
  }
}

async function readHead({ table, definition }: IndexTable, reader: Reader): Promise<NewestHead> {
  const { layout, newest } = definition
  const date = layout.fields.find(({ path }) => path === newest?.path)
  if (!newest || !date) throw new Error(`${table} has no date field`)
  const ranked = layout.fields.filter((field) => field.ranked)
  const columns = [date.column, '_at', '_size', ...ranked.map((field) => rankColumnOf(field).name)]
  const isNew = newest.headAfter === null ? `${date.column} IS NOT NULL` : `${date.column} > ${newest.headAfter}`
  const values = columns.map((column) => `CAST(coalesce(${column}, ${NO_RANK}) AS DOUBLE)`)
  const rows = `SELECT ${values.join(', ')} FROM ${table} WHERE ${isNew} ORDER BY ${date.column} DESC`
  const [dates = NOTHING, at = NOTHING, sizes = NOTHING, ...ranks] = await reader.doubles(rows)
  return {
    dates,
    at,
    sizes: Uint32Array.from(sizes),
    ranks: new Map(ranked.map(({ path }, i) => [path, Uint32Array.from(ranks[i] ?? NOTHING)])),
  }
}

const NOTHING = new Float64Array(0)
