import { setTimeout as delay } from 'node:timers/promises'
import { type ClusterClient, ClusterRefusal, type WireObject } from '../cluster-client/cluster-client.ts'
import { printWire } from '../cluster-client/wire-json.ts'

/** A Periplus record in the cluster, with the version needed for compare-and-set. */
export interface ClusterRecord<T> {
  readonly id: string
  readonly source: T
  readonly version: RecordVersion
}

/** Identifies the write that produced a document; used by conditional writes. */
export interface RecordVersion {
  readonly seqNo: number
  readonly primaryTerm: number
}

interface ClusterIndexOptions {
  readonly client: ClusterClient
  readonly name: string
  /** `properties` of the mapping. Other members are stored but not indexed. */
  readonly properties: WireObject
  readonly settings?: WireObject
}

interface WriteOptions {
  /** Write only if the current version is this one; `absent`: only if the document does not exist. */
  readonly over?: RecordVersion | 'absent'
  /** If true, searches see the write when the call returns. */
  readonly refresh?: boolean
  readonly waitForActiveShards?: string
}

interface GetAnswer<T> {
  readonly found: boolean
  readonly _id: string
  readonly _source: T
  readonly _seq_no: number
  readonly _primary_term: number
  /** Per document of a multi-get: its shard could not be read. */
  readonly error?: { readonly type: string; readonly reason: string }
}

interface WriteAnswer {
  readonly _seq_no: number
  readonly _primary_term: number
}

/**
 * An index for internal records of Periplus: one shard, hidden, created at the first write. Records are read by id in
 * real time and written by compare-and-set.
 */
export class ClusterIndex {
  readonly client: ClusterClient
  readonly name: string
  readonly #options: ClusterIndexOptions
  #made: Promise<void> | undefined

  constructor(options: ClusterIndexOptions) {
    this.client = options.client
    this.name = options.name
    this.#options = options
  }

  /** Undefined if the document or the index does not exist. */
  async get<T>(id: string, signal?: AbortSignal): Promise<ClusterRecord<T> | undefined> {
    try {
      const path = this.path(`_doc/${encodeURIComponent(id)}`)
      return await whileStarting(signal, async () =>
        toRecord(await this.client.send<GetAnswer<T>>({ method: 'GET', path, ...withSignal(signal) })),
      )
    } catch (error) {
      if (isMissing(error)) return undefined
      throw error
    }
  }

  /**
   * Returns records in the order of the ids; undefined for missing ones. `members`: restricts the members of the
   * sources.
   */
  async getAll<T>(
    ids: readonly string[],
    signal?: AbortSignal,
    members?: readonly string[],
  ): Promise<readonly (ClusterRecord<T> | undefined)[]> {
    if (ids.length === 0) return []
    try {
      const path = this.path('_mget')
      const query = members === undefined ? {} : { _source_includes: members.join(',') }
      const call = { method: 'POST', path, query, body: { ids }, repeatable: true, ...withSignal(signal) } as const
      return await whileStarting(signal, async () => {
        const { docs } = await this.client.send<{ docs: readonly GetAnswer<T>[] }>(call)
        return docs.map((doc) => {
          checkRead(doc)
          return doc.found ? toRecord(doc) : undefined
        })
      })
    } catch (error) {
      if (isMissing(error)) return ids.map(() => undefined)
      throw error
    }
  }

  /** Returns the new version; undefined if `over` does not match the current document. */
  async put(id: string, source: WireObject, options: WriteOptions = {}): Promise<RecordVersion | undefined> {
    const { over, refresh, waitForActiveShards } = options
    await this.make()
    const query = {
      ...(over === 'absent' ? { op_type: 'create' } : {}),
      ...(over === undefined || over === 'absent' ? {} : conditions(over)),
      ...(refresh === true ? { refresh: 'wait_for' } : {}),
      ...(waitForActiveShards === undefined ? {} : { wait_for_active_shards: waitForActiveShards }),
    }
    try {
      const path = this.path(`_doc/${encodeURIComponent(id)}`)
      const answer = await this.client.send<WriteAnswer>({ method: 'PUT', path, query, body: source })
      return { seqNo: answer._seq_no, primaryTerm: answer._primary_term }
    } catch (error) {
      if (error instanceof ClusterRefusal && error.status === 409) return undefined
      throw error
    }
  }

  /** Sends the lines of a bulk request for this index. Returns the response unchanged, including errors of items. */
  async bulk(
    lines: readonly WireObject[],
    query: Readonly<Record<string, string | boolean>> = {},
  ): Promise<BulkAnswer> {
    if (lines.length === 0) return { errors: false, items: [] }
    await this.make()
    const body = `${lines.map((line) => printWire(line)).join('\n')}\n`
    return this.client.send<BulkAnswer>({ method: 'POST', path: this.path('_bulk'), query, body })
  }

