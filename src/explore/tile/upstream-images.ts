import { decodeImage, type Pixels } from '../../formats/tile/mosaic.ts'

interface UpstreamOptions {
  readonly hosts: readonly string[]
  readonly timeoutMs: number
  readonly maxBytes: number
  readonly cacheBytes: number
}

const MOST_REDIRECTS = 3
/** Milliseconds. Imagery rarely changes; one minute covers the tiles of one map movement. */
const KEEP_MS = 60_000

interface Kept {
  readonly bytes: Uint8Array
  readonly until: number
}

/** Fetches images from allowed hosts only and caches some of them. */
export class UpstreamImages {
  readonly #options: UpstreamOptions
  readonly #kept = new Map<string, Kept>()
  #bytes = 0

  constructor(options: UpstreamOptions) {
    this.#options = options
  }

  /** Rejects if no image is available for any reason: host, connection, time, status, size, format. */
  async fetch(address: string, signal: AbortSignal): Promise<Pixels> {
    signal.throwIfAborted()
    const bytes = this.#find(address) ?? (await this.#load(address, signal))
    const pixels = await decodeImage(bytes)
    this.#keep(address, bytes)
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

  #find(address: string): Uint8Array | undefined {
    const kept = this.#kept.get(address)
    if (kept === undefined) return undefined
    if (kept.until > Date.now()) return kept.bytes
    this.#forget(address, kept)
    return undefined
  }

  #keep(address: string, bytes: Uint8Array): void {
    if (this.#kept.has(address) || bytes.length > this.#options.cacheBytes) return
    for (const [oldest, kept] of this.#kept) {
      if (this.#bytes + bytes.length <= this.#options.cacheBytes) break
      this.#forget(oldest, kept)
    }
    this.#kept.set(address, { bytes, until: Date.now() + KEEP_MS })
    this.#bytes += bytes.length
  }

  #forget(address: string, { bytes }: Kept): void {
    this.#kept.delete(address)
    this.#bytes -= bytes.length
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
