import { setTimeout as pause } from 'node:timers/promises'
import type { ClusterIndex } from '../../../storage/cluster-index.ts'
import { storeUnavailable } from '../shared/store-problem.ts'

/** No subscription has this id. */
export const COUNTER_ID = 'counter'

/** What servers that share an index tell each other, in a document beside the subscriptions. */
export interface Counter {
  /** The highest number given to a subscription. */
  readonly last_seq: number
  /** How many writes there were. */
  readonly changes: number
  /** The ids of the latest ones, oldest first. */
  readonly recent: readonly string[]
}

/** Whoever is further behind reads everything again. */
const MOST_RECENT = 200
/** Every server raises the counter with every write, so somebody else is often faster. */
const MOST_ATTEMPTS = 20
const LONGEST_PAUSE_MS = 50

const start: Counter = { last_seq: 0, changes: 0, recent: [] }

export async function readCounter(index: ClusterIndex): Promise<Counter> {
  return (await index.get<Counter>(COUNTER_ID))?.source ?? start
}

/** Takes the next numbers of subscriptions. */
export async function takeSeqs(index: ClusterIndex, count: number): Promise<readonly number[]> {
  const { last_seq } = await raise(index, (counter) => ({ ...counter, last_seq: counter.last_seq + count }))
  return Array.from({ length: count }, (_, i) => last_seq - count + 1 + i)
}

/** Tells the others that subscriptions were written. */
export function announce(index: ClusterIndex, ids: readonly string[]): Promise<Counter> {
  return raise(index, (counter) => ({
    ...counter,
    changes: counter.changes + ids.length,
    recent: [...counter.recent, ...ids].slice(-MOST_RECENT),
  }))
}

/** The ids written since `seen` changes; undefined: too many to know. */
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
  throw storeUnavailable(new Error(`the counter of ${index.name} changed under every attempt to raise it`))
}
