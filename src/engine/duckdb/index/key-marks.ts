import type { DuckDBConnection } from '@duckdb/node-api'
import type { IndexDefinition, KeyMarks } from './index-definition.ts'
import { clusteringField } from './table-layout.ts'

/** They are kept in the catalog entry, which is written with every batch. */
const MOST_MARKS = 256

const TILE_SHIFT = 26n

/** Those of a table that was just arranged; rows are numbered in the order of their keys, those without a place last. */
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

/** No more rows than this have keys between two others, both included, among those that were arranged. */
export function mostRowsBetween({ every, tiles }: KeyMarks, first: bigint, last: bigint): number {
  const from = Number(first >> TILE_SHIFT)
  const to = Number(last >> TILE_SHIFT)
  return (tiles.filter((tile) => tile >= from && tile <= to).length + 1) * every
}
