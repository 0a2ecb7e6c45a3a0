import type { DuckDBValue } from '@duckdb/node-api'
import type { IndexTable } from './index-table.ts'
import { type NewestHead, NO_RANK } from './newest-head.ts'
import type { Reader } from './reader.ts'
import { rankColumnOf } from './table-layout.ts'

/** Rows of a head: half a megabyte with a few ranks. */
const ROWS = 16_384

/** Of how many tables one is kept; the one that was not asked for longest goes. */
const MOST_KEPT = 32

/** The heads of the copies that were asked for the newest. */
export class NewestHeads {
  /** By the name of the copy, which no other ever has; the one used last is last. */
  readonly #kept = new Map<string, NewestHead>()

  /** Reads it, the first time. */
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
  if (!date) throw new Error(`${table} has no date`)
  const ranked = layout.fields.filter((field) => field.ranked)
  const columns = [
    `CAST(${date.column} AS DOUBLE)`,
    'CAST(_at AS DOUBLE)',
    '_size',
    ...ranked.map((field) => rankColumnOf(field).name),
  ]
  const order = `WHERE ${date.column} IS NOT NULL ORDER BY ${date.column} DESC LIMIT ${ROWS + 1}`
  const [dates = [], at = [], sizes = [], ...ranks] = await reader.columns(
    `SELECT ${columns.join(', ')} FROM ${table} ${order}`,
  )
  const rows = certainRows(dates)
  const numbers = (values: readonly DuckDBValue[]): number[] => values.slice(0, rows).map((v) => Number(v ?? NO_RANK))
  return {
    dates: Float64Array.from(numbers(dates)),
    at: Float64Array.from(numbers(at)),
    sizes: Uint32Array.from(numbers(sizes)),
    ranks: new Map(ranked.map(({ path }, i) => [path, Uint32Array.from(numbers(ranks[i] ?? []))])),
  }
}

/** How many are newer than all that were not read: of those as new as the last there may be more. */
function certainRows(dates: readonly DuckDBValue[]): number {
  if (dates.length <= ROWS) return dates.length
  return dates.indexOf(dates.at(-1) ?? null)
}
