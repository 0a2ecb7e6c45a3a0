import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startOpensearch } from '../../scripts/cluster/opensearch-node.ts'
import { datasets } from '../data/datasets.ts'
import { timed, writeBulk } from '../measure/timing.ts'
import { readOpensearch } from '../questions/answers.ts'
import type { DatasetName } from '../questions/question.ts'
import { bulkPath } from './bulk-path.ts'
import { type System, TAGGED } from './system.ts'
import { timeOf, withTimeBody } from './time-filter.ts'

const json = { 'content-type': 'application/json' }

const INDEX_SETTINGS = {
  number_of_shards: 1,
  number_of_replicas: 0,
  refresh_interval: '-1',
  'queries.cache.enabled': false,
  'requests.cache.enable': false,
}

/** OpenSearch also counts the buckets of terms that it drops later. */
const CLUSTER_SETTINGS = { persistent: { 'search.max_buckets': 1_000_000 } }

/** A node that is already running. */
export const opensearchAt = (url: string): Promise<System> =>
  system(() => ({ url, pid: undefined }), { stop: async () => undefined })

/** A node started by this process, with a data directory that is kept over restarts. */
export async function startedOpensearch(say?: (line: string) => void): Promise<System> {
  const data = await mkdtemp(join(tmpdir(), 'periplus-opensearch-'))
  const start = () => startOpensearch({ data, ...(say === undefined ? {} : { say }) })
  const removeData = () => rm(data, { recursive: true, force: true })
  let node = await start().catch(async (error: unknown) => {
    await removeData()
    throw error
  })
  return system(() => node, {
    stop: async () => {
      await node.stop()
      await removeData()
    },
    restart: async () => {
      await node.stop()
      // It has opened its indices when this returns.
      node = await start()
    },
  })
}

async function system(
  node: () => { readonly url: string; readonly pid: number | undefined },
  life: Pick<System, 'stop' | 'restart'>,
): Promise<System> {
  const send = (method: string, path: string, body?: object): Promise<{ readonly ms: number; readonly text: string }> =>
    timed(`${node().url}${path}`, {
      method,
      ...(body === undefined ? {} : { headers: json, body: JSON.stringify(body) }),
    })
  const prepared = new Set<DatasetName>()
  const all = (dataset: DatasetName): string => datasets[dataset].indices.join(',')
  const { version }: { readonly version: { readonly number: string } } = JSON.parse((await send('GET', '/')).text)
  return {
    ...life,
    name: 'OpenSearch',
    version: version.number,
    pid: () => node().pid,
    holds: () => true,
    prepare: async (dataset) => {
      await send('PUT', '/_cluster/settings', CLUSTER_SETTINGS)
      await send('DELETE', `/${all(dataset)}?ignore_unavailable=true`)
      const { indices, mapping } = datasets[dataset]
      for (const index of indices) await send('PUT', `/${index}`, { settings: INDEX_SETTINGS, mappings: mapping })
      prepared.add(dataset)
    },
    write: (dataset, lines) => writeBulk(`${node().url}${bulkPath(dataset)}`, lines),
    refresh: async (dataset) => void (await send('POST', `/${all(dataset)}/_refresh`)),
    settle: async (dataset) => {
      await send('POST', `/${all(dataset)}/_forcemerge?max_num_segments=1`)
      // Searches go on with the old segments until a refresh.
      await send('POST', `/${all(dataset)}/_refresh`)
      // From now on, documents that arrive are found within a second.
      await send('PUT', `/${all(dataset)}/_settings`, { refresh_interval: '1s' })
    },
    tag: async (dataset, kind) => {
      const script = { source: `ctx._source.${TAGGED.path} = params.value`, params: { value: [TAGGED.value] } }
      await send('POST', `/${all(dataset)}/_update_by_query?refresh=true`, { query: { term: { kind } }, script })
    },
    ask: async (question, draw) => {
      const asked = question.opensearch?.(draw)
      if (asked === undefined) return undefined
      const body = withTimeBody(asked, timeOf(question, draw))
      const { index_name } = datasets[question.dataset ?? 'points'].reference
      const { ms, text } = await send('POST', `/${index_name}/_search?request_cache=false`, body)
      return { ms, bytes: text.length, answer: readOpensearch(question, text) }
    },
    diskBytes: async () => {
      if (prepared.size === 0) return 0
      const { text } = await send('GET', `/${[...prepared].map(all).join(',')}/_stats/store`)
      const stats: StoreStats = JSON.parse(text)
      return stats._all.primaries.store.size_in_bytes
    },
  }
}

interface StoreStats {
  readonly _all: { readonly primaries: { readonly store: { readonly size_in_bytes: number } } }
}
