import { chmodSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** Milliseconds. Another process may lock the file for one transaction. */
const BUSY_MS = 5000

/** Work queued for the next commit, with the callbacks of its caller. */
interface Waiting {
  readonly work: () => unknown
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

/**
 * The SQLite file stored with the documents: references, the tag log, subscriptions, events and deliveries. Uses one
 * connection, so that related changes commit together. Committed data is on disk.
 */
export class SqliteFile {
  readonly database: DatabaseSync
  readonly #path: string
  #waiting: Waiting[] = []

  private constructor(database: DatabaseSync, path: string) {
    this.database = database
    this.#path = path
  }

  /** `:memory:` opens a temporary database. */
  static open(path: string): SqliteFile {
    if (path !== ':memory:') mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    const database = new DatabaseSync(path, { timeout: BUSY_MS })
    try {
      // The file holds secrets. Additional files of SQLite get the same mode.
      if (path !== ':memory:') chmodSync(path, 0o600)
      database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
      return new SqliteFile(database, path)
    } catch (error) {
      database.close()
      throw error
    }
  }

  get isOpen(): boolean {
    return this.database.isOpen
  }

  /** Creates the tables of a component. Throws if the file was written by another version, to avoid misreading it. */
  prepare(component: string, version: number, layout: string): void {
    this.transaction(() => {
      this.database.exec(VERSIONS)
      this.database.exec(layout)
      this.database.prepare('INSERT INTO schema_version VALUES (?, ?) ON CONFLICT DO NOTHING').run(component, version)
      const row = this.database.prepare('SELECT version FROM schema_version WHERE component = ?').get(component)
      if (row?.version !== version) {
        throw new Error(
          `${this.#path} contains ${component} version ${row?.version}; this release supports version ${version}`,
        )
      }
    })
  }

  /** Runs `work` in a separate transaction. The changes are on disk when it returns. */
  transaction<T>(work: () => T): T {
    this.database.exec('BEGIN IMMEDIATE')
    try {
      const value = work()
      this.database.exec('COMMIT')
      return value
    } catch (error) {
      if (this.database.isTransaction) this.database.exec('ROLLBACK')
      throw error
    }
  }

  /**
   * Like `transaction`, but shares one commit with all work queued in the same turn, so that the disk is flushed once.
   * If `work` throws, only its changes are rolled back.
   */
  commit<T>(work: () => T): Promise<T> {
    if (this.#waiting.length === 0) setImmediate(() => this.#commitWaiting())
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ work, resolve: (value) => resolve(value as T), reject })
    })
  }

  close(): void {
    if (!this.database.isOpen) return
    this.#commitWaiting()
    this.database.close()
  }

  #commitWaiting(): void {
    const waiting = this.#waiting
    this.#waiting = []
    if (waiting.length === 0) return
    const answers: (() => void)[] = []
    try {
      this.transaction(() => {
        for (const { work, resolve, reject } of waiting) {
          try {
            const value = this.#inSavepoint(work)
            answers.push(() => resolve(value))
          } catch (error) {
            // The whole transaction was rolled back, e.g. because the disk is full.
            if (!this.database.isTransaction) throw error
            answers.push(() => reject(error))
          }
        }
      })
    } catch (error) {
      for (const { reject } of waiting) reject(error)
      return
    }
    for (const answer of answers) answer()
  }

  #inSavepoint(work: () => unknown): unknown {
    this.database.exec('SAVEPOINT one')
    try {
      const value = work()
      this.database.exec('RELEASE one')
      return value
    } catch (error) {
      if (this.database.isTransaction) this.database.exec('ROLLBACK TO one; RELEASE one')
      throw error
    }
  }
}

const VERSIONS =
  'CREATE TABLE IF NOT EXISTS schema_version (component TEXT PRIMARY KEY, version INTEGER NOT NULL) STRICT'
