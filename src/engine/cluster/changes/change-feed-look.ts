import type { ClusterClient } from '../../../cluster-client/cluster-client.ts'
import { type CurrentDocument, readDocuments } from '../request/current-documents.ts'
import type { TagStates } from '../tag/tag-state.ts'
import type { ChangeSlot, IntendedChange } from './change-feed-slot.ts'

/** Milliseconds. How long the writer of a load's slot may take to settle it. */
const PATIENCE_MS = 60_000

/** Documents per lookup request. */
const AT_ONCE = 100

/**
 * Determines from the documents which changes of an unsettled slot were made, after its writer has ended. Undefined as
 * long as the changes may still be made.
 */
export async function changesMade(
  client: ClusterClient,
  states: TagStates,
  slot: ChangeSlot,
  signal: AbortSignal,
): Promise<readonly IntendedChange[] | undefined> {
  if (await isOpen(states, slot)) return undefined
  const made: IntendedChange[] = []
  for (let from = 0; from < slot.changes.length; from += AT_ONCE) {
    const changes = slot.changes.slice(from, from + AT_ONCE)
    const found = await readDocuments(client, changes, signal, { sources: false, isIndexOptional: true })
    made.push(...changes.filter((change, i) => hasMoved(change, found[i])))
  }
  return made
}

/**
 * True if the changes of a slot may still be made. Once the cursor of a tag has passed a chunk, all its documents have
 * been processed and are not written again.
 */
async function isOpen(states: TagStates, { origin, acceptedMs }: ChangeSlot): Promise<boolean> {
  if (origin.kind === 'load') return Date.now() - acceptedMs < PATIENCE_MS
  const { underWay } = (await states.read(origin.collection)).state
  return underWay?.offset === origin.offset && underWay.attempt === origin.attempt && underWay.cursor <= origin.chunk
}

function hasMoved({ kind, seqNo }: IntendedChange, now: CurrentDocument | undefined): boolean {
  if (kind === 'CREATE') return now !== undefined
  return now === undefined || now.seqNo !== seqNo
}
