import { setTimeout as sleep } from 'node:timers/promises'
import { type ServerProcess, startServerProcess } from '../../test/support/server-process.ts'
import { datasets } from '../data/datasets.ts'
import { timed, writeBulk } from '../measure/timing.ts'
import { readPeriplus } from '../questions/answers.ts'
import type { DatasetName } from '../questions/question.ts'
import { bulkPath } from './bulk-path.ts'
import { directoryBytes } from './directory-size.ts'
import { type Loadable, type System, TAGGED } from './system.ts'
import { timeOf, withTime } from './time-filter.ts'

const json = { 'content-type': 'application/json' }

/** Poll interval of a running tag. */
const LOOK_MS = 50

/** Starts a Periplus server as a child process with an empty data directory; the result cache is off at first. */
export const startedPeriplus = (): Promise<System> =>
  started((cache) => (cache ? [] : ['--set', 'cache.enabled=false']))

/** Same with documents and references in a cluster, in indices of one shard; without result cache. */
export function periplusOnCluster(clusterUrl: string): Promise<System> {
  const settings = [
    'engine.kind=cluster',
    `cluster.urls=${clusterUrl}`,
    `cluster.referenceIndex=${REFERENCES}`,
    'cluster.shards=1',
    'cluster.replicas=0',
  ]
  const flags = settings.flatMap((setting) => ['--set', setting])
  return started(() => flags)
}

/** Index of the references created by `periplusOnCluster`. */
export const REFERENCES = 'bench-collections'

async function started(flagsOf: (cache: boolean) => readonly string[]): Promise<System> {
  const nodeFlags = process.execArgv
  let server = await startServerProcess({ nodeFlags, flags: flagsOf(false) })
  return {
    ...loadable(() => server),
    version: await versionOf(server.base),
    ask: async (question, draw) => {
      const { method, path, body } = withTime(question.periplus(draw), timeOf(question, draw))
      const init = body === undefined ? { method } : { method, headers: json, body: JSON.stringify(body) }
      const { ms, text } = await timed(`${server.base}${path}`, init).catch((error: unknown) => {
        throw new Error(`${error instanceof Error ? error.message : String(error)}\n${lastLines(server.output())}`)
      })
      return { ms, bytes: text.length, answer: readPeriplus(question, text) }
    },
    tag: (dataset, kind) => tag(server.base, dataset, kind),
    restart: async ({ cache } = { cache: false }) => {
      await server.stop()
      server = await startServerProcess({ nodeFlags, flags: flagsOf(cache), directory: server.directory })
    },
    diskBytes: () => directoryBytes(server.directory),
    stop: async () => {
      await server.stop()
      await server.removeData()
    },
  }
}

/** Of the log of the server, which names the cause of a failure. */
const lastLines = (output: string): string => output.split('\n').slice(-5).join('\n')

/** A server that is already running. */
export const periplusAt = ({ url, pid }: { readonly url: string; readonly pid: number }): Loadable =>
  loadable(() => ({ base: url, pid }))

function loadable(server: () => Pick<ServerProcess, 'base' | 'pid'>): Loadable {
  const send = (method: string, path: string, body?: object): Promise<unknown> =>
    timed(`${server().base}${path}`, {
      method,
      ...(body === undefined ? {} : { headers: json, body: JSON.stringify(body) }),
    })
  return {
    name: 'Periplus',
    pid: () => server().pid,
    holds: () => true,
    prepare: async (dataset) => {
      const { indices, mapping, collection, reference } = datasets[dataset]
      for (const index of indices) await send('PUT', `/index/${index}`, { mappings: mapping })
      await send('PUT', `/collections/${collection}`, reference)
    },
    write: (dataset, lines) => writeBulk(`${server().base}/index${bulkPath(dataset)}`, lines),
    refresh: async (dataset) => {
      for (const index of datasets[dataset].indices) await send('POST', `/index/${index}/_refresh`)
    },
    settlesItself: true,
    settle: async (dataset) => {
      for (const index of datasets[dataset].indices) await send('POST', `/index/${index}/_forcemerge`)
    },
  }
}

interface TagStatus {
  readonly id: string
  readonly progress: number
  readonly failed: number
}

/** Tags the documents of a kind and waits until the tag is visible to searches. */
async function tag(base: string, dataset: DatasetName, kind: string): Promise<void> {
  const { collection } = datasets[dataset]
  const filter = { f: [[{ field: 'kind', op: 'eq', value: kind }]] }
  const body = JSON.stringify({ tag: TAGGED, search: { filter } })
  const sent = await timed(`${base}/write/${collection}/_tag`, { method: 'POST', headers: json, body })
  let status: TagStatus = JSON.parse(sent.text)
  while (status.progress < 100) {
    await sleep(LOOK_MS)
    status = JSON.parse((await timed(`${base}/status/${collection}/_tag/${status.id}`, {})).text)
  }
  if (status.failed > 0) throw new Error(`${status.failed} documents of ${kind} were not tagged`)
}

async function versionOf(base: string): Promise<string> {
  const { text } = await timed(`${base}/index`, {})
  const { version }: { readonly version: { readonly periplus: string } } = JSON.parse(text)
  return version.periplus
}
