import { accessSync, constants, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Settings } from '../../config/settings.ts'
import { openDuckdbEngine } from '../../engine/duckdb/open-engine.ts'
import { certificateFiles, readCertificate } from '../../http/server/secure/certificate.ts'
import type { Services } from '../../http/services.ts'
import { printBytes } from '../terminal/progress.ts'
import { closeLocalServices, openLocalServices } from './local-services.ts'
import { findServer, type ServerFile } from './server-file.ts'

export interface Finding {
  readonly ok: boolean
  /** Result of the check and, on failure, what to do. */
  readonly text: string
}

/** The first version whose `node:sqlite` waits for locks. */
const LEAST_NODE = { major: 22, minor: 16 }
const LEAST_FREE_BYTES = 1024 ** 3

/** Checks a server with these settings on this machine. Yields one finding per check. */
export async function* examine(settings: Settings): AsyncGenerator<Finding, void, undefined> {
  if (settings.engine.kind === 'cluster') yield* examineWithCluster(settings)
  else yield* examineEmbedded(settings)
}

async function* examineWithCluster(settings: Settings): AsyncGenerator<Finding, void, undefined> {
  yield checkNode()
  yield { ok: true, text: 'the settings are valid' }
  yield* checkCertificate(settings)
  yield await checkPort(settings, undefined)
  const services = await openLocalServices(settings)
  try {
    const { ok, detail } = await services.engine.health()
    yield { ok, text: ok ? `the cluster responds: ${detail}` : `the cluster is not usable: ${detail}` }
    if (ok) yield await countData(services)
  } finally {
    await closeLocalServices(services)
  }
}

async function* examineEmbedded(settings: Settings): AsyncGenerator<Finding, void, undefined> {
  const running = await findServer(settings.data.directory)
  yield checkNode()
  yield { ok: true, text: 'the settings are valid' }
  yield* checkCertificate(settings)
  yield checkDirectory(settings.data.directory)
  yield await checkSpace(settings.data.directory)
  yield await checkPort(settings, running)
  yield await checkEngine(settings)
  yield running === undefined ? await checkData(settings) : runningServer(running)
}

export function checkNode(version: string = process.versions.node): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const least = LEAST_NODE
  return major > least.major || (major === least.major && minor >= least.minor)
    ? { ok: true, text: `Node ${version}` }
    : { ok: false, text: `Node ${version} is too old: install Node ${least.major}.${least.minor} or later` }
}

function* checkCertificate({ tls }: Settings): Generator<Finding> {
  const files = certificateFiles(tls)
  if (files === undefined) return
  try {
    const { validTo } = readCertificate(files)
    const isValid = validTo.getTime() > Date.now()
    const day = validTo.toISOString().slice(0, 10)
    yield { ok: isValid, text: `the certificate ${files.certFile} ${isValid ? 'is valid until' : 'expired on'} ${day}` }
  } catch (error) {
    yield { ok: false, text: messageOf(error) }
  }
}

/** Returns the directory, or its nearest existing parent. */
function nearestExisting(directory: string): string {
  const full = path.resolve(directory)
  return existsSync(full) || path.dirname(full) === full ? full : nearestExisting(path.dirname(full))
}

function checkDirectory(directory: string): Finding {
  const nearest = nearestExisting(directory)
  try {
    accessSync(nearest, constants.W_OK)
    const state = nearest === path.resolve(directory) ? 'is writable' : 'will be created at the first start'
    return { ok: true, text: `the data directory ${path.resolve(directory)} ${state}` }
  } catch {
    return { ok: false, text: `${nearest} is not writable: change its owner, or choose another directory with --data` }
  }
}

async function checkSpace(directory: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(nearestExisting(directory))
  const free = bavail * bsize
  if (free >= LEAST_FREE_BYTES) return { ok: true, text: `${printBytes(free)} free on its disk` }
  return {
    ok: false,
    text: `only ${printBytes(free)} free on its disk: free some space, or choose another directory with --data`,
  }
}

async function checkPort({ server }: Settings, running: ServerFile | undefined): Promise<Finding> {
  const { host, port } = server
  if (running !== undefined && new URL(running.url).port === String(port)) {
    return { ok: true, text: `port ${port} is used by the running server` }
  }
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', (error: NodeJS.ErrnoException) => {
      const advice =
        error.code === 'EADDRINUSE' ? 'is in use: choose another with --port' : `cannot be used (${error.code})`
      resolve({ ok: false, text: `port ${port} of ${host} ${advice}` })
    })
    probe.listen(port, host, () => {
      probe.close(() => resolve({ ok: true, text: `port ${port} of ${host} is free` }))
    })
  })
}

/** Opens the engine in a temporary directory, to separate problems of the engine from those of the data. */
async function checkEngine({ engine: { memoryMiB, threads, concurrency } }: Settings): Promise<Finding> {
  const directory = mkdtempSync(path.join(tmpdir(), 'periplus-doctor-'))
  try {
    const engine = await openDuckdbEngine({ directory, memoryMiB, threads, concurrency })
    try {
      await engine.createIndex('doctor', { properties: { id: { type: 'keyword' } } })
      await engine.write('doctor', [{ kind: 'index', source: { id: 'a' } }])
    } finally {
      await engine.close()
    }
    return { ok: true, text: 'the embedded engine (DuckDB) works' }
  } catch (error) {
    return { ok: false, text: `the embedded engine does not work: ${messageOf(error)}; run "npm install" again` }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

async function checkData(settings: Settings): Promise<Finding> {
  if (!existsSync(settings.data.directory)) return { ok: true, text: 'there is no data yet' }
  try {
    const services = await openLocalServices(settings)
    try {
      const { ok, text } = await countData(services)
      return { ok, text: ok ? `${text}; no server is running` : text }
    } finally {
      await closeLocalServices(services)
    }
  } catch (error) {
    return { ok: false, text: `the data cannot be opened: ${messageOf(error)}` }
  }
}

async function countData({ engine, store }: Services): Promise<Finding> {
  try {
    const indices = await engine.indices('*')
    const references = await store.list()
    return { ok: true, text: `the data can be opened: ${indices.length} indices, ${references.length} collections` }
  } catch (error) {
    return { ok: false, text: `the data cannot be opened: ${messageOf(error)}` }
  }
}

const runningServer = ({ url, pid }: ServerFile): Finding => ({
  ok: true,
  text: `a server is running at ${url} (process ${pid})`,
})

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
