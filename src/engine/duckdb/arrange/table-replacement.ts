import { type DuckDBConnection, DuckDBListValue, type DuckDBValue } from '@duckdb/node-api'
import { compileIdLookup } from '../condition/selection-sql.ts'
import { saveDefinition } from '../index/catalog.ts'
import type { IndexDefinition } from '../index/index-definition.ts'
import type { IndexTable } from '../index/index-table.ts'
import { countsTable } from '../index/key-counts.ts'
import { withAids } from '../index/table-layout.ts'
import { termsTable } from '../index/term-ranks.ts'
import { dropNewestFirst } from '../shortcut/newest-first.ts'

/** Replaces the old table by an arranged one. Running readers keep the old table and its files. */
export async function replaceTable(connection: DuckDBConnection, old: IndexTable, target: IndexTable): Promise<void> {
  await dropTables(connection, old)
  await saveDefinition(connection, target.definition)
}

/** True if documents were only added and removed since `before`, so that `followUp` can update the arranged table. */
export function canFollow({ definition: before }: IndexTable, { definition: now }: IndexTable): boolean {
  const { uuid, table, layout, mapping, sourceStale, lacksAids } = now
  return (
    uuid === before.uuid &&
    table === before.table &&
    layout === before.layout &&
    mapping === before.mapping &&
    sourceStale === before.sourceStale &&
    lacksAids === before.lacksAids
  )
}

/**
 * Updates a table arranged from the state `before` to the state `now`: appends added documents as its tail and deletes
 * those in `removed` (ids). Returns undefined if the document counts then differ; the caller must discard the table.
 */
export async function followUp(
  connection: DuckDBConnection,
  target: IndexTable,
  before: IndexTable,
  now: IndexTable,
  removed: readonly string[],
): Promise<IndexTable | undefined> {
  const { arrangedSeq, documents } = target.definition
  const gone =
    removed.length === 0
      ? 0
      : await changed(connection, `DELETE FROM ${target.table} WHERE ${compileIdLookup(target)}`, [
          new DuckDBListValue([...new Set(removed)]),
        ])
  const names = withAids(now.definition.layout, new Map()).columns.map(({ name }) => name)
  const first = before.definition.nextSeq
  const rows = `SELECT ${[`_seq - ${first} + ${arrangedSeq}`, ...names.slice(1)].join(', ')} FROM ${now.table}`
  const tail = `INSERT INTO ${target.table} (${names.join(', ')}) ${rows} WHERE _seq >= ${first} ORDER BY _seq`
  const came = now.definition.nextSeq === first ? 0 : await changed(connection, tail)
  if (documents - gone + came !== now.definition.documents) return undefined
  const definition: IndexDefinition = {
    ...target.definition,
    documents: now.definition.documents,
    nextSeq: arrangedSeq + (now.definition.nextSeq - first),
    sourceEnd: now.definition.sourceEnd,
    version: now.definition.version + 1,
  }
  return target.changed(definition)
}

async function changed(connection: DuckDBConnection, sql: string, values: DuckDBValue[] = []): Promise<number> {
  return (await connection.run(sql, values)).rowsChanged
}

/** Drops tables that belong to no index. A crash during an arrangement leaves them behind. */
export async function dropOrphans(connection: DuckDBConnection, tables: Iterable<IndexTable>): Promise<void> {
  const current = new Set([...tables].map(({ definition }) => definition.table))
  const rows = await (await connection.run(`SELECT table_name FROM duckdb_tables() WHERE NOT temporary`)).getRows()
  for (const [name] of rows) {
    // The match also covers its copies and helper tables.
    const generation = /^index_[0-9a-f]{32}(_g\d+)?(?=_|$)/.exec(String(name))?.[0]
    if (generation !== undefined && !current.has(generation)) await connection.run(`DROP TABLE ${name}`)
  }
}

/** Drops a table with its copies and helper tables. */
export async function dropTables(connection: DuckDBConnection, table: IndexTable): Promise<void> {
  await connection.run(`DROP TABLE ${table.table}`)
  await connection.run(`DROP TABLE IF EXISTS ${table.lookupTable}`)
  await connection.run(`DROP TABLE IF EXISTS ${termsTable(table.table)}`)
  await connection.run(`DROP TABLE IF EXISTS ${countsTable(table.table)}`)
  await dropNewestFirst(connection, table.table)
}
