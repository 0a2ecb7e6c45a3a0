import { LRUCache } from 'lru-cache'
import { decodeImage, type Pixels } from '../../formats/tile/mosaic.ts'

interface UpstreamOptions {
  readonly hosts: readonly string[]
  readonly timeoutMs: number
  readonly maxBytes: number
  /** Least recently used images are evicted beyond it. 0: no cache. */
  readonly cacheBytes: number
}

const MOST_REDIRECTS = 3
/** Milliseconds. Imagery rarely changes; one minute covers the tiles of one map movement. */
const KEEP_MS = 60_000

/** Fetches images from allowed hosts only and caches some of them. */
export class UpstreamImages {
  readonly #options: UpstreamOptions
  readonly #kept: LRUCache<string, Uint8Array> | undefined

  constructor(options: UpstreamOptions) {
    this.#options = options
    const { cacheBytes } = options
    if (cacheBytes === 0) return
    this.#kept = new LRUCache({ maxSize: cacheBytes, sizeCalculation: ({ length }) => length, ttl: KEEP_MS })
  }

  /** Rejects if no image is available for any reason: host, connection, time, status, size, format. */
  async fetch(address: string, signal: AbortSignal): Promise<Pixels> {
    signal.throwIfAborted()
    const kept = this.#kept?.get(address)
    if (kept !== undefined) return decodeImage(kept)
    const bytes = await this.#load(address, signal)
    const pixels = await decodeImage(bytes)
    this.#kept?.set(address, bytes)
    return pixels
  }

  async #load(address: string, signal: AbortSignal): Promise<Uint8Array> {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(this.#options.timeoutMs)])
    let url = new URL(address)
    for (let redirects = 0; ; redirects++) {
      if (!isAllowedUrl(url, this.#options.hosts)) throw new Error('the host is not in tiles.upstreamHosts')
      const response = await fetch(url, { redirect: 'manual', signal: limited, credentials: 'omit' })
      const location = response.headers.get('location')
      if (response.status >= 300 && response.status < 400 && location !== null) {
        await response.body?.cancel()
        if (redirects === MOST_REDIRECTS) throw new Error('too many redirects')
        url = new URL(location, url)
        continue
      }
      if (response.status !== 200) {
        await response.body?.cancel()
        throw new Error(`status ${response.status}`)
      }
      return readBounded(response, this.#options.maxBytes)
    }
  }
}

async function readBounded(response: Response, most: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body ?? []) {
    length += chunk.length
    if (length > most) throw new Error('the image is larger than tiles.upstreamMaxBytes')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/**
 * True for an absolute http or https URL without credentials whose host is listed, as `host` (any port) or `host:port`.
 */
function isAllowedUrl(url: URL, allowed: readonly string[]): boolean {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return false
  if (url.username !== '' || url.password !== '') return false
  const port = url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port
  const host = url.hostname.toLowerCase()
  return allowed.some((entry) => {
    const wanted = entry.trim().toLowerCase()
    return wanted === host || wanted === `${host}:${port}`
  })
}
