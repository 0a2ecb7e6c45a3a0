import type { DuckDBConnection } from '@duckdb/node-api'
import { saveDefinition } from './catalog.ts'
import { type IndexDefinition, IndexTable } from './index-table.ts'
import { hashOf } from './lookup-sql.ts'

/** A tail of unarranged rows below both bounds costs a query less than arranging would. */
const SMALL_TAIL = 10_000
const TAIL_SHARE = 0.1

/** A keyword with at least this many distinct values per document is worth a lookup. */
const NEAR_UNIQUE = 0.5

/** True when enough rows came since the storage was last put in order. */
export function needsArranging(definition: IndexDefinition): boolean {
  const tail = definition.nextSeq - definition.arrangedSeq
  return tail > Math.max(SMALL_TAIL, definition.nextSeq * TAIL_SHARE)
}

/**
 * Rewrites the table in key order, so that the rows of a tile lie side by side and scans skip the rest, and makes the
 * lookup table of identifying keywords. Runs inside the transaction of `connection`; readers keep the old table.
 */
export async function arrange(connection: DuckDBConnection, table: IndexTable): Promise<IndexTable> {
  const { definition } = table
  const next: IndexDefinition = { ...definition, table: `${baseName(definition.table)}_g${definition.version + 1}` }
  const columns = definition.layout.columns.slice(1).map((c) => c.name)
  const order = table.clusteringField ? ` ORDER BY ${table.clusteringField.column}_key, _seq` : ' ORDER BY _seq'
  await connection.run(
    `CREATE TABLE ${next.table} AS SELECT row_number() OVER () - 1 AS _seq, ${columns.join(', ')} FROM (SELECT * FROM ${table.table}${order})`,
  )
  const { documents } = definition
  const lookups = await identifyingPaths(connection, next, documents)
  const arranged: IndexDefinition = {
    ...next,
    nextSeq: documents,
    arrangedSeq: documents,
    lookups: lookups.map((l) => l.path),
    version: definition.version + 1,
  }
  const target = new IndexTable(arranged)
  const hashes = lookups.map(
    (l, i) =>
      `SELECT CAST(${i} AS UTINYINT) AS field, ${hashOf(l.column)} AS h, _seq AS seq FROM ${next.table} WHERE ${l.column} IS NOT NULL`,
  )
  await connection.run(
    `CREATE TABLE ${target.lookupTable} AS SELECT * FROM (${hashes.join(' UNION ALL ')}) ORDER BY field, h`,
  )
  await dropTables(connection, table)
  await saveDefinition(connection, arranged)
  return target
}

export async function dropTables(connection: DuckDBConnection, table: IndexTable): Promise<void> {
  await connection.run(`DROP TABLE ${table.table}`)
  await connection.run(`DROP TABLE IF EXISTS ${table.lookupTable}`)
}

interface Lookup {
  readonly path: string
  readonly column: string
}

async function identifyingPaths(
  connection: DuckDBConnection,
  definition: IndexDefinition,
  documents: number,
): Promise<readonly Lookup[]> {
  const lookups: Lookup[] = [{ path: '_id', column: '_id' }]
  for (const field of definition.layout.fields) {
    if (field.type !== 'KEYWORD' || field.several) continue
    const distinct = await scalar(connection, `SELECT approx_count_distinct(${field.column}) FROM ${definition.table}`)
    if (distinct >= documents * NEAR_UNIQUE && distinct > 1) lookups.push({ path: field.path, column: field.column })
  }
  return lookups
}

async function scalar(connection: DuckDBConnection, sql: string): Promise<number> {
  const rows = await (await connection.run(sql)).getRows()
  return Number(rows[0]?.[0] ?? 0)
}

const baseName = (table: string): string => table.replace(/_g\d+$/, '')
