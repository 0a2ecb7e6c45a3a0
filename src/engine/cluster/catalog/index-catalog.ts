import { ClusterRefusal, type WireObject } from '../../../cluster-client/cluster-client.ts'
import { KeptAnswers } from '../../../cluster-client/kept-answers.ts'
import { printWire } from '../../../cluster-client/wire-json.ts'
import { problem } from '../../../errors.ts'
import { extendMapping } from '../../../mapping/extend-mapping.ts'
import { checkIndexName, isIndexPattern } from '../../../mapping/index-name.ts'
import { missingFields } from '../../../mapping/mapping-difference.ts'
import { checkFieldCount, MOST_FIELDS } from '../../../model/field-limit.ts'
import type { Mapping } from '../../../model/mapping.ts'
import type { IndexInfo } from '../../engine.ts'
import type { ClusterContext } from '../request/cluster-context.ts'
import { countDocuments } from './document-counts.ts'
import { type ClusterIndex, type IndexAnswer, IndexListing } from './index-listing.ts'
import { writeMeta } from './mapping-meta.ts'
import { writeIndex, writeProperties } from './mapping-writer.ts'
import { readStoredBytes } from './stored-bytes.ts'

/** Maximum time until a change by another client is seen (spec 2.4.3 allows 10 s). */
const KEEP_MS = 5_000
const RENEW_MS = 2_500
/** Shorter for writes: a cluster would recreate a deleted index, with its own rules. */
const WRITE_MS = 1_000

/** Cached indices of the cluster and their mappings. */
export class IndexCatalog {
  readonly #context: ClusterContext
  readonly #listing = new IndexListing()
  readonly #kept: KeptAnswers<readonly ClusterIndex[]>

  constructor(context: ClusterContext) {
    this.#context = context
    this.#kept = new KeptAnswers((pattern) => this.#read(pattern), { keepMs: KEEP_MS, renewMs: RENEW_MS })
  }

  /** Maximum number of fields per index. */
  get mostFields(): number {
    return this.#context.newIndices?.mostFields ?? MOST_FIELDS
  }

  async indices(pattern: string, signal?: AbortSignal): Promise<readonly IndexInfo[]> {
    return this.#find(pattern, signal)
  }

