import type { DuckDBConnection } from '@duckdb/node-api'
import type { SearchPlan } from '../../query/plan.ts'
import type { IndexDefinition, IndexTable } from './index-table.ts'
import type { RankedKeys } from './ranked-keys.ts'
import { type FieldLayout, rankColumnOf } from './table-layout.ts'

/**
 * A narrow copy of an arranged table in the order of an identifier: its rank, and where the sources lie. The page behind
 * a cursor is a few rows of it, side by side; in the table itself they are everywhere.
 */
const orderTable = (table: string, number: number): string => `${table}_order${number}`

/** Makes the copies of an arranged table, for the fields at the paths `ordered`. */
export async function makeOrders(
  connection: DuckDBConnection,
  { table, layout, ordered = [] }: IndexDefinition,
): Promise<void> {
  const fields = ordered.flatMap((path) => layout.fields.find((field) => field.path === path) ?? [])
  for (const [number, field] of fields.entries()) {
    const rank = rankColumnOf(field).name
    const rows = `SELECT ${rank}, _at, _size FROM ${table} ORDER BY ${rank}`
    await connection.run(`CREATE TABLE ${orderTable(table, number)} AS ${rows}`)
  }
}

export async function dropOrders(
  connection: DuckDBConnection,
  { table, ordered = [] }: IndexDefinition,
): Promise<void> {
  for (const number of ordered.keys()) await connection.run(`DROP TABLE IF EXISTS ${orderTable(table, number)}`)
}

/** Only where every document has a value: others would not be in the order. */
export const canBeOrdered = ({ ranked, complete }: FieldLayout): boolean => ranked === 'rows' && complete === true

/** The copy that has a page of all documents side by side. */
export function orderForPage(
  { predicate, sort }: SearchPlan,
  [table, ...others]: readonly IndexTable[],
  ranked: RankedKeys,
): IndexTable | undefined {
  const [key, ...moreKeys] = sort
  if (!table?.tellsPlaces || others.length > 0 || predicate.kind !== 'everything') return undefined
  if (key?.kind !== 'field' || moreKeys.length > 0 || !ranked.has(0) || !table.field(key.field)) return undefined
  const number = table.definition.ordered?.indexOf(key.field.path) ?? -1
  return number < 0 ? undefined : table.inCopy(orderTable(table.definition.table, number))
}
