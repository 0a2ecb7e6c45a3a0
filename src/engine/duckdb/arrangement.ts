import type { DuckDBConnection } from '@duckdb/node-api'
import { saveDefinition } from './catalog.ts'
import { type IndexDefinition, IndexTable } from './index-table.ts'
import { hashOf } from './lookup-sql.ts'
import { type FieldLayout, rankColumnOf, withRanks } from './table-layout.ts'

/** A tail of unarranged rows below both bounds costs a query less than arranging would. */
const SMALL_TAIL = 10_000
const TAIL_SHARE = 0.1

/** A keyword with at least this many distinct values per document is worth a lookup. */
const NEAR_UNIQUE = 0.5

/** Ranks cost a sort and a join each; an index rarely has more identifiers than this that people sort by. */
const MOST_RANKED = 2

/** True when enough rows came since the storage was last put in order. */
export function needsArranging(definition: IndexDefinition): boolean {
  const tail = definition.nextSeq - definition.arrangedSeq
  return tail > Math.max(SMALL_TAIL, definition.nextSeq * TAIL_SHARE)
}

/**
 * Rewrites the table in key order, so that the rows of a tile lie side by side and scans skip the rest; ranks the
 * identifying keywords, so that sorting by one compares integers; and makes their lookup table. Runs inside the
 * transaction of `connection`; readers keep the old table.
 */
export async function arrange(connection: DuckDBConnection, table: IndexTable): Promise<IndexTable> {
  const { definition } = table
  const { documents } = definition
  const identifying = await identifyingFields(connection, definition)
  const ranked = identifying.slice(0, MOST_RANKED)
  const layout = withRanks(
    definition.layout,
    ranked.map((f) => f.path),
  )
  const target = new IndexTable({
    ...definition,
    table: `${baseName(definition.table)}_g${definition.version + 1}`,
    layout,
    nextSeq: documents,
    arrangedSeq: documents,
    lookups: ['_id', ...identifying.map((f) => f.path)],
    version: definition.version + 1,
  })
  await makeRanks(connection, table, ranked)
  await rewrite(connection, table, target, ranked)
  await makeLookupTable(connection, target, ['_id', ...identifying.map((f) => f.column)])
  await dropTables(connection, table)
  for (const field of ranked) await connection.run(`DROP TABLE ${rankTable(table, field)}`)
  await saveDefinition(connection, target.definition)
  return target
}

const rankTable = (table: IndexTable, field: FieldLayout): string => `${table.table}_${rankColumnOf(field).name}`

/** Ranks are made beside the table, from two narrow columns: sorting whole rows once more would cost far more. */
async function makeRanks(
  connection: DuckDBConnection,
  table: IndexTable,
  fields: readonly FieldLayout[],
): Promise<void> {
  for (const field of fields) {
    const rank = `CAST(rank() OVER (ORDER BY ${field.column}) AS UINTEGER) AS rank`
    await connection.run(
      `CREATE TABLE ${rankTable(table, field)} AS SELECT _seq, ${rank} FROM ${table.table} WHERE ${field.column} IS NOT NULL`,
    )
  }
}

async function rewrite(
  connection: DuckDBConnection,
  table: IndexTable,
  target: IndexTable,
  ranked: readonly FieldLayout[],
): Promise<void> {
  const ranks = new Map(ranked.map((f) => [rankColumnOf(f).name, `${rankTable(table, f)}.rank`]))
  const columns = target.definition.layout.columns.slice(1).map(({ name }) => {
    const rank = ranks.get(name)
    return rank ? `${rank} AS ${name}` : `d.${name}`
  })
  const joins = ranked.map((f) => ` LEFT JOIN ${rankTable(table, f)} ON ${rankTable(table, f)}._seq = d._seq`)
  const key = table.clusteringField ? `d.${table.clusteringField.column}_key, ` : ''
  const rows = `SELECT ${columns.join(', ')} FROM ${table.table} d${joins.join('')} ORDER BY ${key}d._seq`
  await connection.run(`CREATE TABLE ${target.table} AS SELECT row_number() OVER () - 1 AS _seq, * FROM (${rows})`)
}

async function makeLookupTable(
  connection: DuckDBConnection,
  target: IndexTable,
  columns: readonly string[],
): Promise<void> {
  const hashes = columns.map(
    (column, i) =>
      `SELECT CAST(${i} AS UTINYINT) AS field, ${hashOf(column)} AS h, _seq AS seq FROM ${target.table} WHERE ${column} IS NOT NULL`,
  )
  const all = hashes.join(' UNION ALL ')
  await connection.run(`CREATE TABLE ${target.lookupTable} AS SELECT * FROM (${all}) ORDER BY field, h`)
}

export async function dropTables(connection: DuckDBConnection, table: IndexTable): Promise<void> {
  await connection.run(`DROP TABLE ${table.table}`)
  await connection.run(`DROP TABLE IF EXISTS ${table.lookupTable}`)
}

/** Keywords with almost a value per document. */
async function identifyingFields(
  connection: DuckDBConnection,
  { table, layout, documents }: IndexDefinition,
): Promise<readonly FieldLayout[]> {
  const fields: FieldLayout[] = []
  for (const field of layout.fields) {
    if (field.type !== 'KEYWORD' || field.several) continue
    const distinct = await scalar(connection, `SELECT approx_count_distinct(${field.column}) FROM ${table}`)
    if (distinct >= documents * NEAR_UNIQUE && distinct > 1) fields.push(field)
  }
  return fields
}

async function scalar(connection: DuckDBConnection, sql: string): Promise<number> {
  const rows = await (await connection.run(sql)).getRows()
  return Number(rows[0]?.[0] ?? 0)
}

const baseName = (table: string): string => table.replace(/_g\d+$/, '')
