import { type ClusterClient, ClusterRefusal } from '../../../cluster-client/cluster-client.ts'
import { problem } from '../../../errors.ts'
import type { CurrentDocument } from '../request/current-documents.ts'
import { indexPath, LONGEST_PATH } from '../request/search-call.ts'
import { ANSWER_PARTS, type BulkAnswer, type ItemAnswer } from '../write/bulk-answer.ts'
import type { WorkEntry } from './tag-plan.ts'

/** A change of one document, made only if the document is unchanged since it was read. */
export interface DocumentUpdate {
  readonly entry: WorkEntry
  readonly over: CurrentDocument
  /** JSON of the partial document, or of the whole document. */
  readonly text: string
  readonly isWhole: boolean
}

/** `moved`: the document was changed concurrently. */
type UpdateOutcome = 'written' | 'moved' | 'gone' | 'refused'

export interface UpdateLimits {
  readonly bulkActions: number
  readonly bulkBytes: number
}

/** Sends changes. Returns one outcome each, in order. Throws for errors that concern more than one document. */
export async function sendUpdates(
  client: ClusterClient,
  updates: readonly DocumentUpdate[],
  limits: UpdateLimits,
  signal: AbortSignal,
): Promise<readonly UpdateOutcome[]> {
  const outcomes: UpdateOutcome[] = []
  for (const batch of batchesOf(updates, limits)) {
    const answer = await client.send<BulkAnswer>({
      method: 'POST',
      path: '/_bulk',
      query: { filter_path: ANSWER_PARTS },
      body: batch.map(({ lines }) => lines).join(''),
      signal,
    })
    for (const [i, { update }] of batch.entries())
      outcomes.push(readOutcome(update, Object.values(answer.items[i] ?? {})[0]))
  }
  return outcomes
}

interface Line {
  readonly update: DocumentUpdate
  readonly lines: string
}

function* batchesOf(
  updates: readonly DocumentUpdate[],
  { bulkActions, bulkBytes }: UpdateLimits,
): Generator<readonly Line[], void> {
  let batch: Line[] = []
  let bytes = 0
  for (const update of updates) {
    const lines = linesOf(update)
    const size = Buffer.byteLength(lines)
    if (batch.length > 0 && (batch.length >= bulkActions || bytes + size > bulkBytes)) {
      yield batch
      batch = []
      bytes = 0
    }
    batch.push({ update, lines })
    bytes += size
  }
  if (batch.length > 0) yield batch
}

function linesOf({ entry: { index, id, routing }, over, text, isWhole }: DocumentUpdate): string {
  const action = {
    _index: index,
    _id: id,
    ...(routing === undefined ? {} : { routing }),
    if_seq_no: over.seqNo,
    if_primary_term: over.primaryTerm,
  }
  if (isWhole) return `${JSON.stringify({ index: action })}\n${text}\n`
  return `${JSON.stringify({ update: action })}\n{"doc":${text}}\n`
}

function readOutcome({ entry }: DocumentUpdate, answer: ItemAnswer | undefined): UpdateOutcome {
  if (answer === undefined) throw new ClusterRefusal(502, 'unknown', 'the response has no result for an operation')
  const { status, error } = answer
  if (error === undefined) return 'written'
  if (error.type === 'index_not_found_exception') throw problem('INDEX_NOT_FOUND', { name: entry.index })
  if (status === 409) return 'moved'
  if (status === 404) return 'gone'
  if (status === 400) return 'refused'
  throw new ClusterRefusal(status, error.type, error.reason ?? '')
}

/** Makes writes to these indices visible to searches. Ignores missing indices. */
export async function refreshIndices(client: ClusterClient, indices: readonly string[]): Promise<void> {
  const query = { ignore_unavailable: true, allow_no_indices: true }
  for (let from = 0, to = 0; from < indices.length; from = to) {
    // As many names as fit into a path.
    do to++
    while (to < indices.length && indexPath(indices.slice(from, to + 1)).length < LONGEST_PATH)
    const path = `${indexPath(indices.slice(from, to))}/_refresh`
    await client.send({ method: 'POST', path, query, repeatable: true })
  }
}
