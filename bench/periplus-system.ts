import { startServerProcess } from '../test/support/server-process.ts'
import { collection, mapping } from './documents.ts'
import { timed, writeBulk } from './measurement.ts'
import type { Loadable, System } from './system.ts'

const json = { 'content-type': 'application/json' }

/** Members that give the size of an answer: buckets, hits, a feature collection, or one hit. */
interface AnyAnswer {
  readonly elements?: readonly unknown[]
  readonly totalnb?: number
  readonly features?: readonly unknown[]
}

/** Starts a Periplus server as a child process with an empty data directory; the result cache is off at first. */
export function startedPeriplus(): Promise<System> {
  return started([], ['--set', 'cache.enabled=false'])
}

/** Same with documents and references in a cluster, in indices of one shard; without result cache. */
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

/** Index of the references created by `periplusOnCluster`. */
export const REFERENCES = 'bench-collections'

async function started(flags: readonly string[], atFirst: readonly string[]): Promise<System> {
  const nodeFlags = process.execArgv
  let server = await startServerProcess({ nodeFlags, flags: [...flags, ...atFirst] })
  let url = server.base
  return {
    ...periplusAt({ url, pid: server.pid }),
    pid: () => server.pid,
    stop: async () => {
      await server.stop()
      await server.removeData()
    },
    useCache: async () => {
      await server.stop()
      server = await startServerProcess({ nodeFlags, flags, directory: server.directory })
      url = server.base
    },
    ask: async (question, draw) => {
      const { method, path, body } = question.periplus(draw)
      const init = body === undefined ? { method } : { method, headers: json, body: JSON.stringify(body) }
      const { ms, text } = await timed(`${url}${path}`, init)
      const answer: AnyAnswer = JSON.parse(text)
      return { ms, bytes: text.length, size: answer.elements?.length ?? answer.totalnb ?? answer.features?.length ?? 1 }
    },
  }
}

/** A server that is already running; its collection is `bench`. */
export function periplusAt({ url, pid }: { readonly url: string; readonly pid: number }): Loadable {
  return {
    name: 'Periplus',
    pid: () => pid,
    prepare: async () => {
      await timed(`${url}/index/bench`, { method: 'PUT', headers: json, body: JSON.stringify({ mappings: mapping }) })
    },
    write: (lines) => writeBulk(`${url}/index/bench/_bulk`, lines),
    settle: async () => {
      await timed(`${url}/index/bench/_forcemerge`, { method: 'POST' })
      await timed(`${url}/collections/bench`, { method: 'PUT', headers: json, body: JSON.stringify(collection) })
    },
  }
}
