import type { Database } from '../database/database.ts'
import { stopping } from '../database/read-slots.ts'
import type { SourceDirectory } from '../files/source-directory.ts'
import { removeFiles } from '../index/index-files.ts'
import type { IndexTable } from '../index/index-table.ts'
import { makeArranged, newestGeneration } from './arrangement.ts'
import { isWorn, needsArranging } from './arranging-need.ts'
import { wantsNewSources } from './source-rewriting.ts'
import { canFollow, dropTables, followUp, replaceTable } from './table-replacement.ts'

/** Milliseconds between two checks whether an index is calm enough to arrange. */
const LOOK_MS = 1500

/**
 * Documents per second. Arranging is about ten times as fast, so below this rate the rows added meanwhile stay a small
 * part of the index. A higher rate counts as a bulk load, and arranging waits until it ends.
 */
const CALM_RATE = 10_000

interface ArrangerOptions {
  readonly database: Database
  readonly sources: SourceDirectory
  readonly tables: Map<string, IndexTable>
  /** True while someone relies on the row numbers of an index, which arranging changes. */
  readonly isHeld: (index: string) => boolean
  readonly onFault: (error: unknown) => void
}

/** Rate of added documents: none, slow enough to arrange meanwhile, or a bulk load. */
type Pace = 'idle' | 'calm' | 'load'

/** Changes to an index while it is arranged. */
interface Meanwhile {
  /** Ids of removed documents. */
  readonly removed: string[]
}

/** Arranges the storage of indices in the background when they are calm. Writes continue meanwhile. */
export class Arranger {
  readonly #options: ArrangerOptions
  readonly #timers = new Map<string, NodeJS.Timeout>()
  /** Number of documents added so far, by index. */
  readonly #came = new Map<string, number>()
  readonly #meanwhile = new Map<string, Meanwhile>()
  readonly #end = new AbortController()
  /** Generation of the newest table. Every table gets its own. */
  #generation = 0
  /** Queue: indices are arranged one after the other. */
  #turn: Promise<unknown> = Promise.resolve()

  constructor(options: ArrangerOptions) {
    this.#options = options
    for (const name of options.tables.keys()) this.whenCalm(name)
  }

  /** Records added documents. */
  coming(index: string, documents: number): void {
    this.#came.set(index, (this.#came.get(index) ?? 0) + documents)
  }

  /** Records documents removed by a write. Called within the write's transaction turn. */
  removed(index: string, ids: Iterable<string>): void {
    const meanwhile = this.#meanwhile.get(index)
    if (meanwhile) for (const id of ids) meanwhile.removed.push(id)
  }

  /** Arranges the tables that need it now. */
  async now(tables: readonly IndexTable[]): Promise<void> {
    for (const { name, definition, hasTail } of tables) {
      if (hasTail || definition.documents < definition.nextSeq || isWorn(definition)) {
        await this.#inTurn(() => this.#arrange(name, this.#end.signal))
      }
    }
  }

