import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { FastifyInstance } from 'fastify'
import { createCollections } from '../../src/collections/collections.ts'
import { openSqliteReferenceStore } from '../../src/collections/store/sqlite-reference-store.ts'
import { loadSettings } from '../../src/config/load-settings.ts'
import { ownScheme } from '../../src/config/own-address.ts'
import { openDuckdbEngine } from '../../src/engine/duckdb/open-engine.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { buildApp } from '../../src/http/server/app.ts'
import type { Routes, Services } from '../../src/http/services.ts'

export interface Running {
  readonly app: FastifyInstance
  readonly services: Services
  readonly base: string
  readonly port: number
  /** Log lines so far. */
  readonly lines: readonly Record<string, unknown>[]
  /** Names of what was closed, in order. */
  readonly closed: readonly string[]
  stop(): Promise<void>
}

export interface FixtureOptions {
  readonly flags?: Readonly<Record<string, string>>
  /** Routes registered at the root and under the aliases. */
  readonly routes?: Routes
}

/** Starts the HTTP layer of the server on a free loopback port, with an embedded engine without indices. */
export async function startServer(options: FixtureOptions = {}): Promise<Running> {
  const lines: Record<string, unknown>[] = []
  const closed: string[] = []
  const settings = loadSettings({ flags: { 'server.port': '0', ...options.flags } })
  const engine = await openEngine(closed)
  const store = openSqliteReferenceStore(':memory:')
  const closeStore = store.close.bind(store)
  store.close = async () => {
    closed.push('store')
    await closeStore()
  }
  const now = (): number => Date.now()
  const collections = createCollections({ store, engine, settings, now })
  const services: Services = { settings, engine, collections, store, now, version: '1.2.3' }
  const routes = {
    aliased: options.routes === undefined ? [] : [{ prefixes: settings.server.aliases, routes: [options.routes] }],
    root: [],
  }
  const log = { write: (line: string): void => void lines.push(JSON.parse(line)) }
  const app = await buildApp(services, routes, { log })
  const listening = await app.listen({ host: '127.0.0.1', port: 0 })
  const base = listening.replace(/^https?/, ownScheme(settings))
  const stop = async (): Promise<void> => {
    await app.close()
    if (!closed.includes('engine')) await engine.close()
  }
  return { app, services, base, port: Number(new URL(base).port), lines, closed, stop }
}

/** Opens an engine in a temporary directory, which is removed when the engine is closed. */
async function openEngine(closed: string[]): Promise<Engine> {
  const directory = await mkdtemp(join(tmpdir(), 'periplus-http-'))
  const engine = await openDuckdbEngine({ directory, memoryMiB: 256, threads: 1, concurrency: 1 })
  const close = engine.close.bind(engine)
  engine.close = async () => {
    closed.push('engine')
    await close()
    await rm(directory, { recursive: true, force: true })
  }
  return engine
}

/** Sends raw bytes and reads until the server closes the connection. */
export async function sendRaw(port: number, request: string | Buffer): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.write(request)
  return text(socket)
}

/** The body of an error response. */
interface ErrorBody {
  readonly status: number
  readonly message: string
  readonly error: string
}

export async function errorOf(response: Response): Promise<ErrorBody> {
  return (await response.json()) as ErrorBody
}
