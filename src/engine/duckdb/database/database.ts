import { mkdirSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { separateRounds } from '../../../turn.ts'
import { readingCaller } from '../../reading-caller.ts'
import { engineProblem, isCheckpointPrevented, isMissing } from './engine-fault.ts'
import { interruptible } from './interruptible.ts'
import { type ReadLength, ReadSlots, type Release, stopping } from './read-slots.ts'
import { Reader } from './reader.ts'
import { Statements } from './statements.ts'

export interface DatabaseOptions {
  readonly directory: string
  readonly memoryMiB: number
  readonly threads: number
  /** Maximum number of concurrent quick reads, and of slow reads in addition (see read-slots.ts). */
  readonly concurrency: number
}

/** Runs `work` in a transaction that is durable when the promise resolves. */
export type Transact = <T>(work: (connection: DuckDBConnection) => Promise<T>) => Promise<T>

const BEGIN_READING = 'BEGIN TRANSACTION READ ONLY'

/** Shares of `memoryMiB`: the buffers of DuckDB, whose other allocations are small, and columns of segments. */
const BUFFER_SHARE = 1 / 3
export const SEGMENT_SHARE = 2 / 3

const DATABASE_FILE = 'periplus.duckdb'

/** Below the data directory. For data that does not fit into memory. */
const SPILL_DIRECTORY = 'spill'

/** The database file: one writer, a limited number of snapshot readers, no access to anything outside it. */
export class Database {
  /** Directory of temporary files. */
  readonly spillDirectory: string
  readonly #path: string
  readonly #instance: DuckDBInstance
  readonly #writer: DuckDBConnection
  /** For reads of internal tables. */
  readonly #aside: DuckDBConnection
  readonly #slots: ReadSlots
  /**
   * Idle read connections, each in a transaction whose snapshot starts with its first statement. The total number of
   * read connections never exceeds the number of slots.
   */
  readonly #idle: Statements[] = []
  /** Cleanup of finished reads: ends their snapshots. */
  readonly #leaving = new Set<Promise<void>>()
  #writes: Promise<unknown> = Promise.resolve()
  #asides: Promise<unknown> = Promise.resolve()
  /** Transactions in parallel to the write queue, and the signal that aborts them when the database closes. */
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
    // Closing must be fast. `close` runs a checkpoint if it is worth it.
    await writer.run('PRAGMA disable_checkpoint_on_shutdown')
    // After this no statement can read a file, load code or change a limit, even if a bug lets such SQL through.
    await writer.run('SET enable_external_access = false')
    await writer.run('SET lock_configuration = true')
    return database
  }

  get reads(): { readonly running: number; readonly waiting: number } {
    return { running: this.#slots.running, waiting: this.#slots.waiting }
  }

  /** Runs `work` on a separate connection inside one snapshot, after waiting for a slot. */
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

  /** Runs `work`, which needs no connection, after waiting for a slot. */
  async compute<T>(signal: AbortSignal | undefined, work: () => Promise<T>, length: ReadLength = 'quick'): Promise<T> {
    const release = await this.#slots.take(length, signal, readingCaller.getStore())
    try {
      await separateRounds()
      signal?.throwIfAborted()
      return await work()
    } catch (error) {
      throw engineProblem(error)
    } finally {
      release()
    }
  }

  /**
   * Runs `work` inside one snapshot without waiting for a slot. For small internal tables. Calls run one after the
   * other.
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

  /** Runs `work` inside one snapshot on a connection of its own, without a slot. For long work in the background. */
  async readBeside<T>(work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    if (this.#closed || this.#stop.signal.aborted) throw stopping()
    const running = this.#transact(async (connection) => {
      await connection.run(BEGIN_READING)
      return interruptible(connection, this.#stop.signal, () => work(connection))
    })
    const settled: Promise<unknown> = running.catch(() => undefined).then(() => this.#beside.delete(settled))
    this.#beside.add(settled)
    return running
  }

  /** Throws if the database does not respond. Waiting readers do not count as a fault. */
  async probe(): Promise<void> {
    await this.readAside((connection) => connection.run('SELECT 1'))
  }

  /** Runs `work` after all earlier writes, in one transaction that is durable when the promise resolves. */
  write<T>(work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    return this.writeInTurn((transact) => transact(work))
  }

  /** Runs `work` after all earlier writes. Its transactions run before all later writes. */
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
   * Runs `work` in a transaction on a separate connection, in parallel to other writes. It must not write to tables
   * they write to. Durable when the promise resolves.
   */
  async writeBeside<T>(signal: AbortSignal, work: (reader: Reader) => Promise<T>): Promise<T> {
    if (this.#closed || this.#stop.signal.aborted) throw stopping()
    const either = AbortSignal.any([signal, this.#stop.signal])
    const running = this.#transact(async (connection) => {
      await connection.run('BEGIN TRANSACTION')
      return work(new Reader(new Statements(connection), either))
    })
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
      // Rolls back what was not committed.
      connection.closeSync()
    }
  }

  /** Bytes of the write-ahead log that are not yet checkpointed. */
  async logBytes(): Promise<number> {
    try {
      return (await stat(`${this.#path}.wal`)).size
    } catch (error) {
      if (isMissing(error)) return 0
      throw error
    }
  }

  /** Runs a part of a transaction. Aborts it when the signal fires or the database closes. */
  unless<T>(signal: AbortSignal, connection: DuckDBConnection, work: () => Promise<T>): Promise<T> {
    return interruptible(connection, AbortSignal.any([signal, this.#stop.signal]), work)
  }

  /**
   * Moves committed changes from the write-ahead log into the file. Returns false if concurrent transactions prevent
   * it.
   */
  checkpoint(): Promise<boolean> {
    const result = this.#writes.then(async () => {
      if (this.#closed) return false
      try {
        await this.#writer.run('CHECKPOINT')
        return true
      } catch (error) {
        if (isCheckpointPrevented(error)) return false
        throw error
      }
    })
    this.#writes = result.catch(() => undefined)
    return result
  }

  /**
   * Closes after pending writes. Without a checkpoint the write-ahead log remains and is replayed at the next start.
   */
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
    // The database may have been closed since the slot was granted.
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

  /** Returns the connection and the slot of a read, without making its caller wait. */
  #leave(statements: Statements | undefined, release: Release): void {
    const left = this.#giveBack(statements).finally(() => {
      this.#leaving.delete(left)
      release()
    })
    this.#leaving.add(left)
  }

  /** Ends the snapshot if one has started. If that fails, for example after an interrupt, the connection is closed. */
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
    // Lists up to this length are pushed into the scan, such as the keys of parent buckets.
    dynamic_or_filter_threshold: '20000',
    // A commit must not wait for a checkpoint: these run in the background (compact/compactor.ts).
    checkpoint_threshold: '4GiB',
    // Reading the few columns of a page together with the sort keys is faster than looking them up by row afterwards.
    late_materialization_max_rows: '0',
    // Grouping by few integers of known range uses an array instead of a hash table, which is twice as fast. Up to
    // 2^18.
    perfect_ht_threshold: '18',
    // Statements sort where order matters. Preserving insertion order elsewhere costs memory.
    preserve_insertion_order: 'false',
  })
}
