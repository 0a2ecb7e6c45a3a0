import type { DuckDBConnection } from '@duckdb/node-api'
import { IdFilter } from './id-filter.ts'
import type { IndexTable } from './index-table.ts'

/** Looking ids up takes as long as they would with so many more. */
const LOOKING_COSTS = 100

/** Learning an id takes far less time than looking one up: it pays once as many were looked up as this share of all. */
const PAYS_FROM = 1 / 64

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
    const result = await connection.stream(`SELECT _id FROM ${table}`)
    for await (const rows of result.yieldRows()) for (const [id] of rows) this.#filter.add(String(id))
    this.#hasStored = true
  }
}
