import { Turn } from '../../../turn.ts'
import type { WriteResult } from '../../engine.ts'
import type { SettledRows } from '../columns/row-batch.ts'
import type { IndexDefinition } from '../index/index-definition.ts'
import type { TableLayout } from '../index/table-layout.ts'
import type { IndexParts, StoredRow } from '../parts/index-parts.ts'
import type { IncomingRows } from '../segment/incoming-rows.ts'
import { slicesOf } from '../segment/incoming-slices.ts'
import type { IndexTable } from '../table/index-table.ts'
import type { RaisedChanges } from './change-log.ts'
import { changesOf } from './write-changes.ts'
import type { AnnouncedWrite, ReadyWrite } from './write-planner.ts'

/** The effect of a write on an index, in memory. */
export interface AppliedWrite {
  readonly before: IndexDefinition
  /** The index after the write. `before` is its definition if the write changes nothing. */
  readonly table: IndexTable
  readonly results: readonly WriteResult[]
  readonly removed: readonly StoredRow[]
  readonly rows?: SettledRows
  readonly raised?: RaisedChanges
}

/** Applies a write to a table. Nothing is visible to readers until the returned table is published. */
export async function applyWrite(
  table: IndexTable,
  { plan, batch, mapping, layout, stored }: ReadyWrite,
  { wants, cause, acceptedMs, mark }: AnnouncedWrite,
): Promise<AppliedWrite> {
  const { definition: before } = table
  const removedById = new Map<string, StoredRow>()
  for (const id of plan.removed) {
    const row = stored.get(id)
    if (row) removedById.set(id, row)
  }
  const removed = [...removedById.values()]
  const changes = await changesOf(table, plan, batch, removedById, wants)
  const raised = changes.length === 0 ? {} : { raised: { cause, acceptedMs, mark: mark(), changes } }
  const { results } = plan
  if (batch.size === 0 && removed.length === 0) return { before, table, results, removed, ...raised }
  const { nextSeq, sourceEnd, sourceStale } = before
  const rows = batch.settle(layout, (row) => nextSeq + row, sourceEnd)
  const definition = {
    ...before,
    mapping,
    layout,
    documents: before.documents + batch.size - removed.length,
    nextSeq: nextSeq + batch.size,
    sourceEnd: sourceEnd + rows.sources.length,
    sourceStale: removed.reduce((sum, { size }) => sum + size, sourceStale),
    version: before.version + 1,
  }
  const kept = await table.parts.removed(removed.map(({ seq }) => seq))
  const parts = batch.size > 0 ? await addRows(kept, rows.incoming(), layout) : kept
  return {
    before,
    table: table.changed(definition, parts),
    results,
    removed,
    ...(batch.size > 0 && { rows }),
    ...raised,
  }
}

/** Applies a write again, to a table whose parts were replaced by others with the same rows meanwhile. */
export async function applyAgain(
  table: IndexTable,
  { table: after, removed, rows }: AppliedWrite,
): Promise<IndexTable> {
  const { segments } = table.definition
  const kept = await table.parts.removed(removed.map(({ seq }) => seq))
  const parts = rows ? kept.added(rows.incoming(), after.definition.layout) : kept
  return table.changed({ ...after.definition, segments }, parts)
}

/** Adds rows in turns. */
async function addRows(before: IndexParts, incoming: IncomingRows, layout: TableLayout): Promise<IndexParts> {
  let parts = before
  const turn = new Turn()
  for (const slice of slicesOf(incoming)) {
    if (turn.isOver) await turn.next()
    parts = parts.added(slice, layout)
  }
  return parts
}
