import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import type { FastifyInstance } from 'fastify'
import { createCollections } from '../../src/collections/collections.ts'
import { openSqliteReferenceStore } from '../../src/collections/sqlite-reference-store.ts'
import { loadSettings } from '../../src/config/load-settings.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { buildApp, type Routes } from '../../src/http/app.ts'
import type { Services } from '../../src/http/services.ts'

export interface Running {
  readonly app: FastifyInstance
  readonly services: Services
  readonly base: string
  readonly port: number
  /** Log lines so far. */
  readonly lines: readonly Record<string, unknown>[]
  /** What was closed, in order. */
  readonly closed: readonly string[]
  stop(): Promise<void>
}

export interface FixtureOptions {
  readonly flags?: Readonly<Record<string, string>>
  /** Registered at the root and under the aliases. */
  readonly routes?: Routes
  readonly engine?: Partial<Engine>
}

/** The wire part of the server on a free loopback port, over an engine without indices. */
export async function startServer(options: FixtureOptions = {}): Promise<Running> {
  const lines: Record<string, unknown>[] = []
  const closed: string[] = []
  const settings = loadSettings({ flags: { 'server.port': '0', ...options.flags } })
  const engine = { ...emptyEngine(closed), ...options.engine }
  const store = openSqliteReferenceStore(':memory:')
  const closeStore = store.close.bind(store)
  store.close = async () => {
    closed.push('store')
    await closeStore()
  }
  const now = (): number => Date.now()
  const collections = createCollections({ store, engine, settings, now })
  const services: Services = { settings, engine, collections, store, now, version: '1.2.3' }
  const routes = { aliased: options.routes === undefined ? [] : [options.routes], root: [] }
  const log = { write: (line: string): void => void lines.push(JSON.parse(line)) }
  const app = await buildApp(services, routes, { log })
  const base = await app.listen({ host: '127.0.0.1', port: 0 })
  return { app, services, base, port: Number(new URL(base).port), lines, closed, stop: () => app.close() }
}

/** Sends bytes as they are and reads until the server closes the connection. */
export async function sendRaw(port: number, request: string | Buffer): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.write(request)
  return text(socket)
}

/** The body of an error answer. */
export interface ErrorBody {
  readonly status: number
  readonly message: string
  readonly error: string
}

export async function errorOf(response: Response): Promise<ErrorBody> {
  return (await response.json()) as ErrorBody
}

function emptyEngine(closed: string[]): Engine {
  const none = async (): Promise<never> => {
    throw new Error('this engine holds nothing')
  }
  return {
    name: 'empty',
    capabilities: {},
    indices: async () => [],
    search: none,
    count: none,
    scan: async function* () {},
    createIndex: none,
    dropIndex: none,
    extendMapping: none,
    write: none,
    refresh: async () => undefined,
    arrange: async () => undefined,
    health: async () => ({ ok: true, detail: 'well' }),
    close: async () => {
      closed.push('engine')
    },
  }
}
