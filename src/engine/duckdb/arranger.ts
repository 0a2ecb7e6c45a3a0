import { arrange, isWorn, needsArranging } from './arrangement.ts'
import type { Database } from './database.ts'
import type { IndexTable } from './index-table.ts'
import type { SourceDirectory } from './source-directory.ts'

/** After this long without a write the storage is put in order. */
const IDLE_MS = 1500

const INTERRUPT_EVERY_MS = 10

export interface ArrangerOptions {
  readonly database: Database
  readonly sources: SourceDirectory
  readonly tables: Map<string, IndexTable>
  /** Someone counts on the numbers of the documents of an index. */
  readonly isHeld: (index: string) => boolean
  readonly onFault: (error: unknown) => void
}

/** Puts the storage of indices in order when they have been idle for a moment. */
export class Arranger {
  readonly #options: ArrangerOptions
  readonly #idleTimers = new Map<string, NodeJS.Timeout>()
  /** Writes under way, by index. */
  readonly #writing = new Map<string, number>()
  #arranging = false
  #closing = false

  constructor(options: ArrangerOptions) {
    this.#options = options
    for (const name of options.tables.keys()) this.whenIdle(name)
  }

  /** Runs a write to an index, which is not idle meanwhile. */
  async during<T>(index: string, write: () => Promise<T>): Promise<T> {
    clearTimeout(this.#idleTimers.get(index))
    this.#writing.set(index, (this.#writing.get(index) ?? 0) + 1)
    try {
      return await write()
    } finally {
      const others = (this.#writing.get(index) ?? 1) - 1
      if (others > 0) this.#writing.set(index, others)
      else this.#writing.delete(index)
      this.whenIdle(index)
    }
  }

  /** What is not in order is put in order now. */
  async now(tables: readonly IndexTable[]): Promise<void> {
    for (const { name, definition, hasTail } of tables) {
      if (hasTail || definition.documents < definition.nextSeq || isWorn(definition)) await this.#arrange(name)
    }
  }

  whenIdle(name: string): void {
    clearTimeout(this.#idleTimers.get(name))
    const { tables, isHeld, onFault } = this.#options
    const table = tables.get(name)
    if (!table || this.#closing || this.#writing.has(name) || isHeld(name) || !needsArranging(table.definition)) return
    const timer = setTimeout(() => {
      this.#idleTimers.delete(name)
      this.#arrange(name).catch((error: unknown) => {
        // Given up because the engine is closing.
        if (!this.#closing) onFault(error)
      })
    }, IDLE_MS)
    timer.unref()
    this.#idleTimers.set(name, timer)
  }

  forget(name: string): void {
    clearTimeout(this.#idleTimers.get(name))
    this.#idleTimers.delete(name)
  }

  /** Runs `close`, the end of the database; what is being arranged is given up, since that loses nothing. */
  async closing(close: () => Promise<void>): Promise<void> {
    for (const name of [...this.#idleTimers.keys()]) this.forget(name)
    this.#closing = true
    // An interruption between two statements goes unnoticed, so it is repeated.
    const interruption = setInterval(() => {
      if (this.#arranging) this.#options.database.interruptWrite()
    }, INTERRUPT_EVERY_MS)
    try {
      await close()
    } finally {
      clearInterval(interruption)
    }
  }

  async #arrange(name: string): Promise<void> {
    const { database, sources, tables, isHeld } = this.#options
    const arranged = await database.write((connection) =>
      sources.during(async (makeFile) => {
        const table = tables.get(name)
        if (!table || this.#closing || isHeld(name)) return undefined
        this.#arranging = true
        try {
          return { table: await arrange(connection, table, makeFile), before: table.sources }
        } finally {
          this.#arranging = false
        }
      }),
    )
    if (!arranged) return
    const { table, before } = arranged
    tables.set(name, table)
    if (table.sources !== before) await before.remove()
    await database.checkpoint()
  }
}
