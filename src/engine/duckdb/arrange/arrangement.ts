import type { DuckDBConnection } from '@duckdb/node-api'
import { readExtremes } from '../aggregate/extremes.ts'
import { compileDay } from '../aggregate/grouping-key.ts'
import { hashOf } from '../condition/located-rows.ts'
import { IdentifierFile } from '../files/identifier-file.ts'
import { RowFile } from '../files/row-file.ts'
import { identifierFileOf, type MakeFile, rowFileOf, sourceFileOf } from '../files/source-directory.ts'
import type { SourceFile } from '../files/source-file.ts'
import type { IndexDefinition } from '../index/index-definition.ts'
import { IndexTable } from '../index/index-table.ts'
import { countedPaths, makeKeyCounts } from '../index/key-counts.ts'
import { readKeyMarks } from '../index/key-marks.ts'
import {
  type Aid,
  clusteringPoint,
  dayColumnOf,
  declareColumns,
  type FieldLayout,
  rankColumnOf,
  withAids,
} from '../index/table-layout.ts'
import { readTermRanks, termsTable } from '../index/term-ranks.ts'
import { makeNewestFirst } from '../shortcut/newest-first.ts'
import { writeIdentifiers } from './identifier-file-writer.ts'
import { writeRows } from './row-file-writer.ts'
import { copySources, placesTable, usedBytes } from './source-rewriting.ts'

/** Minimum distinct values per document for a keyword to be worth a lookup table. */
const NEAR_UNIQUE = 0.5

/** Ranks by row cost a sort and a join each. An index rarely has more identifiers that users sort by. */
const MOST_RANKED_BY_ROW = 2

/** Terms are held in memory. A field with more values is compared as text. */
const MOST_TERMS = 50_000

/** Options of one arrangement. */
interface Arranging {
  /** Number of the new table. Never used before by a table of the index. */
  readonly generation: number
  readonly makeFile: MakeFile
  /** True to copy the sources still in use to a new file. */
  readonly movesSources: boolean
}

/**
 * Creates a table of the same documents in Morton order, so that the rows of a tile are adjacent and scans skip the
 * rest. Also creates what speeds up queries: ranks of keywords (comparing them compares integers), day numbers of
 * dates, the lookup table and file of identifying keywords, key counts, the newest-first copy and the row file. Runs
 * inside the transaction of `connection` and leaves the old table unchanged.
 */
export async function makeArranged(
  connection: DuckDBConnection,
  table: IndexTable,
  { generation, makeFile, movesSources }: Arranging,
): Promise<IndexTable> {
  const {
    lacksAids: _lacksAids,
    newest: _newest,
    keyMarks: _marks,
    identifiers: _identifiers,
    rows: _rows,
    sourceStale: _stale,
    ...definition
  } = table.definition
  const { few, identifying } = await sortKeywords(connection, definition)
  const byRow = identifying.slice(0, MOST_RANKED_BY_ROW)
  const aids = new Map<string, Aid>(few.map((f) => [f.path, { ranked: 'terms' }]))
  const dates = definition.layout.fields.filter((f) => f.type === 'DATE' && !f.several)
  for (const field of dates) aids.set(field.path, { hasDay: true })
  for (const field of byRow) {
    const ranks = await makeRowRanks(connection, table, field)
    aids.set(field.path, { ranked: 'rows', complete: ranks === definition.documents })
  }
  const layout = withAids(definition.layout, aids)
  const moved = movesSources
    ? await moveSources(connection, table, makeFile, sourceFileOf(definition.uuid, generation))
    : undefined
  const arranged: IndexDefinition = {
    ...definition,
    ...(moved ? moved.definition : { sourceStale: definition.sourceEnd - (await usedBytes(connection, table)) }),
    table: `${baseName(definition.table)}_g${generation}`,
    layout,
    nextSeq: definition.documents,
    arrangedSeq: definition.documents,
    lookups: ['_id', ...identifying.map((f) => f.path)],
    counted: countedPaths(layout),
    tellsPlaces: true,
    version: definition.version + 1,
  }
  await makeTerms(connection, table, arranged.table, few)
  await rewrite(connection, table, arranged, few, byRow, moved !== undefined)
  await makeKeyCounts(connection, arranged)
  const terms = await readTermRanks(connection, arranged)
  const sources = moved?.file ?? table.sources
  const base = new IndexTable(arranged, terms, { sources })
  const extremes = await readExtremes(connection, base)
  const keyMarks = await readKeyMarks(connection, arranged)
  const newest = await makeNewestFirst(connection, arranged)
  await makeLookupTable(connection, base, identifying)
  const identifiers = byRow.length > 0 ? await makeIdentifiers(connection, base, makeFile, generation) : undefined
  const ordered: IndexDefinition = { ...arranged, extremes, ...(keyMarks && { keyMarks }), ...(newest && { newest }) }
  const rows = await makeRows(connection, ordered, makeFile, generation)
  const known = {
    ...ordered,
    ...(identifiers && { identifiers: identifiers.lists }),
    ...(rows && { rows: rows.lists }),
  }
  const target = new IndexTable(known, terms, { sources, ...(identifiers && { identifiers }), ...(rows && { rows }) })
  for (const field of byRow) await connection.run(`DROP TABLE ${rankTable(table, field)}`)
  if (moved) await connection.run(`DROP TABLE ${placesTable(table)}`)
  return target
}

