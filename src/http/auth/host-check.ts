import type { FastifyInstance } from 'fastify'
import { LRUCache } from 'lru-cache'
import { isLoopbackHost } from '../../config/address-range.ts'
import type { Settings } from '../../config/settings.ts'
import { problem } from '../../errors.ts'
import { onArrival } from '../on-arrival.ts'

/** Accepted Host headers that are not parsed again. A loopback host has many spellings and ports. */
const KNOWN_HOSTS = 100

/**
 * Refuses requests for a host that is not this server (421). Protects against DNS rebinding: a page can resolve its own
 * name to 127.0.0.1, the browser then treats the server as the origin of the page, and only the Host header shows the
 * difference.
 */
export function checkHosts(app: FastifyInstance, { server }: Settings): void {
  if (!isLoopbackHost(server.host) && server.allowedHosts.length === 0) return
  const names = new Set(server.allowedHosts.map((name) => hostName(name)))
  if (server.publicUrl !== undefined) names.add(hostName(new URL(server.publicUrl).host))
  const known = new LRUCache<string, true>({ max: KNOWN_HOSTS })
  onArrival(app, (request) => {
    const { host } = request.headers
    // Browsers always send Host. A missing one is refused elsewhere, as HTTP/1.1 requires it.
    if (host === undefined || known.has(host)) return
    const name = hostName(host)
    if (name === undefined || !(isLoopbackHost(name) || names.has(name))) {
      throw problem('MISDIRECTED_REQUEST', { value: host })
    }
    known.set(host, true)
  })
}

/** Returns the host of `host:port` in URL form; undefined if it is not valid. */
function hostName(host: string): string | undefined {
  const url = `http://${host}`
  if (/[\s/?#@\\]/.test(host) || !URL.canParse(url)) return undefined
  return new URL(url).hostname.replace(/\.$/, '')
}
