import type { FastifyInstance, FastifyRequest } from 'fastify'
import { corsOrigins } from '../../config/cors-origins.ts'
import type { Settings } from '../../config/settings.ts'
import { problem } from '../../errors.ts'
import { requestUrl } from '../request/request-url.ts'
import { changesState } from './state-change.ts'

/**
 * Refuses changes that a browser sends for a page of an origin that is neither this server's nor allowed (403). CORS
 * alone keeps such a page from reading the answer, not from sending: forms and plain text need no preflight.
 */
export function refuseForeignChanges(app: FastifyInstance, settings: Settings): void {
  const origins = corsOrigins(settings)
  if (origins.any) return
  app.addHook('onRequest', async (request) => {
    if (request.is404 || !changesState(request) || !isForeign(request)) return
    const { origin } = request.headers
    const page = origin === undefined ? 'of another origin' : `of the origin ${origin.slice(0, 200)}`
    throw problem('FORBIDDEN', { reason: `Pages ${page} may not change anything here (setting server.cors.origins)` })
  })

  function isForeign(request: FastifyRequest): boolean {
    const { origin } = request.headers
    const site = request.headers['sec-fetch-site']
    // Only browsers can set it; a proxy may have changed the Host header that Origin would be compared with.
    if (site === 'same-origin' || site === 'none') return false
    // Sites say less than origins: other ports of this machine are of the same site, and so are neighbours of a domain.
    if (origin === undefined) return site !== undefined
    return !isOwn(origin, request) && !origins.allows(origin)
  }

  function isOwn(origin: string, request: FastifyRequest): boolean {
    const { host } = request.headers
    // Whether a proxy speaks TLS for the server cannot be seen from here.
    const seen = host === undefined ? [] : [`http://${host}`, `https://${host}`]
    return [requestUrl(request, settings).base, ...seen].some((url) => originOf(url) === origin)
  }
}

const originOf = (url: string): string | undefined => (URL.canParse(url) ? new URL(url).origin : undefined)
