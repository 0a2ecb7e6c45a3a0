import { KEPT_FAILURES, type TagStatus } from '../tag-store.ts'
import type { TagWork } from '../tag-task.ts'
import type { TagBatch } from './tag-batch.ts'
import { type Cursor, type Run, type StoredPlan, unitTable } from './tag-tables.ts'

/** Of a record of which nothing is known yet. */
export const freshStatus = ({
  record,
  run,
  startMs,
  now,
}: Omit<TagWork, 'indices' | 'idPath'>): TagStatus & Cursor => ({
  id: record.id,
  offset: record.offset,
  collection: record.collection,
  run,
  propagated: 0,
  nbRequest: 0,
  updated: 0,
  failed: 0,
  failures: [],
  unitDone: 0,
  unitTotal: 0,
  startMs,
  endMs: now(),
  finished: false,
  done: 0,
  total: 0,
})

export function withoutCursor({ done: _done, total: _total, ...status }: TagStatus & Cursor): TagStatus {
  return status
}

/** The status after a batch: units whose entries all lie before the cursor are done, those without entries with them. */
export async function advance(
  run: Run,
  plan: StoredPlan,
  before: TagStatus & Cursor,
  batch: TagBatch,
  endMs: number,
): Promise<TagStatus & Cursor> {
  const done = batch.end
  const finished = done >= before.total
  const units = unitTable(plan)
  const beyond = `FILTER (WHERE entries_end > ${done})`
  const figures = `count(*) FILTER (WHERE entries_end <= ${done}), min(entries_end) ${beyond}, arg_min(documents, unit) ${beyond}`
  const [row = []] = finished ? [] : await run(`SELECT ${figures} FROM ${units}`)
  const [passed = 0, end = 0, documents = 0] = row.map(Number)
  const unitDone = finished ? 0 : done - (end - documents)
  return {
    ...before,
    nbRequest: finished ? before.propagated : passed,
    updated: before.updated + batch.updated,
    failed: before.failed + batch.failures.length,
    failures: [...before.failures, ...batch.failures].slice(0, KEPT_FAILURES),
    unitDone,
    unitTotal: unitDone === 0 ? 0 : documents,
    endMs,
    finished,
    done,
  }
}
