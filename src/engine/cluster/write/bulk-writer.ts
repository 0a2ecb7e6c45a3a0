import { setTimeout as sleep } from 'node:timers/promises'
import { ClusterRefusal } from '../../../cluster-client/cluster-client.ts'
import { problem } from '../../../errors.ts'
import type { WriteOperation, WriteResult } from '../../engine.ts'
import type { IndexCatalog } from '../catalog/index-catalog.ts'
import type { ClusterContext } from '../request/cluster-context.ts'
import { ANSWER_PARTS, type BulkAnswer, isOverload, readItem } from './bulk-answer.ts'
import { type BulkBatch, type BulkItem, makeBatches } from './bulk-batch.ts'
import { type Checked, checkOperations, unchecked } from './checked-operations.ts'

/** Maximum number of concurrent requests per write. */
const IN_FLIGHT = 3
/** Milliseconds. How long to retry while the cluster is overloaded. */
const PATIENCE_MS = 30_000
const FIRST_PAUSE_MS = 50
const LONGEST_PAUSE_MS = 3_000

/** Records the changes of a load. */
export interface LoadNotes {
  /** Called before a request is sent. Returns a callback for its results. */
  begin(
    items: readonly BulkItem[],
    operations: readonly WriteOperation[],
  ): Promise<(written: ReadonlyMap<number, WriteResult>) => Promise<void>>
}

/**
 * Writes a batch. Returns one result per operation, in order. Durable when the promise resolves: a cluster responds
 * once its log is on disk. Operations on the same id are executed in order. `notesOf`: returns where the changes of an
 * index are recorded, if at all.
 */
export async function write(
  context: ClusterContext,
  catalog: IndexCatalog,
  index: string,
  operations: readonly WriteOperation[],
  notesOf: (index: string) => LoadNotes | undefined = () => undefined,
): Promise<readonly WriteResult[]> {
  const target = await catalog.target(index)
  const checked = target?.ours ? await checkOperations(catalog, target, operations) : unchecked(operations)
  const written = new Map<number, WriteResult>()
  const notes = target && notesOf(target.name)
  await sendAll(makeBatches(operations, checked), async (batch) => {
    const settle = await notes?.begin(batch.items, operations)
    await sendBatch(context, index, batch, written)
    await settle?.(written)
  })
  return operations.map(({ id }, position) => written.get(position) ?? refused(id, checked[position]))
}

function refused(id: string | undefined, outcome: Checked | undefined): WriteResult {
  const reason =
    outcome !== undefined && 'refusal' in outcome ? outcome.refusal : 'has no result in the response of the cluster'
  const known = id === undefined ? {} : { id }
  return { ok: false, ...known, status: 400, type: 'document_parsing_exception', reason }
}

/**
 * Sends batches with limited concurrency. A batch that shares a document with another one waits for it. All have ended
 * before an error is thrown.
 */
async function sendAll(batches: Iterable<BulkBatch>, send: (batch: BulkBatch) => Promise<void>): Promise<void> {
  const running = new Map<BulkBatch, Promise<void>>()
  let fault: { readonly error: unknown } | undefined
  for (const batch of batches) {
    while (running.size >= IN_FLIGHT || [...running.keys()].some((other) => sharesDocument(batch, other))) {
      await Promise.race(running.values())
    }
    if (fault !== undefined) break
    const sending = send(batch)
      .catch((error: unknown) => {
        fault ??= { error }
      })
      .finally(() => running.delete(batch))
    running.set(batch, sending)
  }
  await Promise.all(running.values())
  if (fault !== undefined) throw fault.error
}

function sharesDocument({ ids }: BulkBatch, other: BulkBatch): boolean {
  for (const id of ids) if (other.ids.has(id)) return true
  return false
}

/**
 * Sends a batch and retries operations rejected because of overload. The cluster rejects all operations of a shard
 * together, so operations on the same id stay in order. Retries are idempotent, since every operation has an id.
 */
async function sendBatch(
  { client }: ClusterContext,
  index: string,
  { items }: BulkBatch,
  written: Map<number, WriteResult>,
): Promise<void> {
  const path = `/${encodeURIComponent(index)}/_bulk`
  const query = { filter_path: ANSWER_PARTS }
  const until = performance.now() + PATIENCE_MS
  let pending = items
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    const body = pending.map(({ lines }) => lines).join('')
    try {
      const answer = await client.send<BulkAnswer>({ method: 'POST', path, query, body, repeatable: true })
      pending = readAnswer(pending, answer, index, written)
    } catch (error) {
      if (!(error instanceof ClusterRefusal) || error.status !== 429) throw error
    }
    if (pending.length === 0) return
    if (performance.now() + pause > until) throw overloaded()
    await sleep(pause * (0.5 + Math.random() / 2))
  }
}

/** Stores the results and returns the operations to retry. */
function readAnswer(
  items: readonly BulkItem[],
  answer: BulkAnswer,
  index: string,
  written: Map<number, WriteResult>,
): readonly BulkItem[] {
  return items.filter((item, at) => {
    const [outcome] = Object.values(answer.items[at] ?? {})
    if (outcome === undefined) throw new ClusterRefusal(502, 'unknown', 'the response has no result for an operation')
    if (isOverload(outcome)) return true
    written.set(item.position, readItem(item, outcome, index))
    return false
  })
}

const overloaded = (): Error =>
  problem(
    'ENGINE_UNAVAILABLE',
    { reason: 'The cluster is overloaded and did not accept these documents; send them again later' },
    { 'Retry-After': '5' },
  )
