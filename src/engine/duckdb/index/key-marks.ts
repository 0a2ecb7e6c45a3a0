import type { DuckDBConnection } from '@duckdb/node-api'
import type { IndexDefinition, KeyMarks } from './index-definition.ts'
import { clusteringField } from './table-layout.ts'

/** Limited because they are part of the catalog entry, which is written with every batch. */
const MOST_MARKS = 256

const TILE_SHIFT = 26n

/** Reads the marks of a newly arranged table. Rows are numbered in key order, those without a place last. */
export async function readKeyMarks(
  connection: DuckDBConnection,
  { table, layout, documents }: Pick<IndexDefinition, 'table' | 'layout' | 'documents'>,
): Promise<KeyMarks | undefined> {
  const place = clusteringField(layout)
  if (!place) return undefined
  const every = Math.max(1, Math.ceil(documents / MOST_MARKS))
  const key = `${place.column}_key`
  const sql = `SELECT CAST(${key} >> ${TILE_SHIFT} AS BIGINT) FROM ${table} WHERE _seq % ${every} = 0 AND ${key} IS NOT NULL`
  const rows = await (await connection.run(`${sql} ORDER BY _seq`)).getRows()
  return { every, tiles: rows.map(([tile]) => Number(tile)) }
}

/** Upper bound of arranged rows with keys in [first, last]. */
export function mostRowsBetween({ every, tiles }: KeyMarks, first: bigint, last: bigint): number {
  const from = Number(first >> TILE_SHIFT)
  const to = Number(last >> TILE_SHIFT)
  return (tiles.filter((tile) => tile >= from && tile <= to).length + 1) * every
}
