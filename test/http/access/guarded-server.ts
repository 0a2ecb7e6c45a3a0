import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { type ApiKeyRecord, createApiKey } from '../../../src/access/keys/api-key.ts'
import { changeKeyFile, keyFileOf } from '../../../src/access/keys/api-key-file.ts'
import { closeLocalServices, openLocalServices } from '../../../src/cli/serve/local-services.ts'
import { loadSettings } from '../../../src/config/load-settings.ts'
import { routesOf } from '../../../src/http/allowed-methods.ts'
import { stopServer } from '../../../src/http/health/stop-server.ts'
import { routePrefixes } from '../../../src/http/route-prefixes.ts'
import { buildServer } from '../../../src/http/server/server.ts'
import type { ClusterSpace } from '../../support/cluster-space.ts'
import { type Answer, type Call, call } from '../../support/http-client.ts'

interface KeyRights {
  readonly user?: string
  readonly roles?: readonly string[]
  readonly permissions?: readonly string[]
  readonly organisations?: readonly string[]
  readonly expires?: string
}

export interface GuardedServer {
  readonly base: string
  /** `METHOD /path`, without aliases, HEAD and OPTIONS. */
  readonly routes: readonly string[]
  /** Log lines so far. */
  readonly lines: readonly Readonly<Record<string, unknown>>[]
  /** Starts the execution of tag requests, which wait until then. */
  carryOut(): void
  /** Starts matching events and delivering notifications. */
  notify(): void
  /** Sets the clock of the server ahead by milliseconds. */
  advance(ms: number): void
  /** Creates an API key: `<id>.<secret>`. */
  addKey(rights: KeyRights): string
  revokeKey(id: string): void
  /** Changes the rights of a key; undefined removes a right. Returns a function that restores them. */
  changeKey(id: string, changes: { readonly [right in keyof KeyRights]?: KeyRights[right] | undefined }): () => void
  ask(path: string, headers?: Readonly<Record<string, string>>, more?: Partial<Call>): Promise<Answer>
  stop(): Promise<void>
}

/**
 * Starts a complete server in this process, with settings of the test and an adjustable clock; on the embedded engine
 * unless a cluster space is given.
 */
export async function startGuardedServer(
  settings: Readonly<Record<string, string>>,
  clock: () => number = Date.now,
  space?: ClusterSpace,
): Promise<GuardedServer> {
  const directory = await mkdtemp(join(tmpdir(), 'periplus-guarded-'))
  const flags = {
    'data.directory': directory,
    'server.port': '0',
    'log.level': 'info',
    ...space?.settings,
    ...settings,
  }
  const loaded = loadSettings({ flags, cwd: directory })
  let ahead = 0
  const services = { ...(await openLocalServices(loaded, space?.hooks)), now: () => clock() + ahead }
  await services.notifications?.prepare?.()
  const lines: Record<string, unknown>[] = []
  const log = { write: (line: string): void => void lines.push(JSON.parse(line)) }
  const app = await buildServer(services, { log }).catch(async (error: unknown) => {
    await closeLocalServices(services)
    await rm(directory, { recursive: true, force: true })
    throw error
  })
  const base = await app.listen({ host: '127.0.0.1', port: 0 })
  const file = keyFileOf(loaded)
  return {
    base,
    routes: ownRoutes(app, routePrefixes(loaded)),
    lines,
    carryOut: () => services.tagging?.start(),
    notify: () => services.notifications?.start(),
    advance: (ms) => {
      ahead += ms
    },
    addKey: ({ user = 'someone', roles = [], permissions = [], organisations, expires }) => {
      const { record, key } = createApiKey({
        user,
        roles: [...roles],
        permissions: [...permissions],
        created: new Date().toISOString(),
        ...(organisations === undefined ? {} : { organisations: [...organisations] }),
        ...(expires === undefined ? {} : { expires }),
      })
      changeKeyFile(file, (keys) => [...keys, record])
      return key
    },
    changeKey: (id, changes) => {
      let before: readonly ApiKeyRecord[] = []
      changeKeyFile(file, (keys) => {
        before = keys
        return keys.map((key) => (key.id === id ? JSON.parse(JSON.stringify({ ...key, ...changes })) : key))
      })
      const found = before.find((key) => key.id === id)
      if (found === undefined) throw new Error(`key ${id} does not exist`)
      return () => changeKeyFile(file, (keys) => [...keys.filter((key) => key.id !== id), found])
    },
    revokeKey: (id) => changeKeyFile(file, (keys) => keys.filter((key) => key.id !== id)),
    ask: (path, headers = {}, more = {}) => call(base, { path, headers, ...more }),
    stop: async () => {
      await stopServer(app, services)
      await space?.remove()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

function ownRoutes(app: FastifyInstance, aliases: readonly string[]): readonly string[] {
  const isAlias = (path: string): boolean => aliases.some((alias) => path.startsWith(`${alias}/`))
  return [...routesOf(app)]
    .filter(([path]) => path !== '*' && !isAlias(path))
    .flatMap(([path, methods]) =>
      ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].flatMap((method) => (methods.has(method) ? `${method} ${path}` : [])),
    )
    .sort()
}

/**
 * Creates an index with three documents and two collections: `open` is public, `shut` belongs to the organisation foo.
 */
export async function loadTwoCollections(server: GuardedServer, headers: Readonly<Record<string, string>> = {}) {
  const properties = {
    id: { type: 'keyword' },
    time: { type: 'date' },
    place: { type: 'geo_point' },
    kind: { type: 'keyword' },
    secret: { type: 'keyword' },
  }
  const must = async (method: string, path: string, body: unknown, more: Readonly<Record<string, string>> = {}) => {
    const answer = await server.ask(path, { ...headers, ...more }, { method, body })
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`)
  }
  await must('PUT', '/index/things', { mappings: { properties } })
  const documents = ['a', 'b', 'c'].map((kind, i) => ({ id: kind, time: i, place: `${i},${i}`, kind, secret: `s${i}` }))
  const lines = documents.flatMap((document) => ['{"index":{}}', JSON.stringify(document)])
  await must('POST', '/index/things/_bulk?refresh=true', `${lines.join('\n')}\n`, {
    'content-type': 'application/x-ndjson',
  })
  const paths = {
    index_name: 'things',
    id_path: 'id',
    geometry_path: 'place',
    centroid_path: 'place',
    timestamp_path: 'time',
  }
  const organisations = { owner: 'foo', shared: ['bar'] }
  await must('PUT', '/collections/open', { ...paths, organisations: { ...organisations, public: true } })
  await must('PUT', '/collections/shut', { ...paths, organisations })
}
