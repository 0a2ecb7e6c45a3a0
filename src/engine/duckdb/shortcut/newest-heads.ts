import type { DuckDBConnection } from '@duckdb/node-api'
import { LRUCache } from 'lru-cache'
import type { SearchPlan } from '../../../query/plan/plan.ts'
import type { Reader } from '../database/reader.ts'
import { NO_RANK } from '../files/row-file.ts'
import { firstWhere } from '../files/row-spans.ts'
import type { DocumentPlace } from '../index/found-documents.ts'
import type { IndexTable } from '../index/index-table.ts'
import { rankColumnOf } from '../index/table-layout.ts'
import type { RankedKeys } from './ranked-keys.ts'
import { compileMatch, type RowColumns } from './row-match.ts'
import { compareRows, compileKeys, isBehind, keysOfCursor } from './row-order.ts'

/**
 * First rows of the newest-first copy, in memory. All other documents are older or have no date. Searching all of them
 * takes less time than sending a statement to the database.
 */
interface NewestHead extends RowColumns {
  readonly at: Float64Array
  readonly sizes: Uint32Array
}

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
  /** By name of the copy, which is never reused. */
  readonly #kept = new LRUCache<string, NewestHead>({ max: MOST_KEPT })

  /** Returns the head of a copy, reading it on first use. */
  async of(copy: IndexTable, reader: Reader): Promise<NewestHead> {
    const head = this.#kept.get(copy.table) ?? (await readHead(copy, reader))
    this.#kept.set(copy.table, head)
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

/**
 * Returns the page of a plan that is sorted newest first and only uses columns of the copy. Undefined if the head does
 * not contain the whole page.
 */
export function pageInHead(
  { predicate, sort, cursor, from, size }: SearchPlan,
  copy: IndexTable,
  head: NewestHead,
  ranked: RankedKeys,
): readonly DocumentPlace[] | undefined {
  // Before a cursor, rows without a date come first; after a cursor without a date, there are only such rows.
  if (cursor?.direction === 'before' || cursor?.values[0] === null) return undefined
  const after = cursor && keysOfCursor(cursor, sort, copy, ranked)
  const matches = compileMatch(predicate, copy, head)
  const keys = compileKeys(sort, copy, head)
  const { dates } = head
  const wanted = from + size
  const found: number[] = []
  for (let row = after ? firstFrom(dates, after[0] ?? 0) : 0; row < dates.length; row++) {
    // Rows with equal dates are ordered by the other keys, so all of them are needed.
    if (found.length >= wanted && dates[row] !== dates[row - 1]) break
    if (matches(row) && (!after || isBehind(keys, row, after))) found.push(row)
  }
  if (found.length < wanted) return undefined
  return found
    .sort((a, b) => compareRows(keys, a, b))
    .slice(from, wanted)
    .map((row) => ({ table: copy, at: head.at[row] ?? 0, size: head.sizes[row] ?? 0 }))
}

/** Returns the index of the first row that is not newer. */
const firstFrom = (dates: Float64Array, newest: number): number =>
  firstWhere(dates.length, (row) => -(dates[row] ?? 0) >= newest)
