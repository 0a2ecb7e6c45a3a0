import { ClusterRefusal, type WireObject } from '../cluster-client/cluster-client.ts'
import type { BulkItemAnswer, ClusterIndex } from './cluster-index.ts'

/** The property by which the last number of a sequence is found; part of the mapping of its index. */
export const NUMBER_PROPERTIES: WireObject = { number: { type: 'long' } }

const DIGITS = 20

/** Whole answers are refused when copies are missing; waiting for them longer than this helps nobody. */
const PATIENCE = '5s'

/** What stands at a number. */
export interface NumberedEntry<T> {
  readonly number: number
  readonly source: T
}

/** Entries up to the first number that is missing. */
export interface SequencePage<T> {
  readonly entries: readonly NumberedEntry<T>[]
  /** The highest number that was found behind a missing one. */
  readonly beyond?: number
}

/** What became of an entry: the number it has now, or why it has none. */
export type Appended = { readonly number: number } | { readonly fault: ClusterRefusal }

/**
 * Documents of an index that are numbered one after the other, by whoever comes first: an entry is created under the
 * next number, and when somebody else has it, under the one after. They are read by number, in real time.
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

  /** At most `most` entries from a number on. */
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

  /** One outcome per source, in order. Rejects when it is not known what became of them. */
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

  /** The number behind the last entry that a search finds; there may be some that are newer. */
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

/** Undefined: somebody else has the number. */
function readOutcome(answer: BulkItemAnswer | undefined, number: number): Appended | undefined {
  if (answer === undefined) return { fault: unanswered() }
  const { status, error } = answer
  if (error === undefined) return { number }
  return status === 409 ? undefined : { fault: new ClusterRefusal(status, error.type, error.reason) }
}

const unanswered = (): ClusterRefusal => new ClusterRefusal(502, 'unknown', 'an operation was not answered')
