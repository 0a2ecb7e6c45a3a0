import { isIP, type LookupFunction } from 'node:net'
import { getCACertificates } from 'node:tls'
import { LRUCache } from 'lru-cache'
import { buildConnector, type Dispatcher, Pool, ProxyAgent } from 'undici'
import type { CheckedTarget } from './egress-guard.ts'

export interface ConnectionOptions {
  readonly connectTimeoutMs: number
  /** PEM certificates of authorities trusted in addition to those of the system. */
  readonly ca?: string
  /** Forward proxy. If absent, targets are called directly: proxy variables of the environment are ignored. */
  readonly proxy?: string
}

/**
 * Number of origins whose connections are kept. The least recently used are evicted. Unused connections close after a
 * few seconds anyway.
 */
const MOST_KEPT = 500
const IDLE_MS = 4_000
const MOST_HEADER_BYTES = 16 * 1024

/**
 * Connections to checked targets. A connection belongs to an origin and its checked addresses, and is used for no
 * others (spec 4.6 rule 8).
 */
export class EgressConnections {
  readonly #options: ConnectionOptions
  readonly #tls: object
  readonly #kept = new LRUCache<string, Dispatcher>({
    max: MOST_KEPT,
    dispose: (dispatcher, _key, reason) => {
      // Waits for pending requests. Their errors go to their callers.
      if (reason === 'evict') void dispatcher.close().catch(() => undefined)
    },
  })
  readonly #proxy: ProxyAgent | undefined

  constructor(options: ConnectionOptions) {
    this.#options = options
    const { ca, proxy } = options
    this.#tls = {
      minVersion: 'TLSv1.2',
      // Set explicitly because an environment variable could disable it.
      rejectUnauthorized: true,
      ...(ca === undefined ? {} : { ca: [...getCACertificates('default'), ca] }),
    }
    this.#proxy = proxy === undefined ? undefined : this.#openProxy(proxy)
  }

  /** Returns the dispatcher for a target. Its open connections, if any, lead to the same addresses. */
  to(target: CheckedTarget): Dispatcher {
    if (this.#proxy !== undefined) return this.#proxy
    const key = `${target.url.origin} ${target.addresses.toSorted().join(' ')}`
    const dispatcher = this.#kept.get(key) ?? this.#open(target)
    this.#kept.set(key, dispatcher)
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
  // The caller enforces one deadline for the whole request.
  headersTimeout: 0,
  bodyTimeout: 0,
} as const

/** A lookup that returns the checked addresses, without another DNS query. */
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
