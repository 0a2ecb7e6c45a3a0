import type { DuckDBBitValue, DuckDBDataChunk, DuckDBValue } from '@duckdb/node-api'
import { inTurns, Turn } from '../../turn.ts'
import type { WorkTurns } from '../work-turns.ts'
import { engineProblem } from './engine-fault.ts'
import { interruptible } from './interruptible.ts'
import { callsJavaScript, Matchers } from './matchers.ts'
import { RowBits, type RowTest, SoughtRows } from './sought-rows.ts'
import { type BoundValue, SqlBuilder } from './sql-builder.ts'
import type { Statements } from './statements.ts'
import { doublesOf } from './vector-items.ts'

/** Rows between two looks at the clock. */
const LOOK_EVERY = 32
/** Rows are sought by plain SQL. */
const NO_MATCHERS = new Matchers()

/** Statements of one snapshot; an aborted signal interrupts the one that runs. */
export class Reader {
  readonly #statements: Statements
  readonly #calling: WorkTurns
  readonly #signal: AbortSignal | undefined
  /** Rows found in this snapshot, by selection. */
  readonly #found = new Map<object, Map<string, DuckDBBitValue>>()
  readonly #numbers = new Map<object, number>()

  constructor(statements: Statements, calling: WorkTurns, signal: AbortSignal | undefined) {
    this.#statements = statements
    this.#calling = calling
    this.#signal = signal
  }

  async rows(sql: string, values: readonly BoundValue[] = []): Promise<DuckDBValue[][]> {
    const rows: DuckDBValue[][] = []
    await this.#inTurns(await this.#chunks(sql, values), (chunk) => {
      for (const row of chunk.getRows()) rows.push(row)
    })
    return rows
  }

  /** The same, column by column: far less to allocate for many short rows. */
  async columns(sql: string, values: readonly BoundValue[] = []): Promise<DuckDBValue[][]> {
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
  async *stream(sql: string, values: readonly BoundValue[] = []): AsyncIterable<DuckDBValue[][]> {
    for await (const chunk of this.#stream(sql, values)) yield chunk.getRows()
  }

  async *#stream(sql: string, bound: readonly BoundValue[]): AsyncIterable<DuckDBDataChunk> {
    const values = await this.#valuesOf(bound)
    const result = await this.#run(sql, () => this.#statements.stream(sql, values))
    for (;;) {
      const chunk = await this.#run(sql, () => result.fetchChunk())
      if (!chunk || chunk.rowCount === 0) return
      yield chunk
    }
  }

  /** One after the other: they share the connection. */
  async #valuesOf(bound: readonly BoundValue[]): Promise<readonly DuckDBValue[]> {
    const values: DuckDBValue[] = []
    for (const value of bound) values.push(value instanceof SoughtRows ? await this.#rowsOf(value.test) : value)
    return values
  }

  async #rowsOf(test: RowTest): Promise<DuckDBBitValue> {
    const { selection, predicate, among } = test
    const found = this.#found.get(selection) ?? new Map<string, DuckDBBitValue>()
    this.#found.set(selection, found)
    const name = `${this.#numberOf(predicate)} ${among}`
    const rows = found.get(name) ?? (await this.#find(test))
    found.set(name, rows)
    return rows
  }

  #numberOf(predicate: object): number {
    const number = this.#numbers.get(predicate) ?? this.#numbers.size
    this.#numbers.set(predicate, number)
    return number
  }

  async #find({ candidates, test }: RowTest): Promise<DuckDBBitValue> {
    const sql = new SqlBuilder(NO_MATCHERS)
    const bits = new RowBits()
    const turn = new Turn(this.#signal)
    for await (const chunk of this.#stream(candidates(sql), sql.values)) {
      const { rowCount } = chunk
      const numbers = doublesOf(chunk.getColumnVector(0))
      const matches = test(chunk)
      for (let row = 0; row < rowCount; row++) {
        if (matches(row)) bits.add(numbers[row] ?? 0)
        if (row % LOOK_EVERY === 0 && turn.isOver) await turn.next()
      }
      if (turn.isOver) await turn.next()
    }
    return bits.toValue()
  }

  /** The whole result, as it lies in memory: fetching it chunk by chunk would wait for another thread each time. */
  async #chunks(sql: string, bound: readonly BoundValue[]): Promise<readonly DuckDBDataChunk[]> {
    const values = await this.#valuesOf(bound)
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
