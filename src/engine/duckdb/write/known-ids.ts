import { type DuckDBConnection, DuckDBListValue } from '@duckdb/node-api'
import type { IndexTable } from '../index/index-table.ts'
import { IdFilter } from './id-filter.ts'

/** Fixed cost of a lookup, in ids. */
const LOOKING_COSTS = 100

/**
 * Learning an id is far cheaper than looking one up. Learning all ids pays off once this share of them was looked up.
 */
const PAYS_FROM = 1 / 32

/** Row numbers per read. */
const PORTION = 20_000

/** Separates ids read at once. The few ids that contain it are also read as they are. */
const SEPARATOR = '\u001f'

/**
 * Ids an index may contain or will contain soon. Every write announces its ids on arrival, before it is executed, so
 * that a later write with one of them knows that it must look it up.
 */
export class KnownIds {
  readonly #filter = new IdFilter()
  #hasStored: boolean
  /** Cost of lookups so far, in ids. */
  #lookedUp = 0

  /** `isEmpty`: the index has no documents, and no writes are pending. */
  constructor(isEmpty: boolean) {
    this.#hasStored = isEmpty
  }

  /**
   * Returns the ids that may exist when the write is executed, or that occur twice. Undefined: all of them may exist.
   */
  announce(ids: Iterable<string>): readonly string[] | undefined {
    const met: string[] = []
    for (const id of ids) if (this.#filter.add(id)) met.push(id)
    return this.#hasStored ? met : undefined
  }

  /**
   * Records a lookup of `ids` ids. Learns all ids of the table once the lookups have cost as much. Not earlier, because
   * a few writes to a large index would wait for it in vain.
   */
  async lookingUp(ids: number, connection: DuckDBConnection, { table, definition }: IndexTable): Promise<void> {
    if (this.#hasStored) return
    this.#lookedUp += LOOKING_COSTS + ids
    if (this.#lookedUp < definition.documents * PAYS_FROM) return
    for (let first = 0; first < definition.nextSeq; first += PORTION) {
      for (const id of await readIds(connection, table, first)) this.#filter.add(id)
    }
    this.#hasStored = true
  }
}

/**
 * Returns the ids of a portion of rows. Reading one long text is five times as fast as many short ones, for each of
 * which the driver makes a call.
 */
async function readIds(connection: DuckDBConnection, table: string, first: number): Promise<readonly string[]> {
  const separator = `chr(${SEPARATOR.charCodeAt(0)})`
  const joined = `string_agg(_id, ${separator})`
  const torn = `list(_id) FILTER (contains(_id, ${separator}))`
  const rows = `${table} WHERE _seq >= ${first} AND _seq < ${first + PORTION}`
  const [row = []] = await (await connection.run(`SELECT ${joined}, ${torn} FROM ${rows}`)).getRows()
  const [text, whole] = row
  const ids = typeof text === 'string' ? text.split(SEPARATOR) : []
  return whole instanceof DuckDBListValue ? [...ids, ...whole.items.map(String)] : ids
}
