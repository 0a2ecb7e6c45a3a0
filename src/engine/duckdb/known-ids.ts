import type { DuckDBConnection } from '@duckdb/node-api'
import { IdFilter } from './id-filter.ts'
import type { IndexTable } from './index-table.ts'

/**
 * Which ids an index may hold or is about to: every write announces its ids when it comes, before its turn, so that a
 * later one that names one of them knows it has to look.
 */
export class KnownIds {
  readonly #filter = new IdFilter()
  #hasStored: boolean

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

  /** Learns the ids the table holds, once. */
  async learn(connection: DuckDBConnection, { table }: IndexTable): Promise<void> {
    if (this.#hasStored) return
    const result = await connection.stream(`SELECT _id FROM ${table}`)
    for await (const rows of result.yieldRows()) for (const [id] of rows) this.#filter.add(String(id))
    this.#hasStored = true
  }
}
