import type { ConnectionOptions, EgressConnections } from './egress-connections.ts'
import type { EgressGuard } from './egress-guard.ts'

export interface EgressRequest {
  readonly url: string
  readonly method: 'POST' | 'OPTIONS'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** For all of it: name, connection, answer. */
  readonly timeoutMs: number
  readonly signal?: AbortSignal
}

export interface EgressAnswer {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
}

/** Calls URLs given by others: only where the guard allows, only what is needed of the answer. */
export interface EgressClient {
  /** Rejects with EgressDenied, NameNotResolved, EgressTimeout, or the fault of the connection. */
  request(request: EgressRequest): Promise<EgressAnswer>
  close(): Promise<void>
}

/** The target took longer than it may. */
export class EgressTimeout extends Error {
  constructor() {
    super('the target took too long')
    this.name = 'EgressTimeout'
  }
}

/** Of an answer's body; it is thrown away, but reading a short one keeps the connection usable. */
const MOST_BODY_BYTES = 4 * 1024
/** How long the end of a body is waited for, once the status is known. */
const BODY_MS = 1_000

export function createEgressClient(guard: EgressGuard, options: ConnectionOptions): EgressClient {
  // Loaded with the first call: a server that nobody subscribes at starts sooner without.
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

/** A look-up cannot be called off; it is left to end by itself. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

/** Whatever becomes of the body, the status has been said. */
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
    // Cut short, of another length than announced, or slow.
  } finally {
    clearTimeout(timer)
  }
}

interface DiscardableBody extends AsyncIterable<Uint8Array> {
  destroy(): unknown
}