async function makeIdentifiers(
  connection: DuckDBConnection,
  base: IndexTable,
  makeFile: MakeFile,
  generation: number,
): Promise<IdentifierFile> {
  const name = identifierFileOf(base.definition.uuid, generation)
  const file = await makeFile(name)
  return new IdentifierFile(file, await writeIdentifiers(connection, base, name, file))
}

async function makeRows(
  connection: DuckDBConnection,
  ordered: IndexDefinition,
  makeFile: MakeFile,
  generation: number,
): Promise<RowFile | undefined> {
  const place = clusteringPoint(ordered.layout)
  if (!place) return undefined
  const name = rowFileOf(ordered.uuid, generation)
  const file = await makeFile(name)
  return new RowFile(file, await writeRows(connection, ordered, place, name, file))
}

interface MovedSources {
  readonly file: SourceFile
  readonly definition: Pick<IndexDefinition, 'sourceFile' | 'sourceEnd'>
}

async function moveSources(
  connection: DuckDBConnection,
  table: IndexTable,
  makeFile: MakeFile,
  sourceFile: string,
): Promise<MovedSources> {
  const file = await makeFile(sourceFile)
  const sourceEnd = await copySources(connection, table, orderOf(table), file)
  return { file, definition: { sourceFile, sourceEnd } }
}

/** Sort order of arranged rows. */
const orderOf = ({ clusteringField }: IndexTable): string =>
  clusteringField ? `d.${clusteringField.column}_key, d._seq` : 'd._seq'

/** Creates the terms of all fields with few values, ranked within each field. */
async function makeTerms(
  connection: DuckDBConnection,
  table: IndexTable,
  target: string,
  fields: readonly FieldLayout[],
): Promise<void> {
  await connection.run(`CREATE TABLE ${termsTable(target)} (path VARCHAR, value VARCHAR, rank UINTEGER)`)
  for (const { column, path } of fields) {
    const values = `SELECT DISTINCT ${column} AS value FROM ${table.table} WHERE ${column} IS NOT NULL`
    const ranks = `SELECT $1, value, row_number() OVER (ORDER BY value) FROM (${values})`
    await connection.run(`INSERT INTO ${termsTable(target)} ${ranks}`, [path])
  }
}

const rankTable = (table: IndexTable, field: FieldLayout): string => `${table.table}_${rankColumnOf(field).name}`

/**
 * Creates the ranks in a separate table, from two narrow columns: sorting whole rows again would cost far more. Returns
 * the number of ranked rows.
 */
async function makeRowRanks(connection: DuckDBConnection, table: IndexTable, field: FieldLayout): Promise<number> {
  const rank = `CAST(rank() OVER (ORDER BY ${field.column}) AS UINTEGER) AS rank`
  const rows = `SELECT _seq, ${rank} FROM ${table.table} WHERE ${field.column} IS NOT NULL`
  await connection.run(`CREATE TABLE ${rankTable(table, field)} AS ${rows}`)
  return scalar(connection, `SELECT count(*) FROM ${rankTable(table, field)}`)
}

