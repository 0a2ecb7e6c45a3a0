import { type DuckDBConnection, DuckDBListValue } from '@duckdb/node-api'
import type { ChangeKind } from '../../change-feed.ts'
import type { RowBatch } from '../columns/row-batch.ts'
import { compileIdLookup } from '../condition/selection-sql.ts'
import type { IndexTable } from '../index/index-table.ts'
import type { NewChange } from './change-log.ts'
import type { WritePlan } from './write-plan.ts'

/** Which changes of an index subscribers need. */
export type WantedChanges = (kind: ChangeKind) => 'nothing' | 'after' | 'both'

/** Returns the changes of a write that subscribers need, one per document. Must run before the write is executed. */
export async function changesOf(
  connection: DuckDBConnection,
  table: IndexTable,
  { added: rowsAdded, removed }: WritePlan,
  batch: RowBatch,
  wants: WantedChanges,
): Promise<readonly NewChange[]> {
  const wanted = { CREATE: wants('CREATE'), UPDATE: wants('UPDATE'), DELETE: wants('DELETE') }
  if (Object.values(wanted).every((want) => want === 'nothing')) return []
  const added = rowsAdded()
  const kindOf = (id: string): ChangeKind => (!added.has(id) ? 'DELETE' : removed.has(id) ? 'UPDATE' : 'CREATE')
  const ids = [...new Set([...added.keys(), ...removed])].filter((id) => wanted[kindOf(id)] !== 'nothing')
  const former = ids.filter((id) => removed.has(id) && (!added.has(id) || wanted.UPDATE === 'both'))
  const before = await readTexts(connection, table, former)
  return ids.map((id) => {
    const row = added.get(id)
    const text = before.get(id)
    return {
      kind: kindOf(id),
      index: table.name,
      id,
      ...(text === undefined ? {} : { before: text }),
      ...(row === undefined ? {} : { after: batch.textOf(row) }),
    }
  })
}

async function readTexts(
  connection: DuckDBConnection,
  table: IndexTable,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map()
  const sql = `SELECT _id, _at, _size FROM ${table.table} WHERE ${compileIdLookup(table)}`
  const rows = await (await connection.run(sql, [new DuckDBListValue(ids)])).getRows()
  const texts = await table.sources.read(rows.map(([, at, size]) => ({ at: Number(at), size: Number(size) })))
  return new Map(rows.map(([id], i) => [String(id), String(texts[i])]))
}
