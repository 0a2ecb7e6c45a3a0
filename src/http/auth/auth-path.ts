import type { FastifyRequest } from 'fastify'
import { splitAlias } from '../request/request-url.ts'

/**
 * The path rules are matched with (spec 9.6): relative to the prefix of the service, without leading slash, decoded; a
 * slash inside a segment stays `%2F`. It is made of what the router found, not of the URL a second time: a path written
 * in an unusual way must not be one thing to the router and another to a rule.
 */
export function rulePath(request: FastifyRequest, aliases: readonly string[]): string {
  return splitAlias(request.is404 ? plainPath(request.raw.url ?? '/') : routedPath(request), aliases).path.slice(1)
}

/** The path of the route without the prefix of the service: `/explore/:collection/_search`. */
export function routePattern(request: FastifyRequest, aliases: readonly string[]): string | undefined {
  const { url } = request.routeOptions
  return request.is404 || url === undefined ? undefined : splitAlias(url, aliases).path
}

function routedPath(request: FastifyRequest): string {
  const parameters: Readonly<Record<string, unknown>> = Object(request.params)
  return (request.routeOptions.url ?? '/').replaceAll(/:(\w+)/g, (_whole, name: string) =>
    String(parameters[name] ?? '').replaceAll('/', '%2F'),
  )
}

/** Of a URL that no route has. */
function plainPath(target: string): string {
  const path = target.split(/[?#]/, 1)[0] ?? '/'
  return path.split('/').map(decodeSegment).join('/')
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment).replaceAll('/', '%2F')
  } catch {
    return segment
  }
}
