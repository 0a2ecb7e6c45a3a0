import { type ClusterClient, ClusterRefusal } from '../../../cluster-client/cluster-client.ts'
import { ClusterIndex } from '../../../storage/cluster-index.ts'
import type { DocumentAddress } from '../request/current-documents.ts'

/** Maximum number of entries per chunk. */
export const CHUNK_ENTRIES = 1_000

/** A document in the work list. */
export type WorkEntry = DocumentAddress

/** Progress of the units of a plan once a chunk is done. */
export type UnitProgress = {
  readonly nbRequest: number
  readonly unitDone: number
  readonly unitTotal: number
}

export interface WorkChunk {
  readonly entries: readonly WorkEntry[]
  readonly after: UnitProgress
}

/** Identifies a plan: a record may be planned again, after a replay or a crash. */
export interface PlanName {
  readonly offset: number
  readonly run: number
  readonly attempt: number
}

/** Stored form of a chunk: index names once, entries as lists. */
type ChunkDocument = {
  readonly offset: number
  readonly indices: readonly string[]
  /** Number of the index, identifier, and routing if present. */
  readonly entries: readonly (readonly [number, string] | readonly [number, string, string])[]
  readonly after: UnitProgress
}

/** Chunks per delete request. */
const REMOVED_AT_ONCE = 1_000

/** The work lists of plans: the documents to tag, in order. */
export class TagPlans {
  readonly #index: ClusterIndex

  constructor(client: ClusterClient, prefix: string) {
    this.#index = new ClusterIndex({ client, name: `${prefix}tag-plan`, properties: { offset: { type: 'long' } } })
  }

  async write(plan: PlanName, from: number, chunks: readonly WorkChunk[]): Promise<void> {
    const lines = chunks.flatMap((chunk, i) => [{ index: { _id: chunkId(plan, from + i) } }, toDocument(plan, chunk)])
    const { items } = await this.#index.bulk(lines)
    for (const { status, error } of items.flatMap((item) => Object.values(item))) {
      if (error !== undefined) throw new ClusterRefusal(status, error.type, error.reason)
    }
  }

  /** Undefined for missing chunks. */
  async read(plan: PlanName, from: number, count: number): Promise<readonly (WorkChunk | undefined)[]> {
    const ids = Array.from({ length: count }, (_, i) => chunkId(plan, from + i))
    const found = await this.#index.getAll<ChunkDocument>(ids)
    return found.map((record) => record && toChunk(record.source))
  }

  async remove(plan: PlanName, chunks: number): Promise<void> {
    for (let from = 0; from < chunks; from += REMOVED_AT_ONCE) {
      const count = Math.min(REMOVED_AT_ONCE, chunks - from)
      await this.#index.deleteAll(Array.from({ length: count }, (_, i) => chunkId(plan, from + i)))
    }
  }

  /** Removes the chunks of all planning attempts of a record. */
  async removeAll(offset: number): Promise<void> {
    await this.#index.refresh()
    await this.#index.deleteMatching({ term: { offset } })
  }
}

const chunkId = ({ offset, run, attempt }: PlanName, n: number): string => `${offset}-${run}-${attempt}-${n}`

function toDocument({ offset }: PlanName, { entries, after }: WorkChunk): ChunkDocument {
  const indices = [...new Set(entries.map(({ index }) => index))]
  const numbers = new Map(indices.map((index, i) => [index, i]))
  return {
    offset,
    indices,
    entries: entries.map(({ index, id, routing }) => {
      const number = numbers.get(index) ?? 0
      return routing === undefined ? [number, id] : [number, id, routing]
    }),
    after,
  }
}

function toChunk({ indices, entries, after }: ChunkDocument): WorkChunk {
  return {
    after,
    entries: entries.map(([number, id, routing]) => ({
      index: indices[number] ?? '',
      id,
      ...(routing === undefined ? {} : { routing }),
    })),
  }
}