async function rewrite(
  connection: DuckDBConnection,
  table: IndexTable,
  target: IndexDefinition,
  few: readonly FieldLayout[],
  byRow: readonly FieldLayout[],
  sourcesMove: boolean,
): Promise<void> {
  const ranks = new Set([...few, ...byRow].map((f) => rankColumnOf(f).name))
  const computed = new Map(
    target.layout.fields
      .filter((f) => f.hasDay)
      .map((f) => [dayColumnOf(f).name, `CAST(${compileDay(`d.${f.column}`)} AS INTEGER)`]),
  )
  if (sourcesMove) computed.set('_at', 'places._at')
  const columns = target.layout.columns
    .slice(1)
    .map(({ name }) =>
      ranks.has(name) ? `j${name}.rank AS ${name}` : `${computed.get(name) ?? `d.${name}`} AS ${name}`,
    )
  const values: string[] = []
  const joins = [
    ...few.map((f) => {
      const name = `j${rankColumnOf(f).name}`
      return ` LEFT JOIN ${termsTable(target.table)} ${name} ON ${name}.path = $${values.push(f.path)} AND ${name}.value = d.${f.column}`
    }),
    ...byRow.map((f) => {
      const name = `j${rankColumnOf(f).name}`
      return ` LEFT JOIN ${rankTable(table, f)} ${name} ON ${name}._seq = d._seq`
    }),
    ...(sourcesMove ? [` JOIN ${placesTable(table)} places ON places._seq = d._seq`] : []),
  ]
  const rows = `SELECT ${columns.join(', ')} FROM ${table.table} d${joins.join('')} ORDER BY ${orderOf(table)}`
  await connection.run(`CREATE TABLE ${target.table} (${declareColumns(target.layout)})`)
  const sql = `INSERT INTO ${target.table} SELECT row_number() OVER () - 1 AS _seq, * FROM (${rows})`
  await connection.run(sql, values)
}

/** Maps the hash of a value to its row numbers, and to its rank if it has one. */
async function makeLookupTable(
  connection: DuckDBConnection,
  { table, lookupTable, definition }: IndexTable,
  identifying: readonly FieldLayout[],
): Promise<void> {
  const isRanked = new Set(definition.layout.fields.filter((f) => f.ranked === 'rows').map((f) => f.path))
  const hashed = [
    { column: '_id', rank: 'NULL' },
    ...identifying.map((f) => ({ column: f.column, rank: isRanked.has(f.path) ? rankColumnOf(f).name : 'NULL' })),
  ]
  const hashes = hashed.map(({ column, rank }, i) => {
    const key = `CAST(${i} AS UTINYINT) AS field, ${hashOf(column)} AS h`
    const numbers = `_seq AS seq, CAST(${rank} AS UINTEGER) AS rank`
    return `SELECT ${key}, ${numbers} FROM ${table} WHERE ${column} IS NOT NULL`
  })
  const all = hashes.join(' UNION ALL ')
  await connection.run(`CREATE TABLE ${lookupTable} AS SELECT * FROM (${all}) ORDER BY field, h`)
}

/** Classifies keywords by number of distinct values: few in total, or almost one per document. */
async function sortKeywords(
  connection: DuckDBConnection,
  { table, layout, documents }: IndexDefinition,
): Promise<{ few: readonly FieldLayout[]; identifying: readonly FieldLayout[] }> {
  const few: FieldLayout[] = []
  const identifying: FieldLayout[] = []
  for (const field of layout.fields) {
    if (field.type !== 'KEYWORD' || field.several) continue
    const distinct = await scalar(connection, `SELECT approx_count_distinct(${field.column}) FROM ${table}`)
    if (distinct > documents * NEAR_UNIQUE && distinct > 1) identifying.push(field)
    else if (distinct > 0 && distinct <= MOST_TERMS) few.push(field)
  }
  return { few, identifying }
}

async function scalar(connection: DuckDBConnection, sql: string): Promise<number> {
  const rows = await (await connection.run(sql)).getRows()
  return Number(rows[0]?.[0] ?? 0)
}

const baseName = (table: string): string => table.replace(/_g\d+$/, '')

/** Returns the highest generation in use for a table or file of an index. */
export function newestGeneration({ table, sourceFile }: IndexDefinition): number {
  return Math.max(...[/_g(\d+)$/.exec(table), /\.(\d+)$/.exec(sourceFile)].map((found) => Number(found?.[1] ?? 0)))
}
