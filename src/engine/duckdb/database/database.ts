import { mkdirSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { readingCaller } from '../../reading-caller.ts'
import { engineProblem, isMissing } from './engine-fault.ts'
import { interruptible } from './interruptible.ts'
import { type ReadLength, ReadSlots, type Release, stopping } from './read-slots.ts'
import { Reader } from './reader.ts'
import { Statements } from './statements.ts'

export interface DatabaseOptions {
  readonly directory: string
  readonly memoryMiB: number
  readonly threads: number
  /** Quick reads at once, and slow ones beside them; see read-slots.ts. */
  readonly concurrency: number
}

/** Runs `work` in a transaction that is durable when the promise resolves. */
export type Transact = <T>(work: (connection: DuckDBConnection) => Promise<T>) => Promise<T>

const BEGIN_READING = 'BEGIN TRANSACTION READ ONLY'

/** DuckDB keeps account of its buffers only: the rest of its memory is for what it takes beside them. */
const BUFFER_SHARE = 7 / 8

const DATABASE_FILE = 'periplus.duckdb'

/** Below the data directory; for what does not fit into memory. */
const SPILL_DIRECTORY = 'spill'

/** The database file: one writer, a bounded number of snapshot readers, nothing reachable outside it. */
export class Database {
  /** Where temporary files go. */
  readonly spillDirectory: string
  readonly #path: string
  readonly #instance: DuckDBInstance
  readonly #writer: DuckDBConnection
  /** For what the server asks about itself. */
  readonly #aside: DuckDBConnection
  readonly #slots: ReadSlots
  /**
   * Connections no read uses, each in a transaction whose snapshot begins with its first statement; there are never more
   * in all than slots.
   */
  readonly #idle: Statements[] = []
  /** What ends the snapshots of reads that are over. */
  readonly #leaving = new Set<Promise<void>>()
  #writes: Promise<unknown> = Promise.resolve()
  #asides: Promise<unknown> = Promise.resolve()
  /** Transactions beside the lane of writes, and what ends them when the database closes. */
  readonly #beside = new Set<Promise<unknown>>()
  readonly #stop = new AbortController()
  #closed = false

  private constructor(
    { directory, concurrency }: DatabaseOptions,
    instance: DuckDBInstance,
    writer: DuckDBConnection,
    aside: DuckDBConnection,
  ) {
    this.spillDirectory = join(directory, SPILL_DIRECTORY)
    this.#path = join(directory, DATABASE_FILE)
    this.#instance = instance
    this.#writer = writer
    this.#aside = aside
    this.#slots = new ReadSlots(concurrency)
  }

  static async open(options: DatabaseOptions): Promise<Database> {
    mkdirSync(options.directory, { recursive: true, mode: 0o700 })
    const instance = await openInstance(options)
    const writer = await instance.connect()
    const aside = await instance.connect()
    const database = new Database(options, instance, writer, aside)
    // Closing must be quick; what is worth moving into the file is moved by `close`.
    await writer.run('PRAGMA disable_checkpoint_on_shutdown')
    // After this no statement can read a file, load code or change a limit, whatever a later fault lets through.
    await writer.run('SET enable_external_access = false')
    await writer.run('SET lock_configuration = true')
    return database
  }

  get reads(): { readonly running: number; readonly waiting: number } {
    return { running: this.#slots.running, waiting: this.#slots.waiting }
  }

  /** Runs `work` on a connection of its own, inside one snapshot, when its turn has come. */
  async read<T>(
    signal: AbortSignal | undefined,
    work: (reader: Reader) => Promise<T>,
    length: ReadLength = 'quick',
  ): Promise<T> {
    const release = await this.#slots.take(length, signal, readingCaller.getStore())
    let statements: Statements | undefined
    try {
      statements = await this.#connect()
      return await work(new Reader(statements, signal))
    } catch (error) {
      throw engineProblem(error)
    } finally {
      this.#leave(statements, release)
    }
  }

  /**
   * Runs `work` inside one snapshot without waiting for a slot, for small tables the server keeps about itself; one after
   * the other.
   */
  readAside<T>(work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    const result = this.#asides.then(async () => {
      if (this.#closed) throw stopping()
      await this.#aside.run(BEGIN_READING)
      try {
        return await work(this.#aside)
      } catch (error) {
        throw engineProblem(error)
      } finally {
        await this.#aside.run('ROLLBACK')
      }
    })
    this.#asides = result.catch(() => undefined)
    return result
  }

  /** Throws when the database does not answer; readers that wait are no fault. */
  async probe(): Promise<void> {
    await this.readAside((connection) => connection.run('SELECT 1'))
  }

  /** Runs `work` after all earlier writes, in one transaction that is durable when the promise resolves. */
  write<T>(work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    return this.writeInTurn((transact) => transact(work))
  }

  /** Runs `work` after all earlier writes; the transactions it begins come before all later ones. */
  writeInTurn<T>(work: (transact: Transact) => Promise<T>): Promise<T> {
    const result = this.#writes.then(() => work((step) => this.#transactAsWriter(step)))
    this.#writes = result.catch(() => undefined)
    return result
  }

  async #transactAsWriter<T>(work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    if (this.#closed) throw stopping()
    await this.#writer.run('BEGIN TRANSACTION')
    try {
      const value = await work(this.#writer)
      await this.#writer.run('COMMIT')
      return value
    } catch (error) {
      await this.#writer.run('ROLLBACK').catch(() => undefined)
      throw engineProblem(error)
    }
  }

  /**
   * Runs `work` in a transaction on a connection of its own, beside all other writes: it must write to no table they
   * write to. Durable when the promise resolves.
   */
  writeBeside<T>(signal: AbortSignal, work: (reader: Reader) => Promise<T>): Promise<T> {
    return this.#transactBeside(signal, async (connection, either) => {
      await connection.run('BEGIN TRANSACTION')
      return work(new Reader(new Statements(connection), either))
    })
  }

  /** As `writeBeside`, upon what the earlier writes have left: `look` begins the snapshot, after them and before later ones. */
  writeBesideFrom<S, T>(
    signal: AbortSignal,
    look: (connection: DuckDBConnection) => Promise<S>,
    work: (connection: DuckDBConnection, seen: S) => Promise<T>,
  ): Promise<T> {
    return this.#transactBeside(signal, async (connection, either) => {
      const seen = await this.writeInTurn(async () => {
        await connection.run('BEGIN TRANSACTION')
        return look(connection)
      })
      return interruptible(connection, either, () => work(connection, seen))
    })
  }

  async #transactBeside<T>(
    signal: AbortSignal,
    work: (connection: DuckDBConnection, either: AbortSignal) => Promise<T>,
  ): Promise<T> {
    if (this.#closed || this.#stop.signal.aborted) throw stopping()
    const running = this.#transact((connection) => work(connection, AbortSignal.any([signal, this.#stop.signal])))
    const settled: Promise<unknown> = running.catch(() => undefined).then(() => this.#beside.delete(settled))
    this.#beside.add(settled)
    return running
  }

  async #transact<T>(work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    const connection = await this.#instance.connect()
    try {
      const value = await work(connection)
      await connection.run('COMMIT')
      return value
    } catch (error) {
      throw engineProblem(error)
    } finally {
      // What has not been committed is rolled back.
      connection.closeSync()
    }
  }

  /** Bytes of the log that are not yet moved into the file. */
  async logBytes(): Promise<number> {
    try {
      return (await stat(`${this.#path}.wal`)).size
    } catch (error) {
      if (isMissing(error)) return 0
      throw error
    }
  }

  /** As `write`, but given up, with nothing done, when the signal or the end of the database says so. */
  writeUnless<T>(signal: AbortSignal, work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    const either = AbortSignal.any([signal, this.#stop.signal])
    return this.write((connection) => interruptible(connection, either, () => work(connection)))
  }

  /** Moves committed changes from the log into the file; false when others who read or write hold it up. */
  checkpoint(): Promise<boolean> {
    const result = this.#writes.then(async () => {
      if (this.#closed) return false
      try {
        await this.#writer.run('CHECKPOINT')
        return true
      } catch (error) {
        if (!(error instanceof Error && error.message.includes('Cannot CHECKPOINT'))) throw error
        return false
      }
    })
    this.#writes = result.catch(() => undefined)
    return result
  }

  /** Ends after the writes under way. Without a checkpoint the log stays, and is read at the next start. */
  async close(options: { readonly checkpoint: boolean }): Promise<void> {
    this.#slots.close()
    this.#stop.abort(stopping())
    await Promise.all([...this.#beside, ...this.#leaving])
    try {
      if (options.checkpoint) await this.checkpoint()
    } finally {
      this.#closed = true
      await Promise.all([this.#writes, this.#asides])
      for (const connection of this.#idle.splice(0)) connection.closeSync()
      this.#aside.closeSync()
      this.#writer.closeSync()
      this.#instance.closeSync()
    }
  }

  async #connect(): Promise<Statements> {
    // It may have been closed since the slot was given.
    if (this.#closed) throw stopping()
    const idle = this.#idle.pop()
    if (idle) return idle
    const connection = await this.#instance.connect()
    try {
      await connection.run(BEGIN_READING)
    } catch (error) {
      connection.closeSync()
      throw error
    }
    return new Statements(connection)
  }

  /** Gives the connection and the slot of a read back; who read need not wait for it. */
  #leave(statements: Statements | undefined, release: Release): void {
    const left = this.#giveBack(statements).finally(() => {
      this.#leaving.delete(left)
      release()
    })
    this.#leaving.add(left)
  }

  /** Ends the snapshot, if one has begun. A connection on which that fails, as after an interruption, is not used again. */
  async #giveBack(statements: Statements | undefined): Promise<void> {
    if (!statements) return
    const isFresh = !statements.isUsed || (await this.#beginAnew(statements))
    if (isFresh && !this.#closed) this.#idle.push(statements)
    else statements.closeSync()
  }

  #beginAnew(statements: Statements): Promise<boolean> {
    statements.isUsed = false
    return statements.connection.run(`ROLLBACK; ${BEGIN_READING}`).then(
      () => true,
      () => false,
    )
  }
}

function openInstance(options: DatabaseOptions): Promise<DuckDBInstance> {
  return DuckDBInstance.create(join(options.directory, DATABASE_FILE), {
    memory_limit: `${Math.floor(options.memoryMiB * BUFFER_SHARE)}MiB`,
    threads: String(options.threads),
    temp_directory: join(options.directory, SPILL_DIRECTORY),
    storage_compatibility_version: 'latest',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    // Long lists, as of the buckets a level is nested in, are pushed into the scan up to this length.
    dynamic_or_filter_threshold: '20000',
    // Moving a load from the log into the file compresses what arranging will rewrite at once: it is left to that.
    checkpoint_threshold: '4GiB',
    // The few columns a page asks for are read with the sort keys sooner than looked up afterwards by row.
    late_materialization_max_rows: '0',
    // Groups by a few integers of known range are kept in an array instead of a hash table, twice as fast; up to 2^18.
    perfect_ht_threshold: '18',
    // Results are ordered where order matters; keeping the insertion order elsewhere costs memory.
    preserve_insertion_order: 'false',
  })
}
