import type { Server as HttpServer } from 'node:http'
import { createSecureServer, type SecureServerOptions, type ServerHttp2Session } from 'node:http2'
import type { Server, Socket } from 'node:net'
import type { FastifyServerFactory } from 'fastify'
import type { Limits } from '../../../config/settings.ts'
import { earlyAnswerResponse } from '../../request/early-answer.ts'
import { notePeer } from '../../request/peer-address.ts'
import type { Certificate } from './certificate.ts'
import { checkArrival, completeHeaders } from './http2-request.ts'
import { ResettingResponse } from './http2-response.ts'

const MiB = 1024 * 1024

/** Time for the TLS handshake, and for the first request of a connection. */
const HANDSHAKE_MS = 10_000
const FIRST_REQUEST_MS = 60_000
/** Idle connections are closed after this time, as by Fastify over HTTP/1.1. */
const IDLE_MS = 72_000
/** Concurrent requests of one HTTP/2 connection. Browsers send as many as allowed, so that tiles do not wait. */
const MOST_STREAMS = 128
/** Bytes that a client may send ahead per request and per connection. The default limits uploads over long distances. */
const STREAM_WINDOW = MiB
const CONNECTION_WINDOW = 4 * MiB
const MOST_HEADERS = 2_000
/** MB of answers waiting in one connection. Above it, Node refuses further requests of the connection. */
const SESSION_MEMORY = 1_024

export interface SecureServers {
  readonly factory: FastifyServerFactory
  /** Uses another certificate for new connections. */
  readonly replace: (certificate: Certificate) => void
}

/** Creates servers of HTTPS with HTTP/2, and HTTP/1.1 for clients that do not offer it. */
export function secureServers(first: Certificate, limits: Limits): SecureServers {
  const servers: ReturnType<typeof createSecureServer>[] = []
  let certificate = first
  return {
    factory: (handler) => {
      const server = createSecureServer({ ...contextOf(certificate), ...options(limits) })
      server.on('request', (request) => {
        if (request.httpVersionMajor !== 2) return
        completeHeaders(request)
        notePeer(request, request.socket.remoteAddress)
        checkArrival(request, limits.arrivalMs)
      })
      server.addListener('request', handler)
      server.on('session', limitSession)
      servers.push(server)
      return asHttpServer(closing(server))
    },
    replace: (next) => {
      certificate = next
      for (const server of servers) server.setSecureContext(contextOf(next))
    },
  }
}

function contextOf({ cert, key, passphrase }: Certificate): Pick<SecureServerOptions, 'cert' | 'key' | 'passphrase'> {
  return { cert, key, ...(passphrase === undefined ? {} : { passphrase }) }
}

function options(limits: Limits): SecureServerOptions {
  // Larger than the limits, so that a request slightly above one gets an answer that names it.
  const headerSize = 4 * (limits.urlBytes + limits.headerBytes)
  // Options of HTTP servers that the types do not list.
  const http1 = {
    maxHeaderSize: headerSize,
    requireHostHeader: false,
    requestTimeout: limits.arrivalMs,
    headersTimeout: Math.min(FIRST_REQUEST_MS, limits.arrivalMs),
  }
  return {
    allowHTTP1: true,
    handshakeTimeout: HANDSHAKE_MS,
    maxHeaderListPairs: MOST_HEADERS,
    maxSessionMemory: SESSION_MEMORY,
    settings: {
      initialWindowSize: STREAM_WINDOW,
      maxConcurrentStreams: MOST_STREAMS,
      maxHeaderListSize: headerSize,
    },
    Http2ServerResponse: ResettingResponse,
    http1Options: {
      ...http1,
      keepAliveTimeout: IDLE_MS,
      ServerResponse: earlyAnswerResponse(limits),
    },
  }
}

/** Ends connections that are idle, or that send no request at all. */
function limitSession(session: ServerHttp2Session): void {
  session.setLocalWindowSize(CONNECTION_WINDOW)
  session.setTimeout(IDLE_MS, () => session.close())
  const timer = setTimeout(() => session.destroy(), FIRST_REQUEST_MS)
  session.once('stream', () => clearTimeout(timer))
  session.once('close', () => clearTimeout(timer))
}

/** Adds what Node has for HTTP/1.1 servers only. */
function closing<S extends Server>(server: S): S {
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  const closeAllConnections = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  return Object.assign(server, { closeAllConnections })
}

function asHttpServer(server: Server): HttpServer {
  if (!closesConnections(server)) throw new TypeError('The server cannot close its connections')
  return server
}

const closesConnections = (server: Server): server is HttpServer =>
  'closeAllConnections' in server && 'closeIdleConnections' in server
