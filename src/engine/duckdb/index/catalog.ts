import type { DuckDBConnection } from '@duckdb/node-api'
import { Type } from 'typebox'
import { parseStored } from '../../../model/json/stored-json.ts'
import { Statements } from '../database/statements.ts'
import { IdentifierFile } from '../files/identifier-file.ts'
import { RowFile } from '../files/row-file.ts'
import { type SourceDirectory, UnreadableStorage } from '../files/source-directory.ts'
import type { IndexDefinition } from './index-definition.ts'
import { closeFiles, type IndexFiles } from './index-files.ts'
import { IndexTable } from './index-table.ts'
import { clusteringPoint } from './table-layout.ts'
import { readTermRanks } from './term-ranks.ts'

const CATALOG = 'periplus_catalog'

/** Storage version. Changes when older databases can no longer be read. */
const STORAGE = 3

interface CatalogEntry extends IndexDefinition {
  readonly storage: number
}

/** The name is enough: the storage version, which is checked next, stands for the form of the other members. */
const Entry = Type.Unsafe<CatalogEntry>({
  type: 'object',
  properties: { name: { type: 'string' } },
  required: ['name'],
})

/** Reads the catalog. Creates it in a new database. */
export async function readCatalog(
  connection: DuckDBConnection,
  directory: SourceDirectory,
): Promise<Map<string, IndexTable>> {
  await connection.run(`CREATE TABLE IF NOT EXISTS ${CATALOG} (name VARCHAR, definition VARCHAR)`)
  const rows = await (await connection.run(`SELECT definition FROM ${CATALOG} ORDER BY name`)).getRows()
  const tables = new Map<string, IndexTable>()
  try {
    for (const [text] of rows) {
      const { storage, ...stored } = parseStored(Entry, String(text), 'catalog entry of an index')
      if (storage !== STORAGE) throw otherVersion(stored.name)
      const definition = withoutOldAids(stored)
      const terms = await readTermRanks(connection, definition)
      tables.set(definition.name, new IndexTable(definition, terms, await openFiles(definition, directory)))
    }
  } catch (error) {
    for (const { files } of tables.values()) await closeFiles(files)
    throw error
  }
  return tables
}

/** Drops files and copies whose format has changed since the table was arranged. It is then arranged again. */
function withoutOldAids(stored: IndexDefinition): IndexDefinition {
  const { newest, identifiers, ...others } = stored
  const hasNewest = newest !== undefined && 'headAfter' in newest
  const hasIdentifiers = identifiers?.tellsRows === true
  const lacksRows =
    stored.tellsPlaces === true && stored.rows === undefined && clusteringPoint(stored.layout) !== undefined
  if (hasNewest === (newest !== undefined) && hasIdentifiers === (identifiers !== undefined) && !lacksRows)
    return stored
  return { ...others, ...(hasNewest && { newest }), ...(hasIdentifiers && { identifiers }), lacksAids: true }
}

async function openFiles(
  { sourceFile, sourceEnd, identifiers, rows }: IndexDefinition,
  directory: SourceDirectory,
): Promise<IndexFiles> {
  let files: IndexFiles = { sources: await directory.open(sourceFile, sourceEnd) }
  try {
    if (identifiers) {
      const file = await directory.open(identifiers.file, identifiers.end)
      files = { ...files, identifiers: new IdentifierFile(file, identifiers) }
    }
    if (rows) files = { ...files, rows: new RowFile(await directory.open(rows.file, rows.end), rows) }
    return files
  } catch (error) {
    await closeFiles(files)
    throw error
  }
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

function printEntry(definition: IndexDefinition): string {
  const entry: CatalogEntry = { ...definition, storage: STORAGE }
  return JSON.stringify(entry)
}

export async function removeDefinition(connection: DuckDBConnection, name: string): Promise<void> {
  await connection.run(`DELETE FROM ${CATALOG} WHERE name = $1`, [name])
}

const otherVersion = (name: string): UnreadableStorage =>
  new UnreadableStorage(
    `The index ${name} was written by another version, in a format that this version does not support: choose an empty data directory and load the data again, or use the version that wrote it.`,
  )
