import type { Database } from '../database/database.ts'
import { stopping } from '../database/read-slots.ts'
import type { SourceDirectory } from '../files/source-directory.ts'
import type { IndexTable } from '../table/index-table.ts'
import type { Writes } from '../write/writes.ts'
import { rewriteSources, wantsNewSources } from './source-rewriting.ts'

/** Milliseconds without a write after which an index is idle. */
const IDLE_MS = 1500

/** Milliseconds after which an index is compacted although documents keep coming. */
const LONGEST_WAIT_MS = 60_000

/** Bytes of the write-ahead log that are worth moving into the database. */
const WORTH_BYTES = 16 * 1024 * 1024

interface CompactorOptions {
  readonly database: Database
  readonly writes: Writes
  readonly sources: SourceDirectory
  readonly tables: Map<string, IndexTable>
  readonly onFault: (error: unknown) => void
}

/**
 * Reclaims space in the background, when an index is idle: rewrites its source file if most of it is unused, and moves a
 * long write-ahead log into the database, which also reclaims the rows of deleted documents.
 */
export class Compactor {
  readonly #options: CompactorOptions
  readonly #timers = new Map<string, NodeJS.Timeout>()
  readonly #end = new AbortController()
  /** By index: the first write since it was compacted. */
  readonly #writtenMs = new Map<string, number>()
  /** Queue: indices are compacted one after the other. */
  #turn: Promise<unknown> = Promise.resolve()

  constructor(options: CompactorOptions) {
    this.#options = options
    for (const name of options.tables.keys()) this.wrote(name)
  }

  /** Records a write to an index, which is compacted when no other follows for a while. */
  wrote(name: string): void {
    if (this.#end.signal.aborted) return
    const now = performance.now()
    const since = this.#writtenMs.get(name) ?? now
    this.#writtenMs.set(name, since)
    clearTimeout(this.#timers.get(name))
    const timer = setTimeout(() => this.#inBackground(name), Math.min(IDLE_MS, since + LONGEST_WAIT_MS - now))
    timer.unref()
    this.#timers.set(name, timer)
  }

  /** Compacts indices now. */
  async now(names: readonly string[]): Promise<void> {
    await this.#inTurn(async () => {
      for (const name of names) await this.#rewrite(name)
      await this.#options.database.checkpoint()
    })
  }

  forget(name: string): void {
    clearTimeout(this.#timers.get(name))
    this.#timers.delete(name)
    this.#writtenMs.delete(name)
  }

  /** Aborts the running compaction. Nothing is lost by that. */
  async close(): Promise<void> {
    this.#end.abort(stopping())
    for (const name of [...this.#timers.keys()]) this.forget(name)
    await this.#turn
  }

  #inBackground(name: string): void {
    this.forget(name)
    const { database, onFault } = this.#options
    const compacted = this.#inTurn(async () => {
      await this.#rewrite(name)
      // Running reads can prevent a checkpoint.
      if ((await database.logBytes()) > WORTH_BYTES && !(await database.checkpoint())) this.wrote(name)
    })
    compacted.catch((error: unknown) => {
      if (!this.#end.signal.aborted) onFault(error)
    })
  }

  /** Rewrites the source file of an index if that is worth it. Writes wait meanwhile. */
  async #rewrite(name: string): Promise<void> {
    const { database, writes, sources, tables } = this.#options
    const table = tables.get(name)
    if (!table || !wantsNewSources(table.definition)) return
    const replaced = await writes.exclusive(async (transact) => {
      const before = tables.get(name)
      if (!before || !wantsNewSources(before.definition)) return undefined
      if (before.parts.lost.length > 0) {
        // The extents of a segment that cannot be read are known when it was built again.
        this.wrote(name)
        return undefined
      }
      const after = await transact((connection) =>
        database.unless(this.#end.signal, connection, () =>
          sources.during((makeFile) => rewriteSources(connection, before, makeFile)),
        ),
      )
      tables.set(name, after)
      return before
    })
    await replaced?.sources.remove()
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work)
    this.#turn = result.catch(() => undefined)
    return result
  }
}
