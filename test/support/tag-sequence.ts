import { expect, vi } from 'vitest'
import { type ClusterDeployment, loadTaggable } from './cluster-deployment.ts'
import { must } from './http-client.ts'
import { PATIENT } from './patience.ts'

interface TagCall {
  readonly route: '_tag' | '_untag'
  readonly body: { readonly tag: { readonly path: string; readonly value: string }; readonly [key: string]: unknown }
}

/** Counters of a status. */
interface Counters {
  readonly progress: number
  readonly updated: number
  readonly failed: number
  readonly nbRequest: number
  readonly propagated: number
}

export const eq = (field: string, value: string) => ({ filter: { f: [[{ field, op: 'eq', value }]] } })

const everything = { tag: { path: 'tags', value: 'first' } }

/**
 * Requests for documents of `loadTaggable`, in order. The results of the last two change if a request is omitted,
 * repeated or delayed.
 */
export const sequence: readonly TagCall[] = [
  { route: '_tag', body: everything },
  {
    route: '_tag',
    body: { tag: { path: 'tags', value: 'second' }, search: eq('kind', 'a,b'), propagation: { field: 'kind' } },
  },
  { route: '_untag', body: { ...everything, search: eq('tags', 'second') } },
  { route: '_tag', body: { tag: { path: 'tags', value: 'third' }, search: eq('tags', 'first') } },
]

/** Returns the final statuses of the sequence. */
export function sequenceCounters(documents: number): readonly Counters[] {
  const ofKind = (i: number): number => Math.ceil((documents - i) / 3)
  const ended = { progress: 100, failed: 0 }
  return [
    { ...ended, updated: documents, nbRequest: 1, propagated: 1 },
    { ...ended, updated: ofKind(0) + ofKind(1), nbRequest: 2, propagated: 2 },
    { ...ended, updated: ofKind(0) + ofKind(1), nbRequest: 1, propagated: 1 },
    { ...ended, updated: ofKind(2), nbRequest: 1, propagated: 1 },
  ]
}

/** Final content of `tags` after the sequence, by kind. */
export const sequenceTags: Readonly<Record<string, readonly string[]>> = {
  a: ['second'],
  b: ['second'],
  c: ['first', 'third'],
}

/** Returns the id of the request. */
export async function submit(base: string, collection: string, { route, body }: TagCall): Promise<string> {
  return ((await must(base, { method: 'POST', path: `/write/${collection}/${route}`, body })) as { id: string }).id
}

export async function submitSequence(base: string, collection: string): Promise<readonly string[]> {
  const ids: string[] = []
  for (const request of sequence) ids.push(await submit(base, collection, request))
  return ids
}

/** Waits until the requests are finished. */
export async function finished(base: string, collection: string, ids: readonly string[]): Promise<readonly Counters[]> {
  const all: Counters[] = []
  for (const id of ids) {
    const counters = await vi.waitFor(async () => {
      const status = (await must(base, { path: `/status/${collection}/_tag/${id}` })) as Counters
      expect(status.progress).toBe(100)
      const { progress, updated, failed, nbRequest, propagated } = status
      return { progress, updated, failed, nbRequest, propagated }
    }, PATIENT)
    all.push(counters)
  }
  return all
}

/** A collection with its own index, read from the cluster directly. */
export class TaggedIndex {
  readonly collection: string
  readonly #deployment: ClusterDeployment
  readonly #index: string

  constructor(deployment: ClusterDeployment, collection: string) {
    this.#deployment = deployment
    this.collection = collection
    this.#index = `${deployment.prefix}${collection}`
  }

  load(base: string, count: number): Promise<void> {
    return loadTaggable(base, this.#index, this.collection, count)
  }

  /** Returns the complete documents by id. */
  async documents(): Promise<ReadonlyMap<string, { readonly kind: string; readonly tags?: unknown }>> {
    await this.#deployment.ask(`/${this.#index}/_refresh`, {})
    const found = (await this.#deployment.ask(`/${this.#index}/_search`, { size: 10_000 })) as {
      readonly hits: { readonly hits: readonly { readonly _id: string; readonly _source: { readonly kind: string } }[] }
    }
    return new Map(found.hits.hits.map(({ _id, _source }) => [_id, _source]))
  }

  /** Returns the number of documents that have a value. */
  async count(value: string): Promise<number> {
    await this.#deployment.ask(`/${this.#index}/_refresh`, {})
    const query = { term: { tags: value } }
    return ((await this.#deployment.ask(`/${this.#index}/_count`, { query })) as { readonly count: number }).count
  }

  /** Waits until some documents have a value, then runs an action immediately. */
  async whenBegun(value: string, disturb: () => unknown): Promise<void> {
    await vi.waitFor(async () => expect(await this.count(value)).toBeGreaterThan(0), { ...PATIENT, interval: 5 })
    await disturb()
  }

  /** Waits until no more documents get a value. */
  async whenStill(value: string): Promise<void> {
    let before = -1
    const look = async (): Promise<void> => {
      const [now, then] = [await this.count(value), before]
      before = now
      expect(now, 'documents with the value').toBe(then)
    }
    await vi.waitFor(look, { ...PATIENT, interval: 500 })
  }
}
