import {
  type ClusterCall,
  type ClusterClient,
  ClusterRefusal,
  type WireObject,
} from '../../cluster-client/cluster-client.ts'
import { engineProblem } from '../../cluster-client/cluster-problem.ts'
import { KeptAnswers } from '../../cluster-client/kept-answers.ts'
import { printWire } from '../../cluster-client/wire-json.ts'
import { type Hit, type SearchAnswer, toFound } from '../../engine/cluster/request/search-answer.ts'
import { Problem, problem } from '../../errors.ts'
import type { CollectionReference } from '../../model/collection.ts'
import { readCollectionParameters } from './read-parameters.ts'
import type { ReferenceStore } from './reference-store.ts'

/** The only key added to a document: creation time of the collection in microseconds. Not visible to clients. */
const CREATED = 'periplus_created'

/** Maximum number of hits a cluster returns in one response. */
const MOST = 10_000

/** Maximum length of a document `_id` in a cluster. Longer names would not even fit a URL. */
const LONGEST_ID_BYTES = 512

interface ClusterReferenceStoreOptions {
  readonly client: ClusterClient
  readonly index: string
  /** `cluster.referenceMs` */
  readonly keepMs: number
  /** Called for documents that are not valid references. Lists omit them. */
  readonly onUnreadable?: (name: string, error: unknown) => void
}

/**
 * References in an index. The document of a collection has the collection name as `_id` and the unchanged parameters as
 * source, so an index filled by compatible servers can be used directly. Several servers may share an index: references
 * are cached for a short time only, and only for reads.
 */
export function openClusterReferenceStore(options: ClusterReferenceStoreOptions): ReferenceStore {
  return new ClusterReferenceStore(options)
}

class ClusterReferenceStore implements ReferenceStore {
  readonly #client: ClusterClient
  readonly #index: string
  readonly #onUnreadable: (name: string, error: unknown) => void
  readonly #kept: KeptAnswers<CollectionReference | undefined>
  #lastCreated = 0

  constructor({ client, index, keepMs, onUnreadable }: ClusterReferenceStoreOptions) {
    this.#kept = new KeptAnswers((name) => this.get(name), { keepMs, renewMs: keepMs / 2 })
    this.#client = client
    this.#index = index
    this.#onUnreadable = onUnreadable ?? (() => undefined)
  }

