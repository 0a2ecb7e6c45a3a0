import type { DuckDBConnection } from '@duckdb/node-api'
import { problem } from '../../../errors.ts'
import { Turn } from '../../../turn.ts'
import type { TagStep } from '../../step-observer.ts'
import type { TagStatus } from '../../tag-store.ts'
import type { TagWork } from '../../tag-task.ts'
import { runOn } from '../database/bookkeeping.ts'
import { saveDefinition } from '../table/catalog.ts'
import { type DocumentBatch, runTagBatch } from './tag-batch.ts'
import type { TagHost } from './tag-host.ts'
import { advance } from './tag-progress.ts'
import { type Cursor, finishRecord, readPlans, readStatus, removePlan, saveStatus } from './tag-tables.ts'

interface CommittedBatch {
  readonly status: TagStatus & Cursor
  readonly batch: DocumentBatch
  /** Number of work list entries in the batch. */
  readonly entries: number
  /** Milliseconds the batch yielded the thread to others. */
  readonly waitedMs: number
}

/**
 * Runs everything of a batch but its commit, inside the transaction of `connection`: documents, index definitions,
 * changes, status and cursor, and with the last batch the log position. Processes at most `most` entries of the work
 * list.
 */
export async function commitTagBatch(
  connection: DuckDBConnection,
  work: TagWork,
  most: number,
  { table, changes }: Pick<TagHost, 'table' | 'changes'>,
  step: (step: TagStep) => Promise<void>,
): Promise<CommittedBatch> {
  const { record } = work
  const run = runOn(connection)
  const acceptedMs = work.now()
  const before = await readStatus(run, record.id)
  const [plan] = await readPlans(run, record.collection)
  if (!before || !plan || plan.id !== record.id) throw new Error(`request ${record.id} has no plan`)
  const tables = plan.indices.map((name) => table(name))
  if (tables.every((found) => found === undefined)) {
    throw problem('INDEX_NOT_FOUND', { name: plan.indices.join(', ') })
  }
  const turn = new Turn()
  const batch = await runTagBatch(connection, {
    plan,
    work,
    from: before.done,
    to: Math.min(before.total, before.done + most),
    tables,
    wants: (index) => changes.wants(index, 'UPDATE'),
    onWrite: () => step('writing'),
    turn,
  })
  for (const { definition } of batch.tables) await saveDefinition(connection, definition)
  const cause = `tag:${record.offset}:${plan.run}`
  await changes.add(connection, { cause, acceptedMs, mark: changes.mark, changes: batch.changes })
  const status = await advance(run, plan, before, batch, work.now())
  await saveStatus(run, status, before.failures.length)
  if (status.finished) {
    await removePlan(run, plan)
    await finishRecord(run, record.collection, plan)
    await step('finishing')
  }
  await step('committing')
  return { status, batch, entries: batch.end - before.done, waitedMs: turn.waitedMs }
}
