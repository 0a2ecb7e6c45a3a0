import { Overtaken } from '../../../storage/lease.ts'
import { type ApplyJob, applyChunk } from './tag-apply.ts'
import type { WorkChunk } from './tag-plan.ts'
import type { DoneChunk } from './tag-progress.ts'
import type { WorkTurns } from './work-turns.ts'

/** The chunks before which all are done, and what the first of the others met. */
export interface AppliedBatch {
  readonly done: readonly DoneChunk[]
  readonly fault?: { readonly error: unknown }
}

/** Applies chunks that follow one another, side by side as far as there are turns; ends when all have ended. */
export async function applyBatch(
  turns: WorkTurns,
  chunks: readonly (WorkChunk | undefined)[],
  jobOf: (place: number) => ApplyJob,
): Promise<AppliedBatch> {
  const results = await Promise.allSettled(
    chunks.map(async (chunk, i): Promise<DoneChunk> => {
      if (chunk === undefined) throw new Overtaken('somebody else has finished this record')
      return { chunk, outcome: await turns.take(() => applyChunk(jobOf(i), chunk.entries)) }
    }),
  )
  const done: DoneChunk[] = []
  for (const result of results) {
    if (result.status === 'rejected') return { done, fault: { error: result.reason } }
    done.push(result.value)
  }
  return { done }
}
