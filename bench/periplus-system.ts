import { startServerProcess } from '../test/support/server-process.ts'
import { type BulkFile, sendBatches } from './bulk-file.ts'
import { collection, mapping } from './documents.ts'
import { postAndWait, timed } from './measurement.ts'
import { peakMemoryMiB, processorMs } from './process-figures.ts'
import type { LoadResult, System } from './system.ts'

const json = { 'content-type': 'application/json' }

/** What the answers have that tells their size: buckets, Hits, a feature collection, or one hit. */
interface AnyAnswer {
  readonly elements?: readonly unknown[]
  readonly totalnb?: number
  readonly features?: readonly unknown[]
}

/** A Periplus server in a process of its own, with an empty data directory; its result cache is off at first. */
export function startedPeriplus(): Promise<System> {
  return started([], ['--set', 'cache.enabled=false'])
}

/** The same with its documents and references in a cluster, in indices of one shard; there is no result cache then. */
export function periplusOnCluster(clusterUrl: string): Promise<System> {
  const settings = [
    'engine.kind=cluster',
    `cluster.urls=${clusterUrl}`,
    `cluster.referenceIndex=${REFERENCES}`,
    'cluster.shards=1',
    'cluster.replicas=0',
  ]
  return started(
    settings.flatMap((setting) => ['--set', setting]),
    [],
  )
}

/** The index of the references that `periplusOnCluster` makes. */
export const REFERENCES = 'bench-collections'

async function started(flags: readonly string[], atFirst: readonly string[]): Promise<System> {
  const nodeFlags = process.execArgv
  let server = await startServerProcess({ nodeFlags, flags: [...flags, ...atFirst] })
  let url = server.base
  return {
    name: 'Periplus',
    stop: async () => {
      await server.stop()
      await server.removeData()
    },
    useCache: async () => {
      await server.stop()
      server = await startServerProcess({ nodeFlags, flags, directory: server.directory })
      url = server.base
    },
    peakMemoryMiB: () => peakMemoryMiB(server.pid),
    processorMs: () => processorMs(server.pid),
    load: (file, documents, parallel) => loadPeriplus({ url, pid: server.pid }, file, documents, parallel),
    ask: async (question, draw) => {
      const { method, path, body } = question.periplus(draw)
      const init = body === undefined ? { method } : { method, headers: json, body: JSON.stringify(body) }
      const { ms, text } = await timed(`${url}${path}`, init)
      const answer: AnyAnswer = JSON.parse(text)
      return { ms, bytes: text.length, size: answer.elements?.length ?? answer.totalnb ?? answer.features?.length ?? 1 }
    },
  }
}

/** Loads a server, and puts its index in order; the collection is called `bench`. */
export async function loadPeriplus(
  { url, pid }: { readonly url: string; readonly pid: number },
  file: BulkFile,
  documents: number,
  parallel: number,
): Promise<LoadResult> {
  await timed(`${url}/index/bench`, { method: 'PUT', headers: json, body: JSON.stringify({ mappings: mapping }) })
  const started = performance.now()
  await sendBatches(file, parallel, async (body) => {
    const init = { method: 'POST', headers: { 'content-type': 'application/x-ndjson' }, body: new Uint8Array(body) }
    const { text } = await timed(`${url}/index/bench/_bulk`, init)
    if (text.slice(0, 200).includes('"errors":true')) throw new Error(`_bulk refused documents: ${text.slice(0, 500)}`)
  })
  const seconds = (performance.now() - started) / 1000
  const settling = performance.now()
  await postAndWait(`${url}/index/bench/_forcemerge`)
  const settleSeconds = (performance.now() - settling) / 1000
  await timed(`${url}/collections/bench`, { method: 'PUT', headers: json, body: JSON.stringify(collection) })
  const peak = await peakMemoryMiB(pid)
  return {
    seconds,
    documentsPerSecond: documents / seconds,
    settleSeconds,
    ...(peak === undefined ? {} : { peakMemoryMiB: peak }),
  }
}