  /** Schedules an index that needs arranging for when it is calm. */
  whenCalm(name: string): void {
    if (this.#timers.has(name) || !this.#isDue(name, 'idle')) return
    const pace = this.#watch(name)
    const timer = setTimeout(() => {
      this.#timers.delete(name)
      const found = pace()
      if (found !== 'load' && this.#isDue(name, found)) this.#inBackground(name, found)
      else this.whenCalm(name)
    }, LOOK_MS)
    timer.unref()
    this.#timers.set(name, timer)
  }

  forget(name: string): void {
    clearTimeout(this.#timers.get(name))
    this.#timers.delete(name)
    this.#came.delete(name)
  }

  /** Aborts the running arrangement. Nothing is lost by that. */
  async close(): Promise<void> {
    for (const name of [...this.#timers.keys()]) this.forget(name)
    this.#end.abort(stopping())
    await this.#turn
  }

  #isDue(name: string, pace: Pace): boolean {
    const { tables, isHeld } = this.#options
    const definition = tables.get(name)?.definition
    if (definition === undefined || this.#end.signal.aborted || isHeld(name)) return false
    return needsArranging(definition, pace === 'idle')
  }

  /** Returns a function that classifies the rate of added documents since its last call. */
  #watch(name: string): () => Pace {
    let since = performance.now()
    let before = this.#came.get(name) ?? 0
    return () => {
      const [now, came] = [performance.now(), this.#came.get(name) ?? 0]
      const [seconds, documents] = [(now - since) / 1000, came - before]
      since = now
      before = came
      if (documents === 0) return 'idle'
      return documents <= seconds * CALM_RATE ? 'calm' : 'load'
    }
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work)
    this.#turn = result.catch(() => undefined)
    return result
  }

  /** Aborted when a bulk load starts. */
  #inBackground(name: string, found: Pace): void {
    const load = new AbortController()
    const arranged = this.#inTurn(async () => {
      if (!this.#isDue(name, found)) return
      const pace = this.#watch(name)
      const watching = setInterval(() => {
        if (pace() === 'load') load.abort()
      }, LOOK_MS)
      try {
        await this.#arrange(name, AbortSignal.any([load.signal, this.#end.signal]))
      } finally {
        clearInterval(watching)
      }
    })
    // Either it was aborted, or many documents were added meanwhile.
    const again = (): void => this.whenCalm(name)
    arranged.then(again, (error: unknown) => {
      if (load.signal.aborted) again()
      else if (!this.#end.signal.aborted) this.#options.onFault(error)
    })
  }

  async #arrange(name: string, signal: AbortSignal): Promise<void> {
    const { database } = this.#options
    if ((await this.#arrangeBeside(name, signal)) || (await this.#arrangeAlone(name, signal)))
      await database.checkpoint()
  }

  /**
   * Arranges while writes continue. Returns false if anything but adding and removing documents happened or is needed.
   */
  async #arrangeBeside(name: string, signal: AbortSignal): Promise<boolean> {
    const { database, sources, tables, isHeld } = this.#options
    try {
      const made = await database.writeBesideFrom(
        signal,
        async (connection) => {
          const before = tables.get(name)
          if (before === undefined || isHeld(name)) return undefined
          this.#meanwhile.set(name, { removed: [] })
          await connection.run(`SELECT _seq FROM ${before.table} LIMIT 1`)
          return before
        },
        async (connection, before) => {
          if (before === undefined || (await wantsNewSources(connection, before))) return undefined
          const generation = this.#nextGeneration(before)
          const target = await sources.during((makeFile) =>
            makeArranged(connection, before, { generation, makeFile, movesSources: false }),
          )
          return { before, target }
        },
      )
      if (made === undefined) return false
      return await this.#putInPlace(name, made.before, made.target)
    } finally {
      this.#meanwhile.delete(name)
    }
  }

  async #putInPlace(name: string, before: IndexTable, target: IndexTable): Promise<boolean> {
    const { database, tables, isHeld } = this.#options
    // If this fails, the new table is unused and is dropped at the next start.
    const placed = await database.write(async (connection) => {
      const now = tables.get(name)
      const { removed = [] } = this.#meanwhile.get(name) ?? {}
      const followed =
        now && !isHeld(name) && canFollow(before, now)
          ? await followUp(connection, target, before, now, removed)
          : undefined
      if (now && followed) await replaceTable(connection, now, followed)
      else await dropTables(connection, target)
      return { now, followed }
    })
    // The sources are shared and still in use, whichever table is dropped.
    if (!placed.followed) {
      await removeFiles(target.files, before.files)
      return false
    }
    tables.set(name, placed.followed)
    if (placed.now) await removeFiles(placed.now.files, placed.followed.files)
    return true
  }

  /** Arranges while writes wait. */
  async #arrangeAlone(name: string, signal: AbortSignal): Promise<boolean> {
    const { database, sources, tables, isHeld } = this.#options
    const arranged = await database.writeUnless(signal, (connection) =>
      sources.during(async (makeFile) => {
        const before = tables.get(name)
        if (!before || isHeld(name)) return undefined
        const movesSources = await wantsNewSources(connection, before)
        const generation = this.#nextGeneration(before)
        const table = await makeArranged(connection, before, { generation, makeFile, movesSources })
        await replaceTable(connection, before, table)
        return { before, table }
      }),
    )
    if (!arranged) return false
    const { before, table } = arranged
    tables.set(name, table)
    await removeFiles(before.files, table.files)
    return true
  }

  #nextGeneration({ definition }: IndexTable): number {
    this.#generation = Math.max(this.#generation, definition.version, newestGeneration(definition)) + 1
    return this.#generation
  }
}
