import type { FastifyInstance } from 'fastify'
import { isLoopbackHost } from '../../config/loopback.ts'
import type { Settings } from '../../config/settings.ts'
import { problem } from '../../errors.ts'

/**
 * Refuses requests for a host that is not this server (421). A page can let its own name lead to 127.0.0.1 (DNS
 * rebinding): the browser then takes the server for the origin of the page, and only the Host header tells otherwise.
 */
export function checkHosts(app: FastifyInstance, { server }: Settings): void {
  if (!isLoopbackHost(server.host) && server.allowedHosts.length === 0) return
  const names = new Set(server.allowedHosts.map((name) => hostName(name)))
  if (server.publicUrl !== undefined) names.add(hostName(new URL(server.publicUrl).host))
  app.addHook('onRequest', async (request) => {
    const { host } = request.headers
    // Without the header the client is no browser; HTTP/1.1 requires it, which is checked elsewhere.
    if (host === undefined) return
    const name = hostName(host)
    if (name !== undefined && (isLoopbackHost(name) || names.has(name))) return
    throw problem('MISDIRECTED_REQUEST', { value: host })
  })
}

/** The name or address of `host:port` as URLs write it; undefined when it is neither. */
function hostName(host: string): string | undefined {
  const url = `http://${host}`
  if (/[\s/?#@\\]/.test(host) || !URL.canParse(url)) return undefined
  return new URL(url).hostname.replace(/\.$/, '')
}
