import { KEPT_FAILURES, type TagStatus } from '../../tag-store.ts'
import type { TagWork } from '../../tag-task.ts'
import type { Run } from '../database/bookkeeping.ts'
import type { DocumentBatch } from './tag-batch.ts'
import { type Cursor, type StoredPlan, unitTable } from './tag-tables.ts'

/** Initial status of a record. */
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

/**
 * Returns the status after a batch. A unit is done if all its entries are before the cursor. That includes units
 * without entries.
 */
export async function advance(
  run: Run,
  plan: StoredPlan,
  before: TagStatus & Cursor,
  batch: DocumentBatch,
  endMs: number,
): Promise<TagStatus & Cursor> {
  const done = batch.end
  const finished = done >= before.total
  const current = finished ? nothing : await unitsUnderWay(run, unitTable(plan), done)
  return {
    ...before,
    nbRequest: finished ? before.propagated : current.passed,
    updated: before.updated + batch.updated,
    failed: before.failed + batch.failures.length,
    failures: [...before.failures, ...batch.failures].slice(0, KEPT_FAILURES),
    unitDone: current.done,
    unitTotal: current.done === 0 ? 0 : current.total,
    endMs,
    finished,
    done,
  }
}

interface UnderWay {
  /** Number of finished units. */
  readonly passed: number
  /** Progress of the current block: how many of its units are done, in parts of `total`. */
  readonly done: number
  readonly total: number
}

const nothing: UnderWay = { passed: 0, done: 0, total: 0 }

async function unitsUnderWay(run: Run, units: string, done: number): Promise<UnderWay> {
  const bounds = `count(*) FILTER (WHERE entries_end <= ${done}), min(entries_end) FILTER (WHERE entries_end > ${done})`
  const [[passed, end] = []] = await run(`SELECT ${bounds} FROM ${units}`)
  const own = `entries_end = ${end} AND NOT failed AND documents > 0`
  const [[count, entries] = []] = await run(`SELECT count(*), sum(documents) FROM ${units} WHERE ${own}`)
  const total = Number(entries)
  return { passed: Number(passed), done: Number(count) * (done - (Number(end) - total)), total }
}
