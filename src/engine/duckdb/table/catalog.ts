import type { DuckDBConnection } from '@duckdb/node-api'
import { Type } from 'typebox'
import { parseStored } from '../../../model/json/stored-json.ts'
import { Statements } from '../database/statements.ts'
import { type SourceDirectory, UnreadableStorage } from '../files/source-directory.ts'
import type { SourceFile, Sources } from '../files/source-file.ts'
import type { IndexDefinition } from '../index/index-definition.ts'
import { IndexParts } from '../parts/index-parts.ts'
import { IndexTable } from './index-table.ts'

const CATALOG = 'periplus_catalog'

/** Storage version. Changes when older databases can no longer be read as they are. */
const STORAGE = 4

/** Storage version of indices of opened files, which earlier versions cannot read. */
const OPENED_STORAGE = 5

interface CatalogEntry {
  readonly storage: number
  readonly name: string
}

/** The name is enough: the storage version, which is checked next, stands for the form of the other members. */
const Entry = Type.Unsafe<CatalogEntry>({
  type: 'object',
  properties: { name: { type: 'string' } },
  required: ['name'],
})

/** Creates the catalog in a new database. */
export async function makeCatalog(connection: DuckDBConnection): Promise<void> {
  await connection.run(`CREATE TABLE IF NOT EXISTS ${CATALOG} (name VARCHAR, definition VARCHAR)`)
}

/** Returns the entries, of any storage version, in the order of their names. */
export async function readEntries(connection: DuckDBConnection): Promise<readonly CatalogEntry[]> {
  const rows = await (await connection.run(`SELECT definition FROM ${CATALOG} ORDER BY name`)).getRows()
  return rows.map(([text]) => parseStored(Entry, String(text), 'catalog entry of an index'))
}

/** Returns what an index reads its documents from, given its source file. */
type OpenSources = (definition: IndexDefinition, file: SourceFile) => Sources

/**
 * Reads the catalog and opens the source files. The tables have no parts yet. Refuses entries of another storage version.
 */
export async function readCatalog(
  connection: DuckDBConnection,
  directory: SourceDirectory,
  openSources: OpenSources,
): Promise<Map<string, IndexTable>> {
  const tables = new Map<string, IndexTable>()
  try {
    for (const entry of await readEntries(connection)) {
      if (entry.storage !== STORAGE && entry.storage !== OPENED_STORAGE) throw otherVersion(entry.name)
      const { storage: _storage, ...stored } = entry
      const definition = stored as IndexDefinition
      const sources = openSources(definition, await directory.open(definition.sourceFile, definition.sourceEnd))
      tables.set(definition.name, new IndexTable(definition, sources, IndexParts.none))
    }
  } catch (error) {
    for (const { sources } of tables.values()) await sources.close()
    throw error
  }
  return tables
}

/** Returns the stored definition of an index. Undefined if there is none. */
export async function readDefinition(connection: DuckDBConnection, name: string): Promise<IndexDefinition | undefined> {
  const sql = `SELECT definition FROM ${CATALOG} WHERE name = $1`
  const [row] = await (await connection.run(sql, [name])).getRows()
  if (!row) return undefined
  const { storage: _storage, ...stored } = parseStored(Entry, String(row[0]), 'catalog entry of an index')
  return stored as IndexDefinition
}

/** Stores the definition of a new index, in the transaction that creates it. */
export async function addDefinition(connection: DuckDBConnection, definition: IndexDefinition): Promise<void> {
  await connection.run(`INSERT INTO ${CATALOG} VALUES ($1, $2)`, [definition.name, printEntry(definition)])
}

/** Stores the definition of an index, in the transaction of the change it describes. */
export async function saveDefinition(connection: DuckDBConnection, definition: IndexDefinition): Promise<void> {
  const sql = `UPDATE ${CATALOG} SET definition = $2 WHERE name = $1`
  const { rowsChanged } = await statementsOn(connection).run(sql, [definition.name, printEntry(definition)])
  if (rowsChanged !== 1)
    throw new Error(`the catalog has ${rowsChanged} entries for index ${definition.name} instead of one`)
}

/** Bulk loads save the definition with every batch, so the statement stays prepared on the writer connection. */
const kept = new WeakMap<DuckDBConnection, Statements>()

function statementsOn(connection: DuckDBConnection): Statements {
  const known = kept.get(connection)
  if (known) return known
  const made = new Statements(connection)
  kept.set(connection, made)
  return made
}

const printEntry = (definition: IndexDefinition): string =>
  JSON.stringify({ ...definition, storage: definition.opened === undefined ? STORAGE : OPENED_STORAGE })

export async function removeDefinition(connection: DuckDBConnection, name: string): Promise<void> {
  await connection.run(`DELETE FROM ${CATALOG} WHERE name = $1`, [name])
}

/** Removes the definitions of indices of opened files that were not filled when the process ended. */
export async function removeUnsealed(connection: DuckDBConnection): Promise<void> {
  for (const entry of await readEntries(connection)) {
    const { opened } = entry as CatalogEntry & Pick<IndexDefinition, 'opened'>
    if (opened?.isSealed === false) await removeDefinition(connection, entry.name)
  }
}

/** Drops tables of indices that are not in the catalog, and what earlier versions stored beside a table. */
export async function dropOrphans(connection: DuckDBConnection, tables: Iterable<IndexTable>): Promise<void> {
  const current = new Set([...tables].map(({ table }) => table))
  const rows = await (await connection.run('SELECT table_name FROM duckdb_tables() WHERE NOT temporary')).getRows()
  for (const [name] of rows) {
    if (/^index_[0-9a-f]{32}(_|$)/.test(String(name)) && !current.has(String(name)))
      await connection.run(`DROP TABLE ${name}`)
  }
}

const otherVersion = (name: string): UnreadableStorage =>
  new UnreadableStorage(
    `The index ${name} was written by another version, in a format that this version does not support: choose an empty data directory and load the data again, or use the version that wrote it.`,
  )
