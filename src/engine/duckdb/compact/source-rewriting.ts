import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api'
import { type MakeFile, sourceFileOf } from '../files/source-directory.ts'
import type { SourceFile } from '../files/source-file.ts'
import { SourceMoves } from '../files/source-moves.ts'
import type { SourcePlace } from '../files/source-pieces.ts'
import type { IndexDefinition } from '../index/index-definition.ts'
import { recordsOf } from '../parts/index-parts.ts'
import { saveDefinition } from '../table/catalog.ts'
import { IndexTable } from '../table/index-table.ts'

/** Bytes. A smaller file is never rewritten. */
const SMALL_FILE = 8 * 1024 * 1024

/** A file is rewritten when more than this share of it belongs to no document. */
const STALE_SHARE = 0.5

/** Bytes copied at a time. */
const PORTION = 4 * 1024 * 1024

/** True if most of the source file belongs to replaced or deleted documents. */
export const wantsNewSources = ({ sourceEnd, sourceStale, opened }: IndexDefinition): boolean =>
  opened === undefined && sourceEnd > SMALL_FILE && sourceStale > sourceEnd * STALE_SHARE

/**
 * Copies the sources in use to a new file, in their order, and updates the extents of the rows. Runs inside the
 * transaction of `connection`. Renames the table, so that the query of a reader that still has the old file but sees the
 * new extents fails and is retried.
 */
export async function rewriteSources(
  connection: DuckDBConnection,
  table: IndexTable,
  makeFile: MakeFile,
): Promise<IndexTable> {
  const { definition } = table
  const generation = nextGeneration(definition)
  const sourceFile = sourceFileOf(definition.uuid, generation)
  const file = await makeFile(sourceFile)
  const moves = await copySources(connection, table, file)
  const renamed = `${definition.table.replace(/_g\d+$/, '')}_g${generation}`
  await connection.run(`ALTER TABLE ${definition.table} RENAME TO ${renamed}`)
  const moved = `sum(_size) OVER (ORDER BY _at ROWS UNBOUNDED PRECEDING) - _size`
  const extents = `SELECT _seq, CAST(${moved} AS BIGINT) AS _at FROM ${renamed}`
  await connection.run(`UPDATE ${renamed} d SET _at = moved._at FROM (${extents}) moved WHERE d._seq = moved._seq`)
  const version = definition.version + 1
  const parts = await table.parts.relocated(moves)
  const segments = recordsOf(parts)
  const next = { ...definition, table: renamed, sourceFile, sourceEnd: moves.end, sourceStale: 0, segments, version }
  await saveDefinition(connection, next)
  return new IndexTable(next, file, parts)
}

/** Copies the sources of all documents to another file, and syncs it. */
async function copySources(connection: DuckDBConnection, table: IndexTable, target: SourceFile): Promise<SourceMoves> {
  const moves = new SourceMoves()
  const places = await connection.stream(`SELECT _at, _size FROM ${table.table} ORDER BY _at`)
  for await (const portion of portionsOf(places.yieldRows())) {
    const bytes = await table.sources.read(portion)
    await target.write(moves.end, bytes)
    for (const { at, size } of portion) moves.add(at, size)
  }
  await target.sync()
  return moves
}

async function* portionsOf(chunks: AsyncIterable<DuckDBValue[][]>): AsyncIterable<readonly SourcePlace[]> {
  let portion: SourcePlace[] = []
  let bytes = 0
  for await (const rows of chunks) {
    for (const [at, size] of rows) {
      portion.push({ at: Number(at), size: Number(size) })
      bytes += Number(size)
      if (bytes < PORTION) continue
      yield portion
      portion = []
      bytes = 0
    }
  }
  if (portion.length > 0) yield portion
}

/** Returns a number that no table or file of the index has had. */
function nextGeneration({ table, sourceFile }: IndexDefinition): number {
  const numbers = [/_g(\d+)$/.exec(table), /\.(\d+)$/.exec(sourceFile)].map((found) => Number(found?.[1] ?? 0))
  return Math.max(...numbers) + 1
}
