import type { DuckDBConnection } from '@duckdb/node-api'
import { type IndexDefinition, IndexTable } from './index-table.ts'
import { readTermRanks } from './term-ranks.ts'

const CATALOG = 'periplus_catalog'

/** Creates the catalog in a new database and reads it. */
export async function readCatalog(connection: DuckDBConnection): Promise<Map<string, IndexTable>> {
  await connection.run(`CREATE TABLE IF NOT EXISTS ${CATALOG} (name VARCHAR, definition VARCHAR)`)
  const rows = await (await connection.run(`SELECT definition FROM ${CATALOG} ORDER BY name`)).getRows()
  const tables = new Map<string, IndexTable>()
  for (const [text] of rows) {
    const definition = JSON.parse(String(text)) as IndexDefinition
    tables.set(definition.name, new IndexTable(definition, await readTermRanks(connection, definition)))
  }
  return tables
}

/** Stores the definition in the transaction of the change it describes. */
export async function saveDefinition(connection: DuckDBConnection, definition: IndexDefinition): Promise<void> {
  await removeDefinition(connection, definition.name)
  await connection.run(`INSERT INTO ${CATALOG} VALUES ($1, $2)`, [definition.name, JSON.stringify(definition)])
}

export async function removeDefinition(connection: DuckDBConnection, name: string): Promise<void> {
  await connection.run(`DELETE FROM ${CATALOG} WHERE name = $1`, [name])
}
