import type { ChangeKind } from '../../change-feed.ts'
import type { RowBatch } from '../columns/row-batch.ts'
import type { StoredRow } from '../parts/index-parts.ts'
import type { IndexTable } from '../table/index-table.ts'
import type { NewChange } from './change-log.ts'
import type { WritePlan } from './write-plan.ts'

/** Which changes of an index subscribers need. */
export type WantedChanges = (kind: ChangeKind) => 'nothing' | 'after' | 'both'

/**
 * Returns the changes of a write that subscribers need, one per document. `removed`: the stored rows of replaced and
 * deleted documents. Must run before the rows of the batch are settled.
 */
export async function changesOf(
  table: IndexTable,
  { added: rowsAdded }: WritePlan,
  batch: RowBatch,
  removed: ReadonlyMap<string, StoredRow>,
  wants: WantedChanges,
): Promise<readonly NewChange[]> {
  const wanted = { CREATE: wants('CREATE'), UPDATE: wants('UPDATE'), DELETE: wants('DELETE') }
  if (Object.values(wanted).every((want) => want === 'nothing')) return []
  const added = rowsAdded()
  const kindOf = (id: string): ChangeKind => (!added.has(id) ? 'DELETE' : removed.has(id) ? 'UPDATE' : 'CREATE')
  const ids = [...new Set([...added.keys(), ...removed.keys()])].filter((id) => wanted[kindOf(id)] !== 'nothing')
  const former = ids.flatMap((id) => {
    const row = !added.has(id) || wanted.UPDATE === 'both' ? removed.get(id) : undefined
    return row ? [{ id, row }] : []
  })
  const texts = await table.sources.read(former.map(({ row }) => row))
  const before = new Map(former.map(({ id }, i) => [id, String(texts[i])]))
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
