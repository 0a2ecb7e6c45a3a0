import { startOpensearch } from '../scripts/opensearch-node.ts'
import { sendBatches } from './bulk-file.ts'
import { mapping } from './documents.ts'
import { timed } from './measurement.ts'
import { peakMemoryMiB } from './process-figures.ts'
import type { System } from './system.ts'

const json = { 'content-type': 'application/json' }

interface SearchAnswer {
  readonly aggregations?: { readonly a: { readonly buckets?: readonly unknown[] } }
  readonly hits: { readonly total?: { readonly value: number }; readonly hits: readonly unknown[] }
}

/** A node that runs already. */
export function opensearchAt(url: string): System {
  return system(url, undefined, async () => undefined)
}

/** A node of our own. */
export async function startedOpensearch(): Promise<System> {
  const node = await startOpensearch()
  return system(node.url, node.pid, node.stop)
}

function system(url: string, pid: number | undefined, stop: () => Promise<void>): System {
  const memory = async (): Promise<number | undefined> => (pid === undefined ? undefined : peakMemoryMiB(pid))
  return {
    name: 'OpenSearch',
    stop,
    peakMemoryMiB: memory,
    load: async (file, documents, parallel) => {
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
      // It counts the buckets of terms it will cut.
      await timed(`${url}/_cluster/settings`, {
        method: 'PUT',
        headers: json,
        body: JSON.stringify({ persistent: { 'search.max_buckets': 1_000_000 } }),
      })
      const started = performance.now()
      await sendBatches(file, parallel, async (body) => {
        const init = { method: 'POST', headers: { 'content-type': 'application/x-ndjson' }, body: new Uint8Array(body) }
        const { text } = await timed(`${url}/bench/_bulk`, init)
        if (text.slice(0, 200).includes('"errors":true'))
          throw new Error(`_bulk refused documents: ${text.slice(0, 500)}`)
      })
      const seconds = (performance.now() - started) / 1000
      const settling = performance.now()
      await timed(`${url}/bench/_refresh`, { method: 'POST' })
      await timed(`${url}/bench/_forcemerge?max_num_segments=1`, { method: 'POST' })
      const peak = await memory()
      return {
        seconds,
        documentsPerSecond: documents / seconds,
        settleSeconds: (performance.now() - settling) / 1000,
        ...(peak === undefined ? {} : { peakMemoryMiB: peak }),
      }
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