  async list(): Promise<readonly CollectionReference[]> {
    const { hits } = await this.#send<SearchAnswer>({
      method: 'POST',
      path: this.#path('_search'),
      query: { ignore_unavailable: true, allow_no_indices: true, allow_partial_search_results: false },
      body: { size: MOST, track_total_hits: true, query: { match_all: {} } },
      repeatable: true,
    })
    if ((hits.total?.value ?? 0) > MOST) {
      const reason = `must not exceed ${MOST}, the maximum a cluster can list`
      throw problem('LIMIT_EXCEEDED', { parameter: 'collections', reason, setting: 'cluster.referenceIndex' })
    }
    return hits.hits.toSorted(byCreation).flatMap((hit) => this.#readable(hit))
  }

  async get(name: string): Promise<CollectionReference | undefined> {
    const hit = await this.#find(name)
    if (hit === undefined) return undefined
    try {
      return readReference(hit)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      const reason = `The reference of collection ${name} in the cluster is invalid: ${error.message}`
      throw problem('INTERNAL_ERROR', { reason })
    }
  }

  /** A missing reference may have been created by another server since, so it is read again. */
  async recent(name: string): Promise<CollectionReference | undefined> {
    return (await this.#kept.get(name)) ?? this.get(name)
  }

  /**
   * A cluster has no transactions. If it refuses one of the documents, the earlier ones are restored. If the cluster
   * becomes unreachable before that is done, only some of the references are saved.
   */
  async putAll(references: readonly CollectionReference[]): Promise<void> {
    if (references.length === 0) return
    try {
      await this.#replaceAll(references)
    } finally {
      this.#kept.forget()
    }
  }

  async #replaceAll(references: readonly CollectionReference[]): Promise<void> {
    await this.#prepareIndex()
    const before = await this.#documentsOf(references.map((reference) => reference.collection_name))
    const fault = await this.#bulk(
      references.flatMap(({ collection_name: name, params }) => {
        const known = before.get(name)
        // A reference written by another kind of server has no creation time and does not get one, to keep its list
        // position.
        const created = known === undefined ? this.#nextCreated() : known[CREATED]
        const source = { ...params, ...(created === undefined ? {} : { [CREATED]: created }) }
        return [{ index: { _id: name } }, source as WireObject]
      }),
    )
    if (fault === undefined) return
    const undone = await this.#bulk(
      references.flatMap(({ collection_name: name }) => {
        const known = before.get(name)
        return known === undefined ? [{ delete: { _id: name } }] : [{ index: { _id: name } }, known]
      }),
    )
    throw engineProblem(undone ?? fault)
  }

  async delete(name: string): Promise<boolean> {
    if (!isIdentifier(name)) return false
    const path = this.#path('_doc', name)
    try {
      return (await this.#unlessAbsent({ method: 'DELETE', path, query: { refresh: true } })) !== undefined
    } finally {
      this.#kept.forget()
    }
  }

  /** The client belongs to the engine. */
  async close(): Promise<void> {}

  async #find(name: string): Promise<Hit | undefined> {
    if (!isIdentifier(name)) return undefined
    return this.#unlessAbsent<Hit>({ method: 'GET', path: this.#path('_doc', name) })
  }

  #readable(hit: Hit): readonly CollectionReference[] {
    try {
      return [readReference(hit)]
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      this.#onUnreadable(hit._id, error)
      return []
    }
  }

  /**
   * Creates the index if it does not exist. An existing index may reject unknown fields, so the mapping is extended.
   */
  async #prepareIndex(): Promise<void> {
    const properties = { [CREATED]: { type: 'long' } }
    const known = await this.#unlessAbsent({ method: 'PUT', path: this.#path('_mapping'), body: { properties } })
    if (known !== undefined) return
    const settings = { index: { hidden: true, number_of_shards: 1, auto_expand_replicas: '0-1' } }
    const mappings = { dynamic: false, properties }
    try {
      await this.#client.send({ method: 'PUT', path: this.#path(), body: { settings, mappings } })
    } catch (error) {
      // Another server has created it.
      if (!(error instanceof ClusterRefusal && error.type === 'resource_already_exists_exception')) {
        throw engineProblem(error)
      }
    }
  }

  /** Returns the sources of existing documents, by name. */
  async #documentsOf(names: readonly string[]): Promise<ReadonlyMap<string, WireObject>> {
    const { docs } = await this.#send<{ readonly docs: readonly (Hit & { readonly found?: boolean })[] }>({
      method: 'POST',
      path: this.#path('_mget'),
      body: { ids: names },
      repeatable: true,
    })
    return new Map(docs.flatMap(({ found, _id, _source }) => (found === true ? [[_id, _source ?? {}]] : [])))
  }

  /** Returns the first refusal among the items. Rejects if the whole call fails. */
  async #bulk(lines: readonly WireObject[]): Promise<ClusterRefusal | undefined> {
    const body = lines.map((line) => `${printWire(line)}\n`).join('')
    const path = this.#path('_bulk')
    const { items } = await this.#send<BulkAnswer>({ method: 'POST', path, query: { refresh: true }, body })
    for (const item of items.flatMap((entry) => Object.values(entry))) {
      if (item.error !== undefined) return new ClusterRefusal(item.status, item.error.type, item.error.reason)
    }
    return undefined
  }

  async #send<T>(call: ClusterCall): Promise<T> {
    try {
      return await this.#client.send<T>(call)
    } catch (error) {
      throw engineProblem(error)
    }
  }

  /** Returns undefined if the document or the whole index does not exist. */
  async #unlessAbsent<T>(call: ClusterCall): Promise<T | undefined> {
    try {
      return await this.#client.send<T>(call)
    } catch (error) {
      if (error instanceof ClusterRefusal && error.status === 404) return undefined
      throw engineProblem(error)
    }
  }

  #nextCreated(): number {
    this.#lastCreated = Math.max(this.#lastCreated + 1, Date.now() * 1000)
    return this.#lastCreated
  }

  #path(...parts: readonly string[]): string {
    return `/${[this.#index, ...parts].map(encodeURIComponent).join('/')}`
  }
}

interface BulkAnswer {
  readonly items: readonly Readonly<Record<string, BulkItem>>[]
}

interface BulkItem {
  readonly status: number
  readonly error?: { readonly type: string; readonly reason: string }
}

const isIdentifier = (name: string): boolean =>
  name !== '' && name.isWellFormed() && Buffer.byteLength(name) <= LONGEST_ID_BYTES

/** Drops unknown keys, including `periplus_created`. */
function readReference(hit: Hit): CollectionReference {
  return { collection_name: hit._id, params: readCollectionParameters(toFound(hit).source) }
}

/** References without creation time come first, sorted by name. */
function byCreation(a: Hit, b: Hit): number {
  const [first, second] = [createdOf(a), createdOf(b)]
  return first === second ? (a._id < b._id ? -1 : 1) : first - second
}

function createdOf(hit: Hit): number {
  const created = hit._source?.[CREATED]
  return typeof created === 'number' ? created : 0
}