  async documentCounts(pattern: string, signal?: AbortSignal): Promise<ReadonlyMap<string, number>> {
    const indices = await this.#find(pattern, signal)
    return indices.length === 0 ? new Map() : countDocuments(this.#context, pattern, indices, signal)
  }

  async storedBytes(pattern: string, signal?: AbortSignal): Promise<ReadonlyMap<string, number>> {
    const indices = await this.#find(pattern, signal)
    return indices.length === 0 ? new Map() : readStoredBytes(this.#context, pattern, signal)
  }

  async create(name: string, mapping: Mapping): Promise<void> {
    checkIndexName(name)
    checkFieldCount(mapping, this.mostFields)
    const body = writeIndex(mapping, this.#context.newIndices)
    await this.#change(name, () => this.#context.client.send({ method: 'PUT', path: pathOf(name), body }))
  }

  async drop(name: string): Promise<void> {
    if (!isIndexName(name)) throw problem('INDEX_NOT_FOUND', { name })
    // The cluster rejects the name of an alias. Patterns were rejected above.
    await this.#change(name, () => this.#context.client.send({ method: 'DELETE', path: pathOf(name) }))
  }

  /** A cluster cannot rename an index. A clone shares the files of the index, and needs one that is not written to. */
  async replace(name: string, by: string): Promise<void> {
    await this.only(name)
    await this.only(by)
    if (name === by) throw problem('CONFLICT', { name: `Index ${name}`, reason: 'cannot replace itself' })
    const { client } = this.#context
    const block = (isBlocked: boolean | null): WireObject => ({ index: { blocks: { write: isBlocked } } })
    const settings = { method: 'PUT', path: `${pathOf(by)}/_settings`, body: block(true), repeatable: true } as const
    await this.#change(by, () => client.send(settings))
    try {
      await this.drop(name)
      const clone = { method: 'POST', path: `${pathOf(by)}/_clone/${encodeURIComponent(name)}` } as const
      await this.#change(name, () => client.send({ ...clone, body: { settings: block(null) } }))
    } catch (error) {
      // the cause is thrown; the index stays, and may be written to again
      await client.send({ ...settings, body: block(null) }).catch(() => undefined)
      throw error
    }
    await this.drop(by)
  }

  async extend(name: string, addition: Mapping): Promise<void> {
    const index = await this.only(name)
    checkFieldCount(extendMapping(index.mapping, addition, 'refuse'), this.mostFields, index.mapping)
    await this.#putFields(index, missingFields(index.mapping, addition), addition.dynamic)
  }

  /**
   * Returns the target of a write; undefined if the cluster chooses among several indices. Throws INDEX_NOT_FOUND if
   * none exists.
   */
  async target(name: string): Promise<ClusterIndex | undefined> {
    const indices = isIndexName(name) ? await this.#kept.get(name, undefined, WRITE_MS) : []
    if (indices.length === 0) throw problem('INDEX_NOT_FOUND', { name })
    return indices.length === 1 ? indices[0] : undefined
  }

  /** Returns the single index with a name, without using the cache. Throws INDEX_NOT_FOUND if it does not exist. */
  async only(name: string): Promise<ClusterIndex> {
    const [index, ...others] = isIndexName(name) ? await this.#kept.get(name, undefined, 0) : []
    if (index === undefined) throw problem('INDEX_NOT_FOUND', { name })
    if (others.length === 0 && !index.isAlias) return index
    throw problem('INVALID_INDEX', { parameter: `index ${name}`, reason: 'is an alias; use the name of its index' })
  }

  /** Adds fields found in documents. Returns the updated index, including fields added by others meanwhile. */
  async grow(index: ClusterIndex, fields: Mapping): Promise<ClusterIndex> {
    await this.#putFields(index, fields, undefined)
    return this.only(index.name)
  }

  async #find(pattern: string, signal: AbortSignal | undefined): Promise<readonly ClusterIndex[]> {
    return isIndexPattern(pattern) ? this.#kept.get(pattern, signal) : []
  }

  async #read(pattern: string): Promise<readonly ClusterIndex[]> {
    const query = { expand_wildcards: 'open', ignore_unavailable: true, allow_no_indices: true }
    const { client } = this.#context
    try {
      const answer = await client.send<Readonly<Record<string, IndexAnswer>>>({
        method: 'GET',
        path: pathOf(pattern),
        query,
      })
      return this.#listing.read(pattern, answer)
    } catch (error) {
      if (error instanceof ClusterRefusal && error.status === 404) return []
      throw error
    }
  }

  async #putFields(index: ClusterIndex, fields: Mapping | undefined, dynamic: Mapping['dynamic']): Promise<void> {
    if (fields === undefined && dynamic === undefined) return
    const { name, ours } = index
    const properties = fields?.properties ?? {}
    const stated = dynamic === undefined ? {} : { dynamic }
    const body: WireObject = {
      ...(ours ? metaChange(index, { ...stated, properties }) : stated),
      properties: writeProperties(properties, { statesDynamic: !ours }),
    }
    const path = `${pathOf(name)}/_mapping`
    await this.#change(name, () => this.#context.client.send({ method: 'PUT', path, body, repeatable: true }))
  }

  /** Runs a change and clears the cache, whether or not it succeeds. */
  async #change(name: string, send: () => Promise<unknown>): Promise<void> {
    try {
      await send()
    } catch (error) {
      throw error instanceof ClusterRefusal ? indexProblem(name, error) : error
    } finally {
      this.#kept.forget()
    }
  }
}

/** Returns the new `_meta` if adding fields changes it. It is replaced as a whole. */
function metaChange({ mapping, meta }: ClusterIndex, addition: Mapping): WireObject {
  const before = writeMeta(mapping, meta)
  const after = writeMeta(extendMapping(mapping, addition, 'refuse'), meta)
  return printWire(before) === printWire(after) ? {} : { _meta: after }
}

const pathOf = (name: string): string => `/${encodeURIComponent(name)}`

const isIndexName = (name: string): boolean => isIndexPattern(name) && !name.includes('*')

/** Converts the refusal of an index change to a problem for the caller. */
function indexProblem(name: string, refusal: ClusterRefusal): Error {
  const { status, type, reason } = refusal
  if (status === 404) return problem('INDEX_NOT_FOUND', { name })
  if (type === 'resource_already_exists_exception' || reason.includes('already exists as')) {
    return problem('CONFLICT', { name: `Index ${name}` })
  }
  if (status !== 400) return refusal
  if (reason.includes('matches an alias')) {
    return problem('INVALID_INDEX', { parameter: `index ${name}`, reason: 'is an alias; use the name of its index' })
  }
  const field = /mapper \[([^\]]+)\] cannot be changed/.exec(reason)?.[1]
  if (field !== undefined) {
    return problem('INVALID_INDEX', {
      parameter: field,
      reason: 'already has a different type; the type of a field cannot be changed',
    })
  }
  return problem('INVALID_INDEX', { parameter: `index ${name}`, reason: `was rejected by the cluster: ${reason}` })
}
