import { ClusterRefusal, type WireObject } from '../cluster-client/cluster-client.ts'
import type { BulkItemAnswer, ClusterIndex } from './cluster-index.ts'

/** Mapping of the property that holds the sequence number; part of the mapping of the index. */
export const NUMBER_PROPERTIES: WireObject = { number: { type: 'long' } }

const DIGITS = 20

/** Write timeout. Writes are rejected while required shard copies are missing; a longer wait does not help. */
const PATIENCE = '5s'

interface NumberedEntry<T> {
  readonly number: number
  readonly source: T
}

/** Entries up to the first missing number. */
interface SequencePage<T> {
  readonly entries: readonly NumberedEntry<T>[]
  /** Highest number found after a missing one. */
  readonly beyond?: number
}

/** Outcome of an append: the assigned number, or the error. */
type Appended = { readonly number: number } | { readonly fault: ClusterRefusal }

/**
 * Consecutively numbered documents of an index. Concurrent writers compete for numbers: an entry is created under the
 * next number, or under a later one if that is taken. Entries are read by number, in real time.
 */
export class ClusterSequence {
  readonly #index: ClusterIndex
  readonly #query: Readonly<Record<string, string>>

  constructor(index: ClusterIndex, waitForActiveShards?: string) {
    this.#index = index
    this.#query = {
      timeout: PATIENCE,
      ...(waitForActiveShards === undefined ? {} : { wait_for_active_shards: waitForActiveShards }),
    }
  }

  /** Returns at most `most` entries, starting at a number. */
  async read<T>(
    from: number,
    most: number,
    signal?: AbortSignal,
    members?: readonly string[],
  ): Promise<SequencePage<T>> {
    const numbers = Array.from({ length: most }, (_, i) => from + i)
    const found = await this.#index.getAll<T>(numbers.map(sequenceId), signal, members)
    const entries: NumberedEntry<T>[] = []
    for (const record of found) {
      if (record === undefined) break
      entries.push({ number: from + entries.length, source: record.source })
    }
    const last = found.findLastIndex((record) => record !== undefined)
    return { entries, ...(last < entries.length ? {} : { beyond: from + last }) }
  }

  /** Returns one outcome per source, in order. Rejects if the outcome is unknown. */
  async append(from: number, sources: readonly WireObject[]): Promise<readonly Appended[]> {
    const outcomes = new Map<WireObject, Appended>()
    let next = from
    for (let waiting = sources; waiting.length > 0; ) {
      const lines = waiting.flatMap((source, i) => [
        { create: { _id: sequenceId(next + i) } },
        { ...source, number: next + i },
      ])
      const { items } = await this.#index.bulk(lines, this.#query)
      const taken: WireObject[] = []
      for (const [i, source] of waiting.entries()) {
        const answer = Object.values(items[i] ?? {})[0]
        const outcome = readOutcome(answer, next + i)
        if (outcome === undefined) taken.push(source)
        else outcomes.set(source, outcome)
      }
      next += waiting.length
      waiting = taken
    }
    return sources.map((source) => outcomes.get(source) ?? { fault: unanswered() })
  }

  /** Returns the number after the last entry found by a search. Newer entries may exist. */
  async end(): Promise<number> {
    await this.#index.refresh()
    const { hits } = await this.#index.search<{ readonly hits: { readonly hits: readonly NumberedHit[] } }>({
      size: 1,
      query: { exists: { field: 'number' } },
      sort: [{ number: { order: 'desc', unmapped_type: 'long' } }],
      _source: ['number'],
    })
    return (hits.hits[0]?._source.number ?? -1) + 1
  }
}

interface NumberedHit {
  readonly _source: { readonly number: number }
}

export const sequenceId = (number: number): string => String(number).padStart(DIGITS, '0')

/** Undefined if another writer has taken the number. */
function readOutcome(answer: BulkItemAnswer | undefined, number: number): Appended | undefined {
  if (answer === undefined) return { fault: unanswered() }
  const { status, error } = answer
  if (error === undefined) return { number }
  return status === 409 ? undefined : { fault: new ClusterRefusal(status, error.type, error.reason) }
}

const unanswered = (): ClusterRefusal =>
  new ClusterRefusal(502, 'unknown', 'the response has no result for an operation')
