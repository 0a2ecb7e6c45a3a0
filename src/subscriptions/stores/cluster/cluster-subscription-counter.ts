import { setTimeout as pause } from 'node:timers/promises'
import type { ClusterIndex } from '../../../storage/cluster-index.ts'
import { storeUnavailable } from '../shared/store-problem.ts'

/** `_id` of the counter document. Not a valid subscription id. */
export const COUNTER_ID = 'counter'

/** State shared by servers that use the same index, in a document next to the subscriptions. */
interface Counter {
  /** The highest sequence number assigned to a subscription. */
  readonly last_seq: number
  /** Number of writes. */
  readonly changes: number
  /** Ids of the latest writes, oldest first. */
  readonly recent: readonly string[]
}

/** Number of recent ids. A server further behind reads everything again. */
const MOST_RECENT = 200
/** Every server updates the counter with every write, so conflicts are frequent. */
const MOST_ATTEMPTS = 20
const LONGEST_PAUSE_MS = 50

const start: Counter = { last_seq: 0, changes: 0, recent: [] }

export async function readCounter(index: ClusterIndex): Promise<Counter> {
  return (await index.get<Counter>(COUNTER_ID))?.source ?? start
}

/** Reserves the next sequence numbers of subscriptions. */
export async function takeSeqs(index: ClusterIndex, count: number): Promise<readonly number[]> {
  const { last_seq } = await raise(index, (counter) => ({ ...counter, last_seq: counter.last_seq + count }))
  return Array.from({ length: count }, (_, i) => last_seq - count + 1 + i)
}

/** Announces written subscriptions to the other servers. */
export function announce(index: ClusterIndex, ids: readonly string[]): Promise<Counter> {
  return raise(index, (counter) => ({
    ...counter,
    changes: counter.changes + ids.length,
    recent: [...counter.recent, ...ids].slice(-MOST_RECENT),
  }))
}

/** Returns the ids written since change number `seen`, undefined if too many were. */
export function changedSince({ changes, recent }: Counter, seen: number): readonly string[] | undefined {
  const missed = changes - seen
  if (missed === 0) return []
  return missed < 0 || missed > recent.length ? undefined : [...new Set(recent.slice(-missed))]
}

async function raise(index: ClusterIndex, change: (counter: Counter) => Counter): Promise<Counter> {
  for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
    const found = await index.get<Counter>(COUNTER_ID)
    const { last_seq, changes, recent } = change(found?.source ?? start)
    const next = { last_seq, changes, recent }
    if ((await index.put(COUNTER_ID, next, { over: found?.version ?? 'absent' })) !== undefined) return next
    await pause(Math.random() * LONGEST_PAUSE_MS)
  }
  throw storeUnavailable(new Error(`too many concurrent changes of the counter of ${index.name}`))
}
