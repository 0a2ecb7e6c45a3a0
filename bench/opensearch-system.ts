import { startOpensearch } from '../scripts/opensearch-node.ts'
import { mapping } from './documents.ts'
import { timed, writeBulk } from './measurement.ts'
import type { System } from './system.ts'

const json = { 'content-type': 'application/json' }

interface SearchAnswer {
  readonly aggregations?: { readonly a: { readonly buckets?: readonly unknown[] } }
  readonly hits: { readonly total?: { readonly value: number }; readonly hits: readonly unknown[] }
}

/** A node that is already running. */
export function opensearchAt(url: string): System {
  return system(url, undefined, async () => undefined)
}

/** A node started by this process. */
export async function startedOpensearch(): Promise<System> {
  const node = await startOpensearch()
  return system(node.url, node.pid, node.stop)
}

function system(url: string, pid: number | undefined, stop: () => Promise<void>): System {
  return {
    name: 'OpenSearch',
    stop,
    pid: () => pid,
    prepare: async () => {
      await fetch(`${url}/bench`, { method: 'DELETE' })
      const settings = {
        number_of_shards: 1,
        number_of_replicas: 0,
        refresh_interval: '-1',
        'queries.cache.enabled': false,
        'requests.cache.enable': false,
      }
      await timed(`${url}/bench`, {
        method: 'PUT',
        headers: json,
        body: JSON.stringify({ settings, mappings: mapping }),
      })
      // OpenSearch also counts the buckets of terms that it drops later.
      await timed(`${url}/_cluster/settings`, {
        method: 'PUT',
        headers: json,
        body: JSON.stringify({ persistent: { 'search.max_buckets': 1_000_000 } }),
      })
    },
    write: (lines) => writeBulk(`${url}/bench/_bulk`, lines),
    settle: async () => {
      await timed(`${url}/bench/_refresh`, { method: 'POST' })
      await timed(`${url}/bench/_forcemerge?max_num_segments=1`, { method: 'POST' })
    },
    ask: async (question, draw) => {
      const body = JSON.stringify(question.opensearch(draw))
      const path = '/bench/_search?request_cache=false'
      const { ms, text } = await timed(`${url}${path}`, { method: 'POST', headers: json, body })
      const { hits, aggregations }: SearchAnswer = JSON.parse(text)
      return { ms, bytes: text.length, size: aggregations?.a.buckets?.length ?? hits.total?.value ?? hits.hits.length }
    },
  }
}
