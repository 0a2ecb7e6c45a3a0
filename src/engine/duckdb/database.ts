import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type DuckDBConnection, DuckDBInstance, type DuckDBValue } from '@duckdb/node-api'
import { Problem, problem } from '../../errors.ts'
import { Matchers } from './matchers.ts'

export interface DatabaseOptions {
  readonly directory: string
  readonly memoryMiB: number
  readonly threads: number
  readonly concurrency: number
}

const DATABASE_FILE = 'periplus.duckdb'

/** A statement that ignores its first interruption (it had not begun) is interrupted again after this many ms. */
const INTERRUPT_EVERY_MS = 10

/** The database file: one writer, a bounded number of snapshot readers, nothing reachable outside it. */
export class Database {
  readonly matchers = new Matchers()
  readonly #instance: DuckDBInstance
  readonly #writer: DuckDBConnection
  readonly #idle: DuckDBConnection[] = []
  readonly #waiting: ((connection: DuckDBConnection) => void)[] = []
  #connections = 0
  #writes: Promise<unknown> = Promise.resolve()
  readonly #concurrency: number
  #closed = false

  private constructor(instance: DuckDBInstance, writer: DuckDBConnection, concurrency: number) {
    this.#instance = instance
    this.#writer = writer
    this.#concurrency = concurrency
  }

  static async open(options: DatabaseOptions): Promise<Database> {
    mkdirSync(options.directory, { recursive: true })
    const instance = await openInstance(options)
    const writer = await instance.connect()
    const database = new Database(instance, writer, options.concurrency)
    database.matchers.register(writer)
    // Closing must be quick; what is worth moving into the file is moved by `close`.
    await writer.run('PRAGMA disable_checkpoint_on_shutdown')
    // After this no statement can read a file, load code or change a limit, whatever a later fault lets through.
    await writer.run('SET enable_external_access = false')
    await writer.run('SET lock_configuration = true')
    return database
  }

  /** Runs `work` on a connection of its own, inside one snapshot. */
  async read<T>(signal: AbortSignal | undefined, work: (reader: Reader) => Promise<T>): Promise<T> {
    const connection = await this.#take(signal)
    try {
      await connection.run('BEGIN TRANSACTION READ ONLY')
      try {
        return await work(new Reader(connection, signal))
      } finally {
        // Nothing was written; after an interruption the transaction is gone already.
        await connection.run('ROLLBACK').catch(() => undefined)
      }
    } finally {
      this.#give(connection)
    }
  }

  /** Runs `work` after all earlier writes, in one transaction that is durable when the promise resolves. */
  write<T>(work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    const result = this.#writes.then(async () => {
      if (this.#closed) throw problem('ENGINE_UNAVAILABLE', { reason: 'The server is stopping' })
      await this.#writer.run('BEGIN TRANSACTION')
      try {
        const value = await work(this.#writer)
        await this.#writer.run('COMMIT')
        return value
      } catch (error) {
        await this.#writer.run('ROLLBACK').catch(() => undefined)
        throw engineProblem(error)
      }
    })
    this.#writes = result.catch(() => undefined)
    return result
  }

  /** Stops the statement the writer runs, if any; its transaction is rolled back. */
  interruptWrite(): void {
    this.#writer.interrupt()
  }

  /** Moves committed changes from the log into the file. */
  checkpoint(): Promise<void> {
    const result = this.#writes.then(async () => {
      if (this.#closed) return
      try {
        await this.#writer.run('CHECKPOINT')
      } catch (error) {
        // Readers hold it up; the log stays, and a later commit tries again by itself.
        if (!(error instanceof Error && error.message.includes('Cannot CHECKPOINT'))) throw error
      }
    })
    this.#writes = result.catch(() => undefined)
    return result
  }

  /** Ends after the writes under way. Without a checkpoint the log stays, and is read at the next start. */
  async close(options: { readonly checkpoint: boolean }): Promise<void> {
    try {
      if (options.checkpoint) await this.checkpoint()
    } finally {
      this.#closed = true
      await this.#writes
      for (const connection of this.#idle) connection.closeSync()
      this.#writer.closeSync()
      this.#instance.closeSync()
    }
  }

  async #take(signal: AbortSignal | undefined): Promise<DuckDBConnection> {
    signal?.throwIfAborted()
    if (this.#closed) throw problem('ENGINE_UNAVAILABLE', { reason: 'The server is stopping' })
    const idle = this.#idle.pop()
    if (idle) return idle
    if (this.#connections < this.#concurrency) {
      this.#connections++
      return this.#instance.connect()
    }
    return new Promise((resolve, reject) => {
      const waiter = (connection: DuckDBConnection): void => {
        signal?.removeEventListener('abort', leave)
        resolve(connection)
      }
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(waiter), 1)
        reject(signal?.reason)
      }
      signal?.addEventListener('abort', leave, { once: true })
      this.#waiting.push(waiter)
    })
  }

  #give(connection: DuckDBConnection): void {
    const next = this.#waiting.shift()
    if (next) next(connection)
    else if (this.#closed) connection.closeSync()
    else this.#idle.push(connection)
  }
}

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

function openInstance(options: DatabaseOptions): Promise<DuckDBInstance> {
  return DuckDBInstance.create(join(options.directory, DATABASE_FILE), {
    memory_limit: `${options.memoryMiB}MiB`,
    threads: String(options.threads),
    temp_directory: join(options.directory, 'spill'),
    storage_compatibility_version: 'latest',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    // Lists of row numbers are pushed into the scan up to this length; it is the largest page by default.
    dynamic_or_filter_threshold: '20000',
    // Moving a load from the log into the file compresses what arranging will rewrite at once: it is left to that.
    checkpoint_threshold: '4GiB',
    // Pages ask for row numbers only and fetch documents by them; DuckDB need not do the same once more.
    late_materialization_max_rows: '0',
    // Results are ordered where order matters; keeping the insertion order elsewhere costs memory.
    preserve_insertion_order: 'false',
  })
}

/** Faults that are the machine's, not a bug of ours, become answers an operator understands; the rest stay errors. */
function engineProblem(error: unknown): unknown {
  if (error instanceof Problem || !(error instanceof Error)) return error
  if (/^(Out of Memory|IO) Error/i.test(error.message)) {
    const reason = /memory/i.test(error.message)
      ? 'The engine ran out of memory for this request (setting engine.memoryMiB)'
      : 'The engine could not read or write its data directory; see the server log'
    return Object.assign(problem('ENGINE_UNAVAILABLE', { reason }, { 'Retry-After': '5' }), { cause: error })
  }
  if (/Invalid Input Error: .*(pattern too large|regexp|repetition)/i.test(error.message)) {
    return problem('INVALID_FILTER', { parameter: 'f', reason: 'has a like pattern that is too complex' })
  }
  return error
}
