import type { ConnectionOptions, EgressConnections } from './egress-connections.ts'
import type { EgressGuard } from './egress-guard.ts'

interface EgressRequest {
  readonly url: string
  readonly method: 'POST' | 'OPTIONS'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** Covers the whole call: name lookup, connection and response. */
  readonly timeoutMs: number
  readonly signal?: AbortSignal
}

export interface EgressAnswer {
  readonly status: number
  /** Names are in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
}

/** HTTP client for URLs given by users. Calls only what the guard allows and discards response bodies. */
export interface EgressClient {
  /** Rejects with EgressDenied, NameNotResolved, EgressTimeout or the connection error. */
  request(request: EgressRequest): Promise<EgressAnswer>
  close(): Promise<void>
}

/** The target did not respond within the timeout. */
export class EgressTimeout extends Error {
  constructor() {
    super('the target did not respond in time')
    this.name = 'EgressTimeout'
  }
}

/** Bytes of a response body to read. The body is discarded, but reading a short one keeps the connection reusable. */
const MOST_BODY_BYTES = 4 * 1024
/** Milliseconds to wait for the end of a body once the status is known. */
const BODY_MS = 1_000

export function createEgressClient(guard: EgressGuard, options: ConnectionOptions): EgressClient {
  // Loaded with the first call, to keep the start fast for servers without subscriptions.
  let opened: Promise<EgressConnections> | undefined
  const open = (): Promise<EgressConnections> => {
    opened ??= import('./egress-connections.ts').then((module) => new module.EgressConnections(options))
    return opened
  }
  return {
    async request({ url, method, headers, body, timeoutMs, signal }) {
      const timer = new AbortController()
      const timeout = setTimeout(() => timer.abort(new EgressTimeout()), timeoutMs)
      const limited = signal === undefined ? timer.signal : AbortSignal.any([signal, timer.signal])
      try {
        const target = await unlessAborted(guard.check(url), limited)
        const connections = await open()
        const answer = await connections.to(target).request({
          origin: target.url.origin,
          path: `${target.url.pathname}${target.url.search}`,
          method,
          headers,
          ...(body === undefined ? {} : { body }),
          signal: limited,
        })
        await discard(answer.body)
        return { status: answer.statusCode, headers: answer.headers }
      } finally {
        clearTimeout(timeout)
      }
    },
    close: async () => (await opened)?.close(),
  }
}

/** A name lookup cannot be cancelled, so it is left running. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

/** Reads and drops the body. Errors are ignored because the status is already known. */
async function discard(body: DiscardableBody): Promise<void> {
  const timer = setTimeout(() => body.destroy(), BODY_MS)
  let bytes = 0
  try {
    for await (const chunk of body) {
      bytes += chunk.length
      // Leaving the loop closes the connection.
      if (bytes > MOST_BODY_BYTES) break
    }
  } catch {
    // Truncated, of a wrong length, or too slow.
  } finally {
    clearTimeout(timer)
  }
}

interface DiscardableBody extends AsyncIterable<Uint8Array> {
  destroy(): unknown
}
