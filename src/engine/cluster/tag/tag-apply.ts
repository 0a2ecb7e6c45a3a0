import { setTimeout as delay } from 'node:timers/promises'
import type { ClusterClient, WireObject } from '../../../cluster-client/cluster-client.ts'
import type { JsonObject } from '../../../model/json/document.ts'
import { applyTag, partialDocument } from '../../../model/tag/tag-effect.ts'
import type { TagRecord } from '../../../model/tag-record.ts'
import { Overtaken } from '../../../storage/lease.ts'
import { answerBytes } from '../../answer-bytes.ts'
import type { Slots } from '../../slots.ts'
import type { StepObserver } from '../../step-observer.ts'
import { documentName, mismatchFailure, refusedFailure } from '../../tag-failures.ts'
import type { Failure } from '../../tag-store.ts'
import type { IndexCatalog } from '../catalog/index-catalog.ts'
import { type CurrentDocument, readDocuments } from '../request/current-documents.ts'
import { checkParts } from './tag-check.ts'
import type { WorkChunk, WorkEntry } from './tag-plan.ts'
import { type DocumentUpdate, sendUpdates, type UpdateLimits } from './tag-write.ts'

export interface ApplySettings extends UpdateLimits {
  readonly conflictRetries: number
}

/** A change of a document about to be made. */
interface PlannedChange {
  readonly entry: WorkEntry
  readonly over: CurrentDocument
  /** The partial document to merge. */
  readonly part: WireObject
}

/** Records changes before they are made. Returns a callback that reports which of them were made, in order. */
export type NoteChanges = (
  changes: readonly PlannedChange[],
) => Promise<((made: readonly boolean[]) => Promise<void>) | undefined>

/** Context for applying a chunk. */
interface ApplyJob {
  readonly client: ClusterClient
  readonly catalog: IndexCatalog
  readonly settings: ApplySettings
  readonly record: TagRecord
  readonly idPath: string
  /** Rejects if this process may no longer write. */
  readonly mayWrite: () => Promise<void>
  readonly note: NoteChanges
  readonly steps: StepObserver
  readonly signal: AbortSignal
}

interface ChunkOutcome {
  /** Number of entries in the requested state. */
  readonly updated: number
  /** One per failed entry, in order. */
  readonly failures: readonly Failure[]
}

export interface DoneChunk {
  readonly chunk: WorkChunk
  readonly outcome: ChunkOutcome
}

/** The chunks applied without a gap, and the error of the first one that failed. */
export interface AppliedBatch {
  readonly done: readonly DoneChunk[]
  readonly fault?: { readonly error: unknown }
}

const FIRST_PAUSE_MS = 50
/** Bytes. Assumed size of a document until the first ones were read. */
const ASSUMED_BYTES = 5_000

type Outcome = 'done' | 'gone' | Failure

/** Applies consecutive chunks, concurrently as far as `slots` allows. Resolves when all have ended. */
export async function applyBatch(
  slots: Slots,
  chunks: readonly (WorkChunk | undefined)[],
  jobOf: (place: number) => ApplyJob,
): Promise<AppliedBatch> {
  const results = await Promise.allSettled(
    chunks.map(async (chunk, i): Promise<DoneChunk> => {
      if (chunk === undefined) throw new Overtaken('another server has finished this record')
      return { chunk, outcome: await slots.run(() => applyChunk(jobOf(i), chunk.entries)) }
    }),
  )
  const done: DoneChunk[] = []
  for (const result of results) {
    if (result.status === 'rejected') return { done, fault: { error: result.reason } }
    done.push(result.value)
  }
  return { done }
}

/** Brings the documents of a chunk to the requested state. Idempotent. */
async function applyChunk(job: ApplyJob, entries: readonly WorkEntry[]): Promise<ChunkOutcome> {
  // A document may be listed for several units.
  const documents = new Map(entries.map((entry) => [keyOf(entry), entry]))
  const outcomes = new Map<string, Outcome>()
  const waiting = [...documents.values()]
  let bytes = ASSUMED_BYTES
  while (waiting.length > 0) {
    const fitting = Math.floor(job.settings.bulkBytes / bytes)
    const slice = waiting.splice(0, Math.max(1, Math.min(fitting, job.settings.bulkActions)))
    bytes = await applySlice(job, slice, outcomes)
  }
  const all = entries.map((entry) => outcomes.get(keyOf(entry)) ?? 'gone')
  return {
    updated: all.filter((outcome) => outcome === 'done').length,
    failures: all.filter((outcome) => typeof outcome === 'object'),
  }
}

