import {
  ClusterConnectionPool,
  type ConnectionOptions,
  errors,
  Serializer,
  Transport,
  type TransportResult,
} from '@elastic/transport'
import { callDeadline } from './call-deadline.ts'
import { CancellableConnection } from './cancellable-connection.ts'
import { type ClusterCall, type ClusterClient, ClusterFailure, ClusterRefusal } from './cluster-client.ts'
import { isNodeLoss, readRefusal } from './refusal.ts'
import { parseWire, printWire } from './wire-json.ts'

export interface TransportOptions {
  /** URLs of the nodes or of their load balancer; may contain credentials. */
  readonly urls: readonly string[]
  readonly username?: string
  readonly password?: string
  /** API key as printed by the cluster, or `Bearer` and a token. */
  readonly apiKey?: string
  readonly tls?: TlsOptions
  /** Maximum number of connections per node; further calls are queued. */
  readonly connections?: number
  /** True to compress large bodies with gzip, in both directions. */
  readonly compress?: boolean
  /** Upper bound for the duration of a call, regardless of its signal. */
  readonly timeoutMs?: number
  readonly userAgent?: string
}

/** Contents of PEM files. */
export interface TlsOptions {
  readonly ca?: string
  readonly cert?: string
  readonly key?: string
}

const CONNECTIONS = 64
const TIMEOUT_MS = 60_000
const CONNECT_MS = 5_000
/**
 * Shorter than the idle timeouts of load balancers and firewalls, so that none closes a connection that is about to be
 * used.
 */
const IDLE_MS = 30_000
/** Bytes. Smaller bodies are not compressed. */
const COMPRESS_FROM = 8 * 1024
const AWAY = [502, 503, 504]
/** Errors that another node would return too, after the same work. */
const SAME_ELSEWHERE = new Set(['too_many_buckets_exception', 'circuit_breaking_exception'])

/**
 * Opens an HTTP client. Certificates are always verified. The nodes are those in the options; there is no discovery.
 */
export function openTransportClient(options: TransportOptions): ClusterClient {
  return new TransportClient(options)
}

class TransportClient implements ClusterClient {
  readonly #transport: Transport
  readonly #nodes: number
  readonly #timeoutMs: number
  readonly #compress: boolean
  readonly #closing = new AbortController()

