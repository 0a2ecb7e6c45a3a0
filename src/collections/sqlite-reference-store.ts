import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { CollectionReference, CollectionReferenceParameters } from '../model/collection.ts'
import type { ReferenceStore } from './reference-store.ts'

/** Version of the table's layout; a file written by a later one is refused rather than misread. */
const VERSION = 1

/** Another process may hold the file for the length of one transaction. */
const BUSY_MS = 5000

const LAYOUT = `
  CREATE TABLE IF NOT EXISTS schema_version (component TEXT PRIMARY KEY, version INTEGER NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS collection_reference (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    params TEXT NOT NULL
  ) STRICT;
`

/**
 * References in a SQLite file. The process that opened it owns it: references are read once and kept in memory, so a
 * read costs nothing, and a write is on disk before it is seen.
 */
export function openSqliteReferenceStore(file: string): ReferenceStore {
  mkdirSync(dirname(file), { recursive: true })
  const database = new DatabaseSync(file, { timeout: BUSY_MS })
  try {
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
    prepareLayout(database, file)
    return new SqliteReferenceStore(database)
  } catch (error) {
    database.close()
    throw error
  }
}

class SqliteReferenceStore implements ReferenceStore {
  readonly #database: DatabaseSync
  readonly #upsert: StatementSync
  readonly #remove: StatementSync
  /** Insertion order is the order of creation. */
  readonly #references: Map<string, CollectionReference>

  constructor(database: DatabaseSync) {
    this.#database = database
    this.#upsert = database.prepare(
      'INSERT INTO collection_reference (name, params) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET params = excluded.params',
    )
    this.#remove = database.prepare('DELETE FROM collection_reference WHERE name = ?')
    this.#references = readAll(database)
  }

  async list(): Promise<readonly CollectionReference[]> {
    return [...this.#references.values()]
  }

  async get(name: string): Promise<CollectionReference | undefined> {
    return this.#references.get(name)
  }

  async putAll(references: readonly CollectionReference[]): Promise<void> {
    if (references.length === 0) return
    inTransaction(this.#database, () => {
      for (const { collection_name, params } of references) this.#upsert.run(collection_name, JSON.stringify(params))
    })
    for (const reference of references) this.#references.set(reference.collection_name, reference)
  }

  async delete(name: string): Promise<boolean> {
    if (!this.#references.has(name)) return false
    this.#remove.run(name)
    return this.#references.delete(name)
  }

  async close(): Promise<void> {
    if (this.#database.isOpen) this.#database.close()
  }
}

function prepareLayout(database: DatabaseSync, file: string): void {
  inTransaction(database, () => {
    database.exec(LAYOUT)
    database
      .prepare("INSERT INTO schema_version VALUES ('collection_reference', ?) ON CONFLICT DO NOTHING")
      .run(VERSION)
    const row = database.prepare("SELECT version FROM schema_version WHERE component = 'collection_reference'").get()
    if (row?.version !== VERSION) {
      throw new Error(`${file} holds collection references of version ${row?.version}; this release reads ${VERSION}`)
    }
  })
}

function readAll(database: DatabaseSync): Map<string, CollectionReference> {
  const references = new Map<string, CollectionReference>()
  for (const row of database.prepare('SELECT name, params FROM collection_reference ORDER BY position').iterate()) {
    const name = String(row.name)
    // Only validated references are written, in the layout whose version was checked.
    const params = JSON.parse(String(row.params)) as CollectionReferenceParameters
    references.set(name, { collection_name: name, params })
  }
  return references
}

function inTransaction(database: DatabaseSync, work: () => void): void {
  database.exec('BEGIN IMMEDIATE')
  try {
    work()
    database.exec('COMMIT')
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}
