import type {
  DuckDBConnection,
  DuckDBMaterializedResult,
  DuckDBPreparedStatement,
  DuckDBResult,
  DuckDBValue,
} from '@duckdb/node-api'
import { LRUCache } from 'lru-cache'

/** Maximum number of prepared statements per connection. The least recently used is evicted. */
const MOST_KEPT = 32

/** Characters. A longer text contains details of its request and is unlikely to be reused. */
const LONGEST_KEPT = 4_096

/**
 * Runs statements on one connection. Each step of a statement waits for another thread, which takes longer than most
 * steps themselves. So a statement without parameters is sent directly, and one with parameters stays prepared. DuckDB
 * replans a statement with parameters at each run. It would keep the plan of one without, including what that took from
 * statistics, even after the table has changed.
 */
export class Statements {
  readonly connection: DuckDBConnection
  /** True if a statement was run since this was last set to false. */
  isUsed = false
  /** Prepared statements not in use. */
  readonly #kept = new LRUCache<string, DuckDBPreparedStatement>({
    max: MOST_KEPT,
    dispose: (statement, _sql, reason) => {
      if (reason === 'evict') statement.destroySync()
    },
  })

  constructor(connection: DuckDBConnection) {
    this.connection = connection
  }

  async run(sql: string, values: readonly DuckDBValue[]): Promise<DuckDBMaterializedResult> {
    this.isUsed = true
    if (values.length === 0) return this.connection.run(sql)
    const statement = await this.#take(sql)
    try {
      statement.bind([...values])
      const result = await statement.run()
      this.#keep(sql, statement)
      return result
    } catch (error) {
      statement.destroySync()
      throw error
    }
  }

  stream(sql: string, values: readonly DuckDBValue[]): Promise<DuckDBResult> {
    this.isUsed = true
    return this.connection.stream(sql, [...values])
  }

  /** Closes the connection with everything prepared on it. */
  closeSync(): void {
    this.#kept.clear()
    this.connection.closeSync()
  }

  /** Removed from the cache while it runs, because its bindings belong to one run. */
  async #take(sql: string): Promise<DuckDBPreparedStatement> {
    const kept = this.#kept.get(sql)
    if (!kept) return this.connection.prepare(sql)
    this.#kept.delete(sql)
    return kept
  }

  #keep(sql: string, statement: DuckDBPreparedStatement): void {
    if (sql.length > LONGEST_KEPT || this.#kept.has(sql)) {
      statement.destroySync()
      return
    }
    statement.clearBindings()
    this.#kept.set(sql, statement)
  }
}
