import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import type { Settings } from '../../config/settings.ts'
import type { Services } from '../../http/services.ts'
import { type ServerFetch, serverFetch, type Trust } from '../serve/server-fetch.ts'
import { findServer } from '../serve/server-file.ts'
import { CliFault } from '../terminal/cli-fault.ts'
import type { Connection, Method } from './connection.ts'
import { writeOverHttp } from './write-over-http.ts'

/** No server responds at the address. */
export class ServerUnreachable extends CliFault {}

/**
 * Connects to the server at `url`, else to the server that uses the data directory, else opens the directory. A cluster
 * supports any number of servers and commands at once, so no running server is looked for.
 */
export async function connect(settings: Settings, url: string | undefined): Promise<Connection> {
  const isCluster = settings.engine.kind === 'cluster'
  if (url !== undefined) return connectToServer(url.replace(/\/+$/, ''), { caFile: settings.client.caFile }, settings)
  const running = isCluster ? undefined : await findServer(settings.data.directory)
  if (running === undefined) return connectLocally(settings)
  return connectToServer(running.url, { fingerprint: running.certificate }, settings)
}

async function connectToServer(url: string, trust: Trust, { client: { token } }: Settings): Promise<Connection> {
  const fetchAnswer = await serverFetch(url, trust)
  const credentials: Readonly<Record<string, string>> = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const reach: ServerFetch = async (path, request = {}) => {
    try {
      return await fetchAnswer(`${url}${path}`, { ...request, headers: { ...credentials, ...request.headers } })
    } catch (error) {
      if (request.signal?.aborted === true) throw error
      throw unreachable(url, error)
    }
  }
  const send = async (method: Method, path: string, body?: string, contentType = 'application/json') => {
    const given = body === undefined ? {} : { body, headers: { 'content-type': contentType } }
    const response = await reach(path, { method, ...given })
    return { status: response.status, text: await response.text() }
  }
  return {
    where: `the server at ${url}`,
    url,
    send,
    download: async (path, signal) => {
      const response = await reach(path, { signal })
      return { status: response.status, body: response.body ?? Readable.from([]) }
    },
    write: (index, documents) => writeOverHttp(send, index, documents),
    settle: async (index) => {
      await send('POST', `/index/${encodeURIComponent(index)}/_forcemerge`)
    },
    close: async () => undefined,
  }
}

function unreachable(url: string, error: unknown): ServerUnreachable {
  const cause = error instanceof Error ? error.cause : undefined
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  if (cause instanceof Error && /CERT|SIGNATURE|ISSUER/.test(code)) {
    return new ServerUnreachable(
      `The certificate of the server at ${url} is not accepted (${cause.message}): check the URL, or state the CA of the server with --ca.`,
    )
  }
  return new ServerUnreachable(`No server responds at ${url}: check the URL, or start a server with "periplus serve".`)
}

async function connectLocally(settings: Settings): Promise<Connection> {
  // no log: errors come back as answers; no authentication and no TLS: the caller has access to the data anyway
  const quiet: Settings = {
    ...settings,
    log: { ...settings.log, level: 'silent' },
    auth: { ...settings.auth, modes: ['none'] },
    tls: { checkMs: settings.tls.checkMs },
  }
  // loaded lazily: commands that talk to a running server do not need the engine
  const [{ openLocalServices, closeLocalServices }, { buildServer }] = await Promise.all([
    import('../serve/local-services.ts'),
    import('../../http/server/server.ts'),
  ])
  const services = await openLocalServices(quiet)
  return serveInProcess(services, await buildServer(services), closeLocalServices)
}

function serveInProcess(
  services: Services,
  app: FastifyInstance,
  close: (services: Services) => Promise<void>,
): Connection {
  let prepared: Promise<void> | undefined
  return {
    engine: services.engine,
    where:
      services.settings.engine.kind === 'cluster'
        ? 'the cluster'
        : `the data directory ${services.settings.data.directory}`,
    send: async (method, url, body, contentType = 'application/json') => {
      const response = await app.inject({
        method,
        url,
        ...(body === undefined ? {} : { payload: body, headers: { 'content-type': contentType } }),
      })
      return { status: response.statusCode, text: response.body }
    },
    download: async (url, signal) => {
      const response = await app.inject({ method: 'GET', url, payloadAsStream: true, signal })
      return { status: response.statusCode, body: response.stream() }
    },
    write: async (index, documents) => {
      // Changes that match subscriptions are recorded, and the next server sends the notifications.
      prepared ??= services.notifications?.prepare?.() ?? Promise.resolve()
      await prepared
      return services.engine.write(
        index,
        documents.map(({ row: _, ...document }) => ({ kind: 'index', ...document })),
      )
    },
    settle: (index) => services.engine.arrange(index),
    close: async () => {
      await app.close()
      await close(services)
    },
  }
}
