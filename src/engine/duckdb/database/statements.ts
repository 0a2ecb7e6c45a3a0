import type {
  DuckDBConnection,
  DuckDBMaterializedResult,
  DuckDBPreparedStatement,
  DuckDBResult,
  DuckDBValue,
} from '@duckdb/node-api'

/** Prepared statements a connection keeps; the one that was not used for longest goes. */
const MOST_KEPT = 32

/** A longer text carries something of its question, which will hardly be asked again in the same words. */
const LONGEST_KEPT = 4_096

/**
 * Runs statements on one connection. Each step of a statement waits for another thread, which takes longer than most
 * steps themselves; so one without values is sent as it is, and one with values stays prepared for the next time. With
 * values a plan is made anew each time; one without would be kept, and what it took from statistics with it, however the
 * table has changed since.
 */
export class Statements {
  readonly connection: DuckDBConnection
  /** Something was run since this was last set to false. */
  isUsed = false
  /** Those that nobody runs just now; the one used last is last. */
  readonly #kept = new Map<string, DuckDBPreparedStatement>()

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

  /** Ends the connection and all that is prepared on it. */
  closeSync(): void {
    this.#kept.clear()
    this.connection.closeSync()
  }

  /** Taken out while it runs: what is bound to it belongs to one run. */
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
    if (this.#kept.size <= MOST_KEPT) return
    const [oldest] = this.#kept
    if (!oldest) return
    this.#kept.delete(oldest[0])
    oldest[1].destroySync()
  }
}
