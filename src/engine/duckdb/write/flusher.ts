import type { StepObserver, StorageStep } from '../../step-observer.ts'
import type { ReadingThread } from '../columns/reading-thread.ts'
import type { Database, Transact } from '../database/database.ts'
import type { Journal } from '../journal/journal.ts'
import type { IndexTable } from '../table/index-table.ts'
import type { ChangeLog } from './change-log.ts'
import { flush, type JournaledWrites } from './flush.ts'

/** Milliseconds after which a journaled write moves into the database. */
const LONGEST_WAIT_MS = 1_000

/** Milliseconds before a failed flush is repeated. */
const AGAIN_MS = 1_000

/** Documents and bytes that are worth a flush at once. */
const MANY_DOCUMENTS = 20_000
const MANY_BYTES = 8 * 1024 * 1024

/** Writes wait for a flush when there is more than this in memory. */
const MOST_BYTES = 64 * 1024 * 1024

interface FlusherOptions {
  readonly database: Database
  readonly journal: Journal
  readonly tables: ReadonlyMap<string, IndexTable>
  readonly changes: ChangeLog
  readonly thread: ReadingThread
  readonly onFault: (error: unknown) => void
  readonly steps?: StepObserver<StorageStep>
}

/**
 * Moves journaled writes into the database, in the background and before everything that needs it complete:
 *
 * - reads by SQL, plans of tags, and building a lost segment (`flushed`)
 * - large writes and those that change the mapping, mapping changes, dropping an index, batches of tags, rewriting a
 *   source file (`Writes.exclusive`, which also keeps other writes out)
 * - publishing a segment (`inTurn`): the catalog must not name a segment with rows that the database lacks
 * - reading the changes for subscriptions (`ChangeLog.waitFor`)
 * - repairing the journal, and closing the engine
 */
export class Flusher {
  readonly #options: FlusherOptions
  readonly #pending: JournaledWrites[] = []
  #documents = 0
  #bytes = 0
  #timer: NodeJS.Timeout | undefined
  /** A flush that has not begun. */
  #next: Promise<void> | undefined
  #isClosed = false

  constructor(options: FlusherOptions) {
    this.#options = options
  }

  /** Takes the writes of a record. They must be durable and published. */
  add(writes: JournaledWrites): void {
    this.#pending.push(writes)
    let isWanted = false
    for (const { ids, removed, sources, raised } of writes.entries) {
      this.#documents += ids.length + removed.length
      this.#bytes += sources.length
      // Subscribers are told when the changes are in the database.
      if (raised) isWanted = true
    }
    if (isWanted || this.#documents > MANY_DOCUMENTS || this.#bytes > MANY_BYTES) this.#flushSoon(0)
    else this.#flushSoon(LONGEST_WAIT_MS)
  }

  /** True if writes must wait for a flush. */
  get isFull(): boolean {
    return this.#bytes > MOST_BYTES
  }

  /** Resolves when the database has everything that was added before the call. */
  async flushed(): Promise<void> {
    if (this.#pending.length === 0) return
    this.#next ??= this.#options.database.writeInTurn((transact) => {
      this.#next = undefined
      return this.inTurn(transact)
    })
    await this.#next
  }

  /** Flushes in a turn of the writer connection. The database is complete until the end of the turn. */
  async inTurn(transact: Transact): Promise<void> {
    const writes = [...this.#pending]
    const last = writes.at(-1)
    if (!last) return
    const { tables, changes, thread, journal } = this.#options
    await this.#step('flushing')
    await transact(async (connection) => {
      await flush(connection, writes, { table: (name) => tables.get(name), changes, thread })
      await this.#step('flush-committing')
    })
    await this.#step('flushed')
    journal.flushed(last.number)
    this.#pending.splice(0, writes.length)
    const entries = writes.flatMap((record) => record.entries)
    for (const { ids, removed, sources } of entries) {
      this.#documents -= ids.length + removed.length
      this.#bytes -= sources.length
    }
    if (entries.some(({ raised }) => raised !== undefined)) changes.tell()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    await this.flushed()
  }

  #flushSoon(afterMs: number): void {
    if (this.#isClosed || (this.#timer && afterMs > 0)) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.flushed().then(
        () => {
          if (this.#pending.length > 0) this.#flushSoon(LONGEST_WAIT_MS)
        },
        (error: unknown) => {
          this.#options.onFault(error)
          this.#flushSoon(AGAIN_MS)
        },
      )
    }, afterMs)
    this.#timer.unref()
  }

  async #step(step: StorageStep): Promise<void> {
    await this.#options.steps?.(step)
  }
}
