import { type DuckDBConnection, DuckDBListValue } from '@duckdb/node-api'
import type { IndexTable } from '../index/index-table.ts'
import { IdFilter } from './id-filter.ts'

/** Looking ids up takes as long as they would with so many more. */
const LOOKING_COSTS = 100

/** Learning an id takes far less time than looking one up: it pays once as many were looked up as this share of all. */
const PAYS_FROM = 1 / 32

/** Ids that are read at once, by the numbers of their rows. */
const PORTION = 20_000

/** Stands between ids that are read at once; the few that have it themselves are read once more, as they are. */
const SEPARATOR = '\u001f'

/**
 * Which ids an index may hold or is about to: every write announces its ids when it comes, before its turn, so that a
 * later one that names one of them knows it has to look.
 */
export class KnownIds {
  readonly #filter = new IdFilter()
  #hasStored: boolean
  /** What looking up has cost so far, in ids. */
  #lookedUp = 0

  /** `isEmpty`: the index holds nothing, and no write is on its way. */
  constructor(isEmpty: boolean) {
    this.#hasStored = isEmpty
  }

  /** Answers which of the ids may be there when their turn comes, or come twice; undefined: any of them may. */
  announce(ids: Iterable<string>): readonly string[] | undefined {
    const met: string[] = []
    for (const id of ids) if (this.#filter.add(id)) met.push(id)
    return this.#hasStored ? met : undefined
  }

  /**
   * Told that a write looks so many ids up. Once that has been done so often that it would have paid, learns the ids the
   * table holds; a few writes to a large index would wait for that in vain.
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

/** Those of a portion. One long text is read five times as fast as many short ones, each of which the driver asks for. */
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
