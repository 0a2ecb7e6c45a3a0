import type { DuckDBConnection } from '@duckdb/node-api'
import type { Transact } from '../database/database.ts'
import type { IndexDefinition } from '../index/index-definition.ts'
import type { FieldLayout, TableLayout } from '../index/table-layout.ts'
import { readEntries, saveDefinition } from './catalog.ts'

/** A field in storage 3. Ranks and days of rows were stored in columns of their own. */
interface OldField extends FieldLayout {
  readonly ranked?: string
  readonly complete?: boolean
  readonly hasDay?: boolean
}

/** Members that mean the same in storage 4. `sourceStale` was an estimate and is computed anew. */
type KeptMembers = Omit<IndexDefinition, 'layout' | 'sourceStale' | 'segments'>

/** Catalog entry of storage 3, as far as it is converted. The other members describe structures that no longer exist. */
interface OldEntry extends KeptMembers {
  readonly layout: { readonly columns: TableLayout['columns']; readonly fields: readonly OldField[] }
}

const OLD_STORAGE = 3

/** Tables beside the table of an index, by suffix of their names. */
const OLD_TABLES = ['lookup', 'terms', 'counts', 'newest']

/**
 * Converts the indices of a database of storage 3 in place, each in a transaction of its own. Rows, row numbers and
 * sources stay as they are. Calls `onConverted` with the name of each converted index.
 */
export async function convertStorage3(transact: Transact, onConverted: (index: string) => void): Promise<void> {
  const old = (await transact(readEntries)).filter(({ storage }) => storage === OLD_STORAGE)
  for (const entry of old) {
    await transact((connection) => convert(connection, entry as unknown as OldEntry))
    onConverted(entry.name)
  }
}

async function convert(connection: DuckDBConnection, old: OldEntry): Promise<void> {
  const { name, uuid, table, mapping, documents, nextSeq, sourceFile, sourceEnd } = old
  for (const suffix of OLD_TABLES) await connection.run(`DROP TABLE IF EXISTS ${table}_${suffix}`)
  const dropped = new Set(old.layout.fields.flatMap(oldColumns))
  for (const column of dropped) await connection.run(`ALTER TABLE ${table} DROP COLUMN ${column}`)
  const layout: TableLayout = {
    columns: old.layout.columns.filter((column) => !dropped.has(column.name)),
    fields: old.layout.fields.map(withoutOldMembers),
  }
  const [row] = await (await connection.run(`SELECT coalesce(sum(_size), 0) FROM ${table}`)).getRows()
  const sourceStale = sourceEnd - Number(row?.[0] ?? 0)
  const version = old.version + 1
  const kept = { name, uuid, table, mapping, documents, nextSeq, sourceFile, sourceEnd }
  await saveDefinition(connection, { ...kept, layout, sourceStale, segments: [], version })
}

const oldColumns = ({ column, ranked, hasDay }: OldField): readonly string[] => [
  ...(ranked ? [`${column}_rank`] : []),
  ...(hasDay ? [`${column}_day`] : []),
]

function withoutOldMembers({ ranked: _ranked, complete: _complete, hasDay: _hasDay, ...field }: OldField): FieldLayout {
  return field
}