  constructor(options: TransportOptions) {
    const pool = new ClusterConnectionPool({ Connection: CancellableConnection })
    const nodes = new Map(
      options.urls.map((url) => connectionOptions(url, options)).map((node) => [node.url.href, node]),
    )
    pool.addConnection([...nodes.values()])
    this.#compress = options.compress ?? false
    this.#transport = new Transport({
      connectionPool: pool,
      serializer: new WireSerializer(),
      enableMetaHeader: false,
      openTelemetry: { enabled: false },
      maxRetries: 0,
      headers: {
        'user-agent': options.userAgent ?? 'periplus',
        ...(this.#compress ? { 'accept-encoding': 'gzip,deflate' } : {}),
      },
    })
    this.#nodes = nodes.size
    this.#timeoutMs = options.timeoutMs ?? TIMEOUT_MS
  }

  async send<T>(call: ClusterCall): Promise<T> {
    call.signal?.throwIfAborted()
    if (this.#closing.signal.aborted) throw new ClusterFailure('unreachable', 'the client is closed')
    const deadline = callDeadline(this.#timeoutMs, [call.signal, this.#closing.signal])
    try {
      return (await this.#ask(call, deadline.signal)) as T
    } catch (error) {
      call.signal?.throwIfAborted()
      if (deadline.isOver) throw new ClusterFailure('timeout', `no response within ${this.#timeoutMs} ms`)
      throw error
    } finally {
      deadline.clear()
    }
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await this.#transport.connectionPool.empty()
  }

  /** Tries one node after the other as long as a retry may help. Repeatable calls get one extra attempt. */
  async #ask(call: ClusterCall, signal: AbortSignal): Promise<unknown> {
    const repeatable = call.repeatable ?? (call.method === 'GET' || call.method === 'HEAD')
    const attempts = repeatable ? this.#nodes + 1 : this.#nodes
    for (let attempt = 1; ; attempt++) {
      try {
        return readAnswer(call, await this.#request(call, signal))
      } catch (error) {
        const again = isAway(error) ? repeatable : error instanceof Unsent || (repeatable && error instanceof Broken)
        if (!again || attempt >= attempts || signal.aborted) throw error instanceof Failed ? error.failure : error
      }
    }
  }

  async #request({ method, path, query, body }: ClusterCall, signal: AbortSignal): Promise<TransportResult> {
    const text = body === undefined || typeof body === 'string' ? body : printWire(body)
    const params = {
      method,
      path,
      ...(query === undefined ? {} : { querystring: query }),
      ...(text === undefined ? {} : typeof body === 'string' ? { bulkBody: text } : { body: text }),
    }
    const compression = this.#compress && (text?.length ?? 0) >= COMPRESS_FROM
    const headers = text === undefined || typeof body === 'string' ? {} : { 'content-type': 'application/json' }
    try {
      return await this.#transport.request(params, { meta: true, ignore: AWAY, signal, compression, headers })
    } catch (error) {
      throw readFault(error)
    }
  }
}

function connectionOptions(text: string, options: TransportOptions): ConnectionOptions {
  const { url, credentials } = readNodeAddress(text)
  const { username, password, apiKey, tls } = options
  const own = username === undefined ? credentials : { username, password: password ?? '' }
  const bearer = apiKey === undefined ? undefined : /^Bearer\s+(.+)$/i.exec(apiKey)?.[1]
  const auth = apiKey === undefined ? own : bearer === undefined ? { apiKey } : { bearer }
  return {
    url,
    tls: { ...tls, rejectUnauthorized: true, timeout: CONNECT_MS },
    agent: {
      connections: options.connections ?? CONNECTIONS,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: IDLE_MS,
    },
    ...(auth === undefined ? {} : { auth }),
  }
}

function readAnswer(call: ClusterCall, { statusCode, body }: TransportResult): unknown {
  if (statusCode >= 400 && !(call.method === 'HEAD' && statusCode === 404)) throw readRefusal(statusCode, body)
  if (typeof body === 'string') {
    throw new ClusterFailure('unreadable', `a response with status ${statusCode} that is not JSON`)
  }
  return body
}

const isAway = (error: unknown): boolean =>
  error instanceof ClusterRefusal &&
  (isNodeLoss(error) || (AWAY.includes(error.status) && !SAME_ELSEWHERE.has(error.type)))

/** A call without a response, with the failure reported to the caller. */
abstract class Failed extends Error {
  readonly failure: ClusterFailure

  constructor(failure: ClusterFailure) {
    super(failure.message)
    this.failure = failure
  }
}

/** No connection could be made: the node has not received the call. */
class Unsent extends Failed {}

/** The connection broke: the call may have arrived. */
class Broken extends Failed {}

const UNSENT = /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|Connect Timeout/
const CERTIFICATE = /certificate|self[- ]signed|altnames|SSL routines|wrong version number/i

/** Converts an error thrown by the transport. The transport keeps only the message of a system error, not its code. */
function readFault(error: unknown): unknown {
  if (error instanceof errors.ResponseError) return readRefusal(error.statusCode ?? 0, error.body)
  if (error instanceof errors.DeserializationError) return new ClusterFailure('unreadable', error.message)
  if (error instanceof errors.RequestAbortedError) return new ClusterFailure('unreadable', error.message)
  if (error instanceof errors.ElasticsearchClientError) {
    const { message } = error
    if (CERTIFICATE.test(message)) return new ClusterFailure('certificate', message)
    const failure = new ClusterFailure('unreachable', message)
    return UNSENT.test(message) ? new Unsent(failure) : new Broken(failure)
  }
  return error
}

class WireSerializer extends Serializer {
  /** `T` is asserted by the caller of `send`. Checking responses here would cost time for each document. */
  override deserialize<T>(json: string): T {
    try {
      return parseWire(json) as T
    } catch {
      throw new errors.DeserializationError('a response that is not JSON', '')
    }
  }
}

/** Address of a node, and the credentials contained in its URL. */
interface NodeAddress {
  /** Without credentials. */
  readonly url: URL
  readonly credentials?: { readonly username: string; readonly password: string }
}

/** Removes the credentials from a URL, so that no message can reveal them. */
function readNodeAddress(text: string): NodeAddress {
  const url = new URL(text)
  const { username, password } = url
  url.username = ''
  url.password = ''
  if (username === '' && password === '') return { url }
  return { url, credentials: { username: decodeURIComponent(username), password: decodeURIComponent(password) } }
}
