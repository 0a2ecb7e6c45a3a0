import { randomUUID } from 'node:crypto'
import { call, must } from './http-client.ts'
import { createIndex, putCollection } from './index-loading.ts'
import { type ServerProcess, startServerProcess } from './server-process.ts'

/** Servers in separate processes that share storage in the test cluster, isolated from other tests. */
export interface ClusterDeployment {
  /** Prefix of all names in the cluster. */
  readonly prefix: string
  /** Starts one more server, with additional settings. */
  readonly start: (settings?: Readonly<Record<string, string>>, directory?: string) => Promise<ServerProcess>
  /** Sends a request to the cluster directly. */
  readonly ask: (path: string, body?: unknown) => Promise<unknown>
  /** Kills the running servers and deletes everything they stored. */
  readonly remove: () => Promise<void>
}

export function clusterDeployment(
  clusterUrl: string,
  settings: Readonly<Record<string, string>> = {},
): ClusterDeployment {
  const prefix = `t-${randomUUID().slice(0, 8)}-`
  const servers: ServerProcess[] = []
  const common = {
    'engine.kind': 'cluster',
    'cluster.urls': clusterUrl,
    'cluster.prefix': `${prefix}p-`,
    'cluster.referenceIndex': `${prefix}references`,
    'cluster.shards': '1',
    'cluster.replicas': '0',
    'tagging.cluster.leaseSeconds': '3',
    ...settings,
  }
  return {
    prefix,
    start: async (more = {}, directory) => {
      const flags = Object.entries({ ...common, ...more }).flatMap(([key, value]) => [`--${key}`, value])
      const server = await startServerProcess({ flags, ...(directory === undefined ? {} : { directory }) })
      servers.push(server)
      return server
    },
    ask: (path, body) => must(clusterUrl, { path, ...(body === undefined ? {} : { method: 'POST', body }) }),
    remove: async () => {
      for (const server of servers) {
        server.kill('SIGKILL')
        await server.ended
        await server.removeData()
      }
      const listed = await call(clusterUrl, { path: `/_cat/indices/${prefix}*?h=index&expand_wildcards=all` })
      const names = listed.text.split('\n').filter((name) => name !== '')
      if (names.length > 0) await must(clusterUrl, { method: 'DELETE', path: `/${names.join(',')}` })
    },
  }
}

const mapping = {
  dynamic: false,
  properties: {
    id: { type: 'keyword' },
    kind: { type: 'keyword' },
    tags: { type: 'keyword' },
    place: { type: 'geo_point' },
    time: { type: 'date' },
  },
}

/** Returns the i-th document of `loadTaggable`. */
export const taggable = (i: number) => ({
  id: `d${i}`,
  kind: ['a', 'b', 'c'][i % 3],
  place: { lat: i % 80, lon: i % 170 },
  time: i,
})

export const toBulk = (documents: readonly { readonly id: string }[]): string =>
  documents.map((one) => `${JSON.stringify({ index: { _id: one.id } })}\n${JSON.stringify(one)}\n`).join('')

/** Loads documents with a taggable field `tags`, as an index with a collection. */
export async function loadTaggable(base: string, index: string, collection: string, count: number): Promise<void> {
  await createIndex(base, index, mapping, toBulk(Array.from({ length: count }, (_, i) => taggable(i))))
  const paths = { id_path: 'id', geometry_path: 'place', centroid_path: 'place', timestamp_path: 'time' }
  await putCollection(base, collection, { index_name: index, ...paths, taggable_fields: 'tags' })
}
