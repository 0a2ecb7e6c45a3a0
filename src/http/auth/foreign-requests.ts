import type { FastifyInstance, FastifyRequest } from 'fastify'
import { corsOrigins } from '../../config/cors-origins.ts'
import type { Settings } from '../../config/settings.ts'
import { problem } from '../../errors.ts'
import { onArrival } from '../on-arrival.ts'
import { requestUrl } from '../request/request-url.ts'
import { changesState } from '../route-config.ts'

/**
 * Refuses changes sent by a browser for a page of a foreign origin that is not allowed (403). CORS only prevents such a
 * page from reading the answer, not from sending: forms and plain text need no preflight.
 */
export function refuseForeignChanges(app: FastifyInstance, settings: Settings): void {
  const origins = corsOrigins(settings)
  if (origins.any) return
  onArrival(app, (request) => {
    if (request.is404 || !changesState(request) || !isForeign(request)) return
    const { origin } = request.headers
    const page = origin === undefined ? 'of another origin' : `of the origin ${origin.slice(0, 200)}`
    throw problem('FORBIDDEN', {
      reason: `Pages ${page} are not allowed to change data on this server (setting server.cors.origins)`,
    })
  })

  function isForeign(request: FastifyRequest): boolean {
    const { origin } = request.headers
    const site = request.headers['sec-fetch-site']
    // Only browsers can set this header. Origin is less reliable, because a proxy may have changed the Host header it
    // is compared with.
    if (site === 'same-origin' || site === 'none') return false
    // A site is wider than an origin: other ports of this machine and sibling domains are the same site.
    if (origin === undefined) return site !== undefined
    return !isOwn(origin, request) && !origins.allows(origin)
  }

  function isOwn(origin: string, request: FastifyRequest): boolean {
    const { host } = request.headers
    // It is unknown here whether a proxy terminates TLS, so both schemes are accepted.
    const seen = host === undefined ? [] : [`http://${host}`, `https://${host}`]
    return [requestUrl(request, settings).base, ...seen].some((url) => originOf(url) === origin)
  }
}

const originOf = (url: string): string | undefined => (URL.canParse(url) ? new URL(url).origin : undefined)
