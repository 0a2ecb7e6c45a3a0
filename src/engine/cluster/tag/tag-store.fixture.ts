import { randomUUID } from 'node:crypto'
import { clusterUrl } from '../../../../test/support/cluster-url.ts'
import type { ClusterClient, WireObject } from '../../../cluster-client/cluster-client.ts'
import { openTransportClient } from '../../../cluster-client/transport-client.ts'
import { printWire } from '../../../cluster-client/wire-json.ts'
import type { JsonObject } from '../../../model/json/document.ts'
import type { TagRecord } from '../../../model/tag-record.ts'
import type { TagAction, TagValue } from '../../../model/tag-request.ts'
import { everything } from '../../../query/plan/predicate.ts'
import type { Engine } from '../../engine.ts'
import type { TagStatus, TagStore } from '../../tag-store.ts'
import type { TagTask } from '../../tag-task.ts'
import { type ClusterEngineParts, clusterEngine } from '../engine.ts'

/** A deployment with a unique prefix and any number of servers. */
export interface TagDeployment {
  readonly prefix: string
  readonly client: ClusterClient
  /** Starts another server; `client` replaces its connection to the cluster. */
  server(options?: Partial<ClusterEngineParts> & { readonly client?: ClusterClient }): Engine
  /** Creates an index of documents. `_id` is `id` or the number of the document. */
  makeIndex(properties: WireObject, documents: readonly (JsonObject | WireObject)[], shards?: number): Promise<string>
  sources(index: string): Promise<ReadonlyMap<string, JsonObject>>
  close(): Promise<void>
}

export function tagDeployment(subject: string): TagDeployment {
  const client = openTransportClient({ urls: [clusterUrl || 'http://127.0.0.1:1'] })
  const prefix = `t-${subject}-${randomUUID().slice(0, 8)}-`
  let indices = 0
  return {
    prefix,
    client,
    server: ({ client: own = client, ...options } = {}) =>
      clusterEngine(own, { scan: 100_000, replicas: 0, prefix, ...options }),
    makeIndex: async (properties, documents, shards = 1) => {
      const name = `${prefix}data-${indices++}`
      const settings = { number_of_shards: shards, number_of_replicas: 0 }
      await client.send({ method: 'PUT', path: `/${name}`, body: { settings, mappings: { properties } } })
      for (let at = 0; at < documents.length; at += 5_000) {
        const lines = documents.slice(at, at + 5_000).map((document, i) => {
          const { id = at + i } = document
          return `${printWire({ index: { _id: String(id) } })}\n${printWire(document as WireObject)}\n`
        })
        const answer = await client.send<WireObject>({ method: 'POST', path: `/${name}/_bulk`, body: lines.join('') })
        if (answer.errors !== false) throw new Error(printWire(answer).slice(0, 2_000))
      }
      return name
    },
    sources: async (index) => {
      const query = { size: 10_000, sort: '_doc' }
      await client.send({ method: 'POST', path: `/${index}/_refresh` })
      type Found = { hits: { hits: { _id: string; _source: JsonObject }[] } }
      const { hits } = await client.send<Found>({ method: 'GET', path: `/${index}/_search`, query })
      return new Map(hits.hits.map(({ _id, _source }) => [_id, _source]))
    },
    close: async () => {
      const query = { expand_wildcards: 'all', ignore_unavailable: true }
      const found = await client.send<Record<string, unknown>>({ method: 'GET', path: `/${prefix}*`, query })
      for (const name of Object.keys(found)) await client.send({ method: 'DELETE', path: `/${name}` })
      await client.close()
    },
  }
}

let offsets = 0

interface TaskParts extends Partial<Omit<TagTask, 'record'>> {
  readonly collection?: string
  readonly offset?: number
  readonly path?: string
  readonly action?: TagAction
  readonly value?: TagValue | null
}

/** A task on these indices. Default: ADD `v` to `tags` of every document. */
export function taskOn(indices: readonly string[], parts: TaskParts = {}): TagTask {
  const { collection = 'c', offset = offsets++, path = 'tags', action = 'ADD', value = 'v', ...rest } = parts
  const record: TagRecord = {
    v: 1,
    id: randomUUID(),
    offset,
    collection,
    action,
    creationTime: 1_000,
    request: { tag: { path, value } },
  }
  return {
    record,
    run: 0,
    startMs: 1_000,
    indices,
    target: everything,
    maxHits: 2_147_483_647,
    idPath: 'id',
    now: Date.now,
    ...rest,
  }
}

export function tagsOf(engine: Engine): TagStore {
  if (engine.tags === undefined) throw new Error('the engine has no tags')
  return engine.tags
}

/** Plans a task and applies it completely, like an executor that leads. */
export async function execute(store: TagStore, task: TagTask): Promise<TagStatus> {
  const { signal } = new AbortController()
  let status = await store.plan(task, signal)
  while (!status.finished) status = await store.apply(task, signal)
  return status
}
