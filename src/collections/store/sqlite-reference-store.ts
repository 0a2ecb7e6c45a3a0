import type { StatementSync } from 'node:sqlite'
import { Type } from 'typebox'
import type { CollectionReference, CollectionReferenceParameters } from '../../model/collection.ts'
import { parseStored } from '../../model/json/stored-json.ts'
import { SqliteFile } from '../../storage/sqlite-file.ts'
import type { ReferenceStore } from './reference-store.ts'

/** Version of the table layout. A file with a later version is refused rather than misread. */
const VERSION = 1

const LAYOUT = `
  CREATE TABLE IF NOT EXISTS collection_reference (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    params TEXT NOT NULL
  ) STRICT;
`

/**
 * References in a SQLite file owned by this process. All references are cached in memory, and a write is on disk before
 * it becomes visible.
 */
export function openSqliteReferenceStore(path: string): ReferenceStore {
  const file = SqliteFile.open(path)
  try {
    return sqliteReferenceStore(file)
  } catch (error) {
    file.close()
    throw error
  }
}

/** Uses a file shared with other stores. Closing this store closes the file, so it must be closed last. */
export function sqliteReferenceStore(file: SqliteFile): ReferenceStore {
  file.prepare('collection_reference', VERSION, LAYOUT)
  return new SqliteReferenceStore(file)
}

class SqliteReferenceStore implements ReferenceStore {
  readonly #file: SqliteFile
  readonly #upsert: StatementSync
  readonly #remove: StatementSync
  /** Insertion order is the order of creation. */
  readonly #references: Map<string, CollectionReference>

  constructor(file: SqliteFile) {
    const { database } = file
    this.#file = file
    this.#upsert = database.prepare(
      'INSERT INTO collection_reference (name, params) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET params = excluded.params',
    )
    this.#remove = database.prepare('DELETE FROM collection_reference WHERE name = ?')
    this.#references = readAll(file)
  }

  async list(): Promise<readonly CollectionReference[]> {
    return [...this.#references.values()]
  }

  async get(name: string): Promise<CollectionReference | undefined> {
    return this.#references.get(name)
  }

  recent(name: string): Promise<CollectionReference | undefined> {
    return this.get(name)
  }

  async putAll(references: readonly CollectionReference[]): Promise<void> {
    if (references.length === 0) return
    this.#file.transaction(() => {
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
    this.#file.close()
  }
}

/** Checks the outer form only: references are validated before they are written, and the layout version is known. */
const Params = Type.Unsafe<CollectionReferenceParameters>({
  type: 'object',
  properties: { index_name: { type: 'string' } },
  required: ['index_name'],
})

function readAll({ database }: SqliteFile): Map<string, CollectionReference> {
  const references = new Map<string, CollectionReference>()
  for (const row of database.prepare('SELECT name, params FROM collection_reference ORDER BY position').iterate()) {
    const name = String(row.name)
    const params = parseStored(Params, String(row.params), `collection ${name}`)
    references.set(name, { collection_name: name, params })
  }
  return references
}