const keyOf = ({ index, id, routing }: WorkEntry): string => JSON.stringify([index, id, routing])

/** Applies documents that are held in memory together. Returns their average size. */
async function applySlice(job: ApplyJob, slice: readonly WorkEntry[], outcomes: Map<string, Outcome>): Promise<number> {
  let bytes = 1
  let entries = slice
  for (let tries = 0; entries.length > 0; tries++) {
    const found = await readDocuments(job.client, entries, job.signal)
    if (tries === 0) bytes += answerBytes(found, Number.POSITIVE_INFINITY) / entries.length
    const changes = entries.flatMap((entry, i) => {
      const { outcome, part } = effectOn(job, entry, found[i])
      if (outcome !== undefined) outcomes.set(keyOf(entry), outcome)
      const over = found[i]
      return part === undefined || over === undefined ? [] : [{ entry, over, part }]
    })
    const moved = await write(job, changes, outcomes)
    entries = moved.map(({ entry }) => entry)
    if (entries.length === 0) break
    if (tries >= job.settings.conflictRetries) {
      for (const { entry, over } of moved) outcomes.set(keyOf(entry), conflictFailure(nameOf(job, entry, over)))
      break
    }
    await delay(FIRST_PAUSE_MS * 2 ** tries, undefined, { signal: job.signal })
  }
  return bytes
}

function effectOn(
  job: ApplyJob,
  entry: WorkEntry,
  found: CurrentDocument | undefined,
): { readonly outcome?: Outcome; readonly part?: WireObject } {
  if (found === undefined) return { outcome: 'gone' }
  const { action, request } = job.record
  // Integers beyond 2^53 are bigints, which never equal the value of a tag.
  const effect = applyTag(found.source as JsonObject, request.tag.path, action, request.tag.value)
  switch (effect.kind) {
    case 'unchanged':
      return { outcome: 'done' }
    case 'mismatch':
      return { outcome: mismatchFailure(nameOf(job, entry, found), request.tag.path, effect.reason) }
    case 'changed':
      return { part: partialDocument(effect.keys, effect.value) }
  }
}

/** Writes changes. Returns those whose documents were changed concurrently. */
async function write(
  job: ApplyJob,
  changes: readonly PlannedChange[],
  outcomes: Map<string, Outcome>,
): Promise<readonly PlannedChange[]> {
  const updates: (DocumentUpdate & { readonly change: PlannedChange })[] = []
  for (const [index, ofIndex] of Map.groupBy(changes, ({ entry }) => entry.index)) {
    const parts = await checkParts(
      job.catalog,
      index,
      ofIndex.map(({ over, part }) => ({ source: over.source, part })),
    )
    for (const [i, change] of ofIndex.entries()) {
      const checked = parts[i]
      const { entry, over } = change
      if (checked !== undefined && 'text' in checked) updates.push({ entry, over, ...checked, change })
      else outcomes.set(keyOf(entry), refusalOf(job, change, checked?.refused))
    }
  }
  if (updates.length === 0) return []
  const settle = await job.note(updates.map(({ change }) => change))
  await job.mayWrite()
  await job.steps('writing')
  const results = await sendUpdates(job.client, updates, job.settings, job.signal)
  await settle?.(results.map((result) => result === 'written'))
  return updates.flatMap((update, i) => {
    const { entry, change } = update
    const result = results[i]
    if (result === 'moved') return [change]
    if (result === 'refused') outcomes.set(keyOf(entry), refusalOf(job, update))
    else outcomes.set(keyOf(entry), result === 'written' ? 'done' : 'gone')
    return []
  })
}

/** The details are only in messages of the cluster, which must not be shown to clients. */
const UNREADABLE = 'its mapping does not accept it'

const refusalOf = (job: ApplyJob, { entry, over }: DocumentUpdate | PlannedChange, reason = UNREADABLE): Failure =>
  refusedFailure(nameOf(job, entry, over), job.record.request.tag.path, reason)

const conflictFailure = (id: string): Failure => ({
  id,
  type: 'CONFLICT',
  message: 'The document was not tagged, because it kept being changed concurrently.',
})

const nameOf = ({ idPath }: ApplyJob, { id }: WorkEntry, { source }: CurrentDocument): string =>
  documentName(source as JsonObject, idPath, id)
