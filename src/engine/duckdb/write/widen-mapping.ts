import type { DuckDBConnection } from '@duckdb/node-api'
import { extendMapping } from '../../../mapping/extend-mapping.ts'
import { missingFields } from '../../../mapping/mapping-difference.ts'
import { countFields, firstFields } from '../../../model/field-limit.ts'
import type { Mapping } from '../../../model/mapping.ts'
import type { Transact } from '../database/database.ts'
import type { IndexDefinition } from '../index/index-definition.ts'
import { layoutOf, type TableLayout } from '../index/table-layout.ts'
import { saveDefinition } from '../table/catalog.ts'
import type { IndexTable } from '../table/index-table.ts'

/**
 * Adding a column keeps the previous version of the table in memory until the transaction ends. More fields than this
 * are added in several transactions.
 */
const FIELDS_AT_ONCE = 100

/** Adds fields of a much wider mapping in steps, until at most FIELDS_AT_ONCE are left. */
export async function addManyFields(
  transact: Transact,
  tables: Map<string, IndexTable>,
  before: IndexTable,
  wider: Mapping,
): Promise<IndexTable> {
  for (let table = before; ; ) {
    const { mapping } = table.definition
    const missing = missingFields(mapping, wider)
    if (missing === undefined || countFields(missing) <= FIELDS_AT_ONCE) return table
    const some = firstFields(missing, FIELDS_AT_ONCE)
    if (some === undefined) return table
    table = await setMapping(transact, tables, table, extendMapping(mapping, some, 'keep'))
  }
}

/** Adds the columns of a wider mapping and publishes the table. */
export async function setMapping(
  transact: Transact,
  tables: Map<string, IndexTable>,
  table: IndexTable,
  mapping: Mapping,
): Promise<IndexTable> {
  const { definition } = table
  const layout = layoutOf(mapping, definition.layout)
  const next = { ...definition, mapping, layout, version: definition.version + 1 }
  await transact(async (connection) => {
    await addColumns(connection, definition, layout)
    await saveDefinition(connection, next)
  })
  const changed = table.changed(next)
  tables.set(changed.name, changed)
  return changed
}

/** Adds the columns that `layout` has beyond the stored one. */
export async function addColumns(
  connection: DuckDBConnection,
  stored: IndexDefinition,
  layout: TableLayout,
): Promise<void> {
  for (const column of layout.columns.slice(stored.layout.columns.length)) {
    await connection.run(`ALTER TABLE ${stored.table} ADD COLUMN ${column.name} ${column.sqlType}`)
  }
}
