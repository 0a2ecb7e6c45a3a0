import type { DuckDBBitValue, DuckDBDataChunk, DuckDBValue } from '@duckdb/node-api'
import { inTurns, Turn } from '../../../turn.ts'
import { engineProblem } from './engine-fault.ts'
import { interruptible } from './interruptible.ts'
import { createKeysTable, dropKeysTable, GatheredKeys } from './sought-keys.ts'
import { RowBits } from './sought-rows.ts'
import { type BoundValue, type RowKeys, type RowTest, SoughtKeys, SoughtRows, SqlBuilder } from './sql-builder.ts'
import type { Statements } from './statements.ts'
import { doublesOf } from './vector-items.ts'

/** Row numbers per window when computing keys, so that memory does not grow with the table. */
const KEYS_WINDOW = 2 ** 17
/** Maximum number of keys per window: 128 MB. */
const MOST_KEYS_AT_ONCE = 8_000_000

/** Runs statements in one snapshot. An aborted signal interrupts the running statement. */
export class Reader {
  readonly #statements: Statements
  readonly #signal: AbortSignal | undefined
  /** Rows found in this snapshot, by selection. */
  readonly #found = new Map<object, Map<string, DuckDBBitValue>>()
  readonly #numbers = new Map<object, number>()
  /** Number of parts in the keys table, which is created with the first. */
  #parts = 0

  constructor(statements: Statements, signal: AbortSignal | undefined) {
    this.#statements = statements
    this.#signal = signal
  }

  async rows(sql: string, values: readonly BoundValue[] = []): Promise<DuckDBValue[][]> {
    const rows: DuckDBValue[][] = []
    await this.#inTurns(await this.#chunks(sql, values), (chunk) => {
      for (const row of chunk.getRows()) rows.push(row)
    })
    return rows
  }

  /** Like `rows`, but column by column, which allocates far less for many short rows. */
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

  /** Returns rows in chunks as they are computed. Memory does not grow with the result. */
  async *stream(sql: string, values: readonly BoundValue[] = []): AsyncIterable<DuckDBValue[][]> {
    for await (const chunk of this.#stream(sql, values)) yield chunk.getRows()
  }

  async *#stream(sql: string, bound: readonly BoundValue[]): AsyncIterable<DuckDBDataChunk> {
    const values = await this.#valuesOf(bound)
    const result = await this.#run(() => this.#statements.stream(sql, values))
    for (;;) {
      const chunk = await this.#run(() => result.fetchChunk())
      if (!chunk || chunk.rowCount === 0) return
      yield chunk
    }
  }

  /** One after the other, because they share the connection. */
  async #valuesOf(bound: readonly BoundValue[]): Promise<readonly DuckDBValue[]> {
    const values: DuckDBValue[] = []
    for (const value of bound) {
      if (value instanceof SoughtRows) values.push(await this.#rowsOf(value.test))
      else values.push(value instanceof SoughtKeys ? await this.#partOf(value.keys) : value)
    }
    return values
  }

  async #rowsOf(test: RowTest): Promise<DuckDBBitValue> {
    const { selection, predicate, table } = test
    const found = this.#found.get(selection) ?? new Map<string, DuckDBBitValue>()
    this.#found.set(selection, found)
    const name = `${this.#numberOf(predicate)} ${table}`
    const rows = found.get(name) ?? (await this.#findRows(test))
    found.set(name, rows)
    return rows
  }

  #numberOf(predicate: object): number {
    const number = this.#numbers.get(predicate) ?? this.#numbers.size
    this.#numbers.set(predicate, number)
    return number
  }

  async #findRows({ candidates, test }: RowTest): Promise<DuckDBBitValue> {
    const sql = new SqlBuilder()
    const bits = new RowBits()
    await this.#eachRow(candidates(sql), sql.values, (chunk) => {
      const matches = test(chunk)
      return (row, seq) => {
        if (matches(row)) bits.add(seq)
      }
    })
    return bits.toValue()
  }

  async #partOf({ table, candidates, keys, refuse }: RowKeys): Promise<number> {
    if (this.#parts === 0) await this.#run(() => createKeysTable(this.#statements.connection))
    const part = ++this.#parts
    const sql = new SqlBuilder()
    const window = `_seq >= ${sql.bind(0n, 'BIGINT')} AND _seq < ${sql.bind(0n, 'BIGINT')}`
    const text = candidates(window, sql)
    const [, , ...others] = await this.#valuesOf(sql.values)
    const [[first, last] = []] = await this.rows(`SELECT min(_seq), max(_seq) FROM ${table}`)
    for (let from = Number(first ?? 0); from <= Number(last ?? -1); from += KEYS_WINDOW) {
      const gathered = new GatheredKeys()
      await this.#eachRow(text, [BigInt(from), BigInt(from + KEYS_WINDOW), ...others], (chunk) => {
        const take = keys(chunk)
        return (row, seq) => {
          take(row, (key) => gathered.add(seq, key))
          if (gathered.size > MOST_KEYS_AT_ONCE) refuse()
        }
      })
      await this.#run(() => gathered.writeTo(this.#statements.connection, part, new Turn(this.#signal)))
    }
    return part
  }

  async #dropKeys(): Promise<void> {
    this.#parts = 0
    await this.#run(() => dropKeysTable(this.#statements.connection))
  }

  /** Calls a function for each row of a statement whose first column is the row number. Yields between turns. */
  async #eachRow(
    sql: string,
    values: readonly BoundValue[],
    work: (chunk: DuckDBDataChunk) => (row: number, seq: number) => void,
  ): Promise<void> {
    const turn = new Turn(this.#signal)
    for await (const chunk of this.#stream(sql, values)) {
      const numbers = doublesOf(chunk.getColumnVector(0)).subarray(0, chunk.rowCount)
      const visit = work(chunk)
      await inTurns(numbers, (seq, row) => visit(row, seq), turn)
    }
  }

  /** Returns the materialised result. Fetching it chunk by chunk would wait for another thread each time. */
  async #chunks(sql: string, bound: readonly BoundValue[]): Promise<readonly DuckDBDataChunk[]> {
    const values = await this.#valuesOf(bound)
    const result = await this.#run(() => this.#statements.run(sql, values))
    if (bound.some((value) => value instanceof SoughtKeys)) await this.#dropKeys()
    return Array.from({ length: result.chunkCount }, (_, i) => result.getChunk(i))
  }

  /** Yields before a large result, because several may have arrived at once. */
  async #inTurns(chunks: readonly DuckDBDataChunk[], read: (chunk: DuckDBDataChunk) => void): Promise<void> {
    const turn = new Turn(this.#signal)
    if (chunks.length > 1) await turn.next()
    await inTurns(chunks, read, turn)
  }

  #run<T>(run: () => Promise<T>): Promise<T> {
    return interruptible(this.#statements.connection, this.#signal, () =>
      run().catch((error: unknown) => {
        throw engineProblem(error)
      }),
    )
  }
}
