import type { DuckDBDataChunk, DuckDBValue } from '@duckdb/node-api'
import { inTurns, Turn } from '../../turn.ts'
import type { WorkTurns } from '../work-turns.ts'
import { engineProblem } from './engine-fault.ts'
import { interruptible } from './interruptible.ts'
import { callsJavaScript } from './matchers.ts'
import type { Statements } from './statements.ts'
import { doublesOf } from './vector-items.ts'

/** Statements of one snapshot; an aborted signal interrupts the one that runs. */
export class Reader {
  readonly #statements: Statements
  readonly #calling: WorkTurns
  readonly #signal: AbortSignal | undefined

  constructor(statements: Statements, calling: WorkTurns, signal: AbortSignal | undefined) {
    this.#statements = statements
    this.#calling = calling
    this.#signal = signal
  }

  async rows(sql: string, values: readonly DuckDBValue[] = []): Promise<DuckDBValue[][]> {
    const rows: DuckDBValue[][] = []
    await this.#inTurns(await this.#chunks(sql, values), (chunk) => {
      for (const row of chunk.getRows()) rows.push(row)
    })
    return rows
  }

  /** The same, column by column: far less to allocate for many short rows. */
  async columns(sql: string, values: readonly DuckDBValue[] = []): Promise<DuckDBValue[][]> {
    const columns: DuckDBValue[][] = []
    await this.#inTurns(await this.#chunks(sql, values), (chunk) => {
      for (const [i, added] of chunk.getColumns().entries()) {
        const column = columns[i]
        if (column === undefined) columns.push(added)
        else for (const value of added) column.push(value)
      }
    })
    return columns
  }

  /** Columns of doubles, none of them NULL, as they lie in memory. */
  async doubles(sql: string): Promise<Float64Array[]> {
    const chunks = await this.#chunks(sql, [])
    const rows = chunks.reduce((sum, { rowCount }) => sum + rowCount, 0)
    return Array.from({ length: chunks[0]?.columnCount ?? 0 }, (_, i) => {
      const column = new Float64Array(rows)
      let next = 0
      for (const chunk of chunks) {
        column.set(doublesOf(chunk.getColumnVector(i)).subarray(0, chunk.rowCount), next)
        next += chunk.rowCount
      }
      return column
    })
  }

  /** Rows in chunks as they are computed; memory does not grow with the result. */
  async *stream(sql: string, values: readonly DuckDBValue[] = []): AsyncIterable<DuckDBValue[][]> {
    const result = await this.#run(sql, () => this.#statements.stream(sql, values))
    for (;;) {
      const chunk = await this.#run(sql, () => result.fetchChunk())
      if (!chunk || chunk.rowCount === 0) return
      yield chunk.getRows()
    }
  }

  /** The whole result, as it lies in memory: fetching it chunk by chunk would wait for another thread each time. */
  async #chunks(sql: string, values: readonly DuckDBValue[]): Promise<readonly DuckDBDataChunk[]> {
    const result = await this.#run(sql, () => this.#statements.run(sql, values))
    return Array.from({ length: result.chunkCount }, (_, i) => result.getChunk(i))
  }

  /** A large result waits for a turn first: several may have come at once. */
  async #inTurns(chunks: readonly DuckDBDataChunk[], read: (chunk: DuckDBDataChunk) => void): Promise<void> {
    const turn = new Turn(this.#signal)
    if (chunks.length > 1) await turn.next()
    await inTurns(chunks, read, turn)
  }

  #run<T>(sql: string, step: () => Promise<T>): Promise<T> {
    if (!callsJavaScript(sql)) return this.#interruptible(step)
    return this.#calling.take(() => this.#interruptible(step), this.#signal)
  }

  #interruptible<T>(run: () => Promise<T>): Promise<T> {
    return interruptible(this.#statements.connection, this.#signal, () =>
      run().catch((error: unknown) => {
        throw engineProblem(error)
      }),
    )
  }
}
