import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api'
import { engineProblem } from './engine-fault.ts'

/** A statement that ignores its first interruption (it had not begun) is interrupted again after this many ms. */
const INTERRUPT_EVERY_MS = 10

/** Statements of one snapshot; an aborted signal interrupts the one that runs. */
export class Reader {
  readonly #connection: DuckDBConnection
  readonly #signal: AbortSignal | undefined

  constructor(connection: DuckDBConnection, signal: AbortSignal | undefined) {
    this.#connection = connection
    this.#signal = signal
  }

  rows(sql: string, values: DuckDBValue[] = []): Promise<DuckDBValue[][]> {
    return this.#interruptible(async () => (await this.#connection.run(sql, values)).getRows())
  }

  /** The same, column by column: far less to allocate for many short rows. */
  columns(sql: string, values: DuckDBValue[] = []): Promise<DuckDBValue[][]> {
    return this.#interruptible(async () => (await this.#connection.run(sql, values)).getColumns())
  }

  /** Rows in chunks as they are computed; memory does not grow with the result. */
  async *stream(sql: string, values: DuckDBValue[] = []): AsyncIterable<DuckDBValue[][]> {
    const result = await this.#interruptible(() => this.#connection.stream(sql, values))
    for (;;) {
      const chunk = await this.#interruptible(() => result.fetchChunk())
      if (!chunk || chunk.rowCount === 0) return
      yield chunk.getRows()
    }
  }

  async #interruptible<T>(run: () => Promise<T>): Promise<T> {
    const signal = this.#signal
    signal?.throwIfAborted()
    let timer: NodeJS.Timeout | undefined
    const interrupt = (): void => {
      this.#connection.interrupt()
      timer = setTimeout(interrupt, INTERRUPT_EVERY_MS)
    }
    signal?.addEventListener('abort', interrupt, { once: true })
    try {
      return await run()
    } catch (error) {
      signal?.throwIfAborted()
      throw engineProblem(error)
    } finally {
      signal?.removeEventListener('abort', interrupt)
      clearTimeout(timer)
    }
  }
}
