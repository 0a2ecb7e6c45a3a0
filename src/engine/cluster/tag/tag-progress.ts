import { type Failure, KEPT_FAILURES, type TagPosition } from '../../tag-store.ts'
import type { TagWork } from '../../tag-task.ts'
import type { DoneChunk } from './tag-apply.ts'
import type { CollectionState, WorkUnderWay } from './tag-state.ts'

export const toPosition = ({ collection, run, nextOffset, replays }: CollectionState): TagPosition => ({
  collection,
  run,
  nextOffset,
  replays,
})

/** Returns the work with the outcomes of chunks added. */
export function advance(work: WorkUnderWay, done: readonly DoneChunk[], endMs: number): WorkUnderWay {
  const failures = done.flatMap(({ outcome }) => outcome.failures)
  return {
    ...work,
    cursor: work.cursor + done.length,
    updated: done.reduce((sum, { outcome }) => sum + outcome.updated, work.updated),
    failed: work.failed + failures.length,
    failures: keepFirst([...work.failures, ...failures]),
    ...done.at(-1)?.chunk.after,
    endMs,
  }
}

/** Returns the work with a failure of the whole request added. */
export const withFailure = (work: WorkUnderWay, failure: Failure): WorkUnderWay => ({
  ...work,
  failed: work.failed + 1,
  failures: keepFirst([...work.failures, failure]),
})

const keepFirst = (failures: readonly Failure[]): readonly Failure[] => failures.slice(0, KEPT_FAILURES)

/** Returns the work of a record that failed before it was planned. */
export function failedWork(
  { record, run, startMs, now }: Omit<TagWork, 'indices' | 'idPath'>,
  failure: Failure,
  { attempt, planning }: CollectionState,
): WorkUnderWay {
  const none = { propagated: 0, nbRequest: 0, updated: 0, unitDone: 0, unitTotal: 0, chunks: 0, cursor: 0 }
  const { id, offset } = record
  const untidy = planning !== undefined
  const place = { id, offset, run, attempt, startMs, endMs: now(), indices: [], idPath: '', untidy }
  return { ...place, ...none, failed: 1, failures: [failure] }
}
