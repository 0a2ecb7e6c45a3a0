import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api'
import { columnsOf, listColumnOf, type TableLayout } from '../index/table-layout.ts'
import { plainValues } from '../segment/incoming-column.ts'
import type { IncomingField, IncomingRows } from '../segment/incoming-rows.ts'

/** Rows of a table with consecutive numbers. Numbers that no row has are filled with empty rows. */
interface DatabaseRows {
  readonly rows: IncomingRows
  /** Positions of the empty rows. */
  readonly missing: readonly number[]
}

/** Reads the rows with numbers from `from` to `to` (excluded). */
export async function readRows(
  connection: DuckDBConnection,
  table: string,
  layout: TableLayout,
  from: number,
  to: number,
): Promise<DatabaseRows> {
  const fields = layout.fields.map((field) => ({
    path: field.path,
    columns: columnsOf(field.type, field.column),
    list: field.several ? listColumnOf(field) : undefined,
  }))
  const names = ['_seq', '_id', '_at', '_size']
  for (const { columns, list } of fields) names.push(...columns.map(({ name }) => name), ...(list ? [list.name] : []))
  const sql = `SELECT ${names.join(', ')} FROM ${table} WHERE _seq >= ${from} AND _seq < ${to} ORDER BY _seq`
  const found = await (await connection.run(sql)).getColumns()
  const count = to - from
  const places = (found[0] ?? []).map((seq) => Number(seq) - from)
  let next = 1
  const take = (): DuckDBValue[] => spread(found[next++] ?? [], places, count)
  const [ids, at, sizes] = [take(), take(), take()]
  const incoming = new Map<string, IncomingField>()
  for (const { path, columns, list } of fields) {
    const own = columns.map(() => plainValues(take()))
    incoming.set(path, { columns: own, ...(list && { several: plainValues(take()) }) })
  }
  const present = new Set(places)
  const missing =
    places.length === count ? [] : Array.from({ length: count }, (_, i) => i).filter((i) => !present.has(i))
  return {
    rows: {
      count,
      firstSeq: from,
      ids: plainValues(ids),
      at: at.map(Number),
      sizes: sizes.map(Number),
      fields: incoming,
    },
    missing,
  }
}

function spread(values: readonly DuckDBValue[], places: readonly number[], count: number): DuckDBValue[] {
  if (values.length === count) return [...values]
  const rows = new Array<DuckDBValue>(count).fill(null)
  for (const [i, place] of places.entries()) rows[place] = values[i] ?? null
  return rows
}