  /** Searches the index. Returns no hits if the index does not exist; rejects if any shard fails. */
  search<T>(body: WireObject, signal?: AbortSignal): Promise<T> {
    const query = { ignore_unavailable: true, allow_no_indices: true, allow_partial_search_results: false }
    const call = { method: 'POST', path: this.path('_search'), query, body, repeatable: true } as const
    return whileStarting(signal, () => this.client.send<T>({ ...call, ...withSignal(signal) }))
  }

  /** Deletes documents by id; ignores missing ones. */
  async deleteAll(ids: readonly string[]): Promise<void> {
    const { items } = await this.bulk(ids.map((_id) => ({ delete: { _id } })))
    for (const { status, error } of items.flatMap((item) => Object.values(item))) {
      if (error !== undefined && status !== 404) throw new ClusterRefusal(status, error.type, error.reason)
    }
  }

  async refresh(): Promise<void> {
    const query = { ignore_unavailable: true, allow_no_indices: true }
    await this.client.send({ method: 'POST', path: this.path('_refresh'), query, repeatable: true })
  }

  /** Deletes matching documents visible to searches. Not every cluster supports delete-by-query. */
  async deleteMatching(query: WireObject): Promise<void> {
    for (;;) {
      await this.refresh()
      const { hits } = await this.search<Ids>({ query, size: AT_ONCE, sort: ['_doc'], _source: false })
      if (hits.hits.length === 0) return
      await this.deleteAll(hits.hits.map(({ _id }) => _id))
      if (hits.hits.length < AT_ONCE) return this.refresh()
    }
  }

  path(rest: string): string {
    return `/${encodeURIComponent(this.name)}/${rest}`
  }

  /** Creates the index if it does not exist. */
  make(): Promise<void> {
    this.#made ??= this.#create().catch((error: unknown) => {
      this.#made = undefined
      throw error
    })
    return this.#made
  }

  async #create(): Promise<void> {
    const { properties, settings } = this.#options
    const path = `/${encodeURIComponent(this.name)}`
    if (await this.client.send<boolean>({ method: 'HEAD', path })) return
    try {
      await this.client.send({
        method: 'PUT',
        path,
        body: {
          settings: { hidden: true, number_of_shards: 1, auto_expand_replicas: '0-1', ...settings },
          mappings: { dynamic: false, properties },
        },
      })
    } catch (error) {
      // Another server created it concurrently.
      if (!(error instanceof ClusterRefusal) || error.type !== 'resource_already_exists_exception') throw error
    }
  }
}

/** Number of documents deleted per request. */
const AT_ONCE = 1_000

interface Ids {
  readonly hits: { readonly hits: readonly { readonly _id: string }[] }
}

interface BulkAnswer {
  readonly errors: boolean
  /** One member per item, named after the action. */
  readonly items: readonly Readonly<Record<string, BulkItemAnswer>>[]
}

export interface BulkItemAnswer {
  readonly _id: string
  readonly status: number
  readonly _seq_no?: number
  readonly _primary_term?: number
  /** The resulting document, if the update requested it. */
  readonly get?: { readonly _source: unknown }
  readonly error?: { readonly type: string; readonly reason: string }
}

const conditions = ({ seqNo, primaryTerm }: RecordVersion) => ({ if_seq_no: seqNo, if_primary_term: primaryTerm })

const withSignal = (signal: AbortSignal | undefined) => (signal === undefined ? {} : { signal })

/** Milliseconds. Maximum time for the shard of a newly created index to start. */
const STARTING_MS = 5_000
const STARTING_PAUSE_MS = 50

const NOT_STARTED = /no_shard_available_action_exception|NoShardAvailable|all shards failed/

/** Retries a read while the index is being created: it exists shortly before its shard responds. */
async function whileStarting<T>(signal: AbortSignal | undefined, read: () => Promise<T>): Promise<T> {
  const until = performance.now() + STARTING_MS
  for (;;) {
    try {
      return await read()
    } catch (error) {
      const isStarting = error instanceof ClusterRefusal && error.status === 503 && NOT_STARTED.test(error.message)
      if (!isStarting || performance.now() > until) throw error
    }
    await delay(STARTING_PAUSE_MS, undefined, signal === undefined ? {} : { signal })
  }
}

/** Throws if a document could not be read, so that it is not mistaken for a missing one. */
function checkRead({ error }: GetAnswer<unknown>): void {
  if (error === undefined || error.type === 'index_not_found_exception') return
  throw new ClusterRefusal(503, error.type, error.reason)
}

const toRecord = <T>(doc: GetAnswer<T>): ClusterRecord<T> => ({
  id: doc._id,
  source: doc._source,
  version: { seqNo: doc._seq_no, primaryTerm: doc._primary_term },
})

const isMissing = (error: unknown): boolean => error instanceof ClusterRefusal && error.status === 404
