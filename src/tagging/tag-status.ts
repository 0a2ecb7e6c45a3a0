import type { TagPosition, TagReplay, TagStatus } from '../engine/tag-store.ts'
import type { TagRecord } from '../model/tag-record.ts'
import type { UpdateResponse } from './tagging.ts'

/** Maximum progress of a record that is not finished, so that rounding never gives 100. */
const ALMOST = 99.99

/** Returns the status of a record, or the initial response if it has no status or will be executed again. */
export function updateResponse(
  record: TagRecord,
  status: TagStatus | undefined,
  position: Pick<TagPosition, 'replays'>,
): UpdateResponse {
  if (status === undefined) return immediateResponse(record, record.creationTime)
  const replay = replayOf(record, position.replays, status.run)
  return replay === undefined ? statusResponse(record, status) : immediateResponse(record, replay.acceptedMs)
}

/** Returns the latest replay that repeats a record executed in `run`. */
export function replayOf(
  { offset }: Pick<TagRecord, 'offset'>,
  replays: readonly TagReplay[],
  run: number,
): TagReplay | undefined {
  return replays.findLast((replay) => replay.run > run && replay.fromOffset <= offset)
}

export function immediateResponse({ id, label, action }: TagRecord, startTime: number): UpdateResponse {
  return {
    id,
    ...(label === undefined ? {} : { label }),
    action,
    failed: 0,
    updated: 0,
    progress: 0,
    nbRequest: 0,
    propagated: -1,
    startTime,
    endTime: startTime,
    processingTimeMs: 0,
  }
}

function statusResponse({ id, label, action }: TagRecord, status: TagStatus): UpdateResponse {
  const { failures, failed, updated, nbRequest, propagated, startMs, endMs } = status
  return {
    id,
    ...(label === undefined ? {} : { label }),
    action,
    ...(failures.length === 0 ? {} : { failures }),
    failed,
    updated,
    progress: progressOf(status),
    nbRequest,
    propagated,
    startTime: startMs,
    endTime: endMs,
    processingTimeMs: endMs - startMs,
  }
}

function progressOf({ finished, propagated, nbRequest, unitDone, unitTotal }: TagStatus): number {
  if (finished) return 100
  if (propagated <= 0) return 0
  const part = unitTotal === 0 ? 0 : unitDone / unitTotal
  return Math.min(Math.floor((10_000 * (nbRequest + part)) / propagated) / 100, ALMOST)
}
