import { isIP, type LookupFunction } from 'node:net'
import { getCACertificates } from 'node:tls'
import { buildConnector, type Dispatcher, Pool, ProxyAgent } from 'undici'
import type { CheckedTarget } from './egress-guard.ts'

export interface ConnectionOptions {
  readonly connectTimeoutMs: number
  /** Certificates of authorities, PEM, that count beside those the system knows. */
  readonly ca?: string
  /** A forward proxy; without it targets are called directly, whatever the environment says. */
  readonly proxy?: string
}

/** Names called lately whose connections are kept; one that is not called loses its idle ones within seconds anyway. */
const MOST_KEPT = 500
const IDLE_MS = 4_000
const MOST_HEADER_BYTES = 16 * 1024

/**
 * Connections to checked targets. A connection belongs to a name and the addresses that were checked for it, and is used
 * for no others (spec 4.6 rule 8).
 */
export class EgressConnections {
  readonly #options: ConnectionOptions
  readonly #tls: object
  readonly #kept = new Map<string, Dispatcher>()
  readonly #proxy: ProxyAgent | undefined

  constructor(options: ConnectionOptions) {
    this.#options = options
    const { ca, proxy } = options
    this.#tls = {
      minVersion: 'TLSv1.2',
      // Said outright: the environment could switch it off.
      rejectUnauthorized: true,
      ...(ca === undefined ? {} : { ca: [...getCACertificates('default'), ca] }),
    }
    this.#proxy = proxy === undefined ? undefined : this.#openProxy(proxy)
  }

  /** What carries requests to this target; it has made no connection yet, or one to the same addresses. */
  to(target: CheckedTarget): Dispatcher {
    if (this.#proxy !== undefined) return this.#proxy
    const key = `${target.url.origin} ${target.addresses.toSorted().join(' ')}`
    const dispatcher = this.#kept.get(key) ?? this.#open(target)
    // The one used last is the last to go.
    this.#kept.delete(key)
    this.#kept.set(key, dispatcher)
    for (const [oldest, other] of this.#kept) {
      if (this.#kept.size <= MOST_KEPT) break
      this.#kept.delete(oldest)
      // Requests under way end first; what fails is told to whoever made them.
      void other.close().catch(() => undefined)
    }
    return dispatcher
  }

  async close(): Promise<void> {
    const all = [...this.#kept.values(), ...(this.#proxy === undefined ? [] : [this.#proxy])]
    this.#kept.clear()
    await Promise.all(all.map((dispatcher) => dispatcher.destroy()))
  }

  #open({ url, host, addresses }: CheckedTarget): Dispatcher {
    const connect = buildConnector({
      ...this.#tls,
      ...(isIP(host) === 0 ? { servername: host } : {}),
      allowH2: false,
      timeout: this.#options.connectTimeoutMs,
      autoSelectFamily: true,
      lookup: checkedLookup(addresses),
    })
    return new Pool(url.origin, { connect, ...LIMITS })
  }

  #openProxy(uri: string): ProxyAgent {
    const { connectTimeoutMs } = this.#options
    const tls = { ...this.#tls, timeout: connectTimeoutMs }
    return new ProxyAgent({ uri, requestTls: tls, proxyTls: tls, connectTimeout: connectTimeoutMs, ...LIMITS })
  }
}

const LIMITS = {
  allowH2: false,
  pipelining: 1,
  keepAliveTimeout: IDLE_MS,
  keepAliveMaxTimeout: IDLE_MS,
  maxHeaderSize: MOST_HEADER_BYTES,
  // One deadline for all of it, kept by whoever asks.
  headersTimeout: 0,
  bodyTimeout: 0,
} as const

/** Answers what was checked, without asking anybody again. */
function checkedLookup(addresses: readonly string[]): LookupFunction {
  const answer = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_name, options, callback) => {
    const fitting = answer.filter(({ family }) => !options.family || options.family === family)
    const [first] = fitting
    if (options.all === true) callback(null, fitting)
    else if (first === undefined) callback(Object.assign(new Error('no address'), { code: 'ENOTFOUND' }), '')
    else callback(null, first.address, first.family)
  }
}
