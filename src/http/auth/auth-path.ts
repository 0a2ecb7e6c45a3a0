import type { FastifyRequest } from 'fastify'
import { splitAlias } from '../request/request-url.ts'

/**
 * Returns the path that rules are matched with (spec 9.6): relative to the prefix of the service, without leading
 * slash, decoded; a slash inside a segment stays `%2F`. Built from the result of the router instead of parsing the URL
 * again, so that the router and the rules never disagree about an unusual spelling.
 */
export function rulePath(request: FastifyRequest, aliases: readonly string[]): string {
  return splitAlias(request.is404 ? plainPath(request.raw.url ?? '/') : routedPath(request), aliases).path.slice(1)
}

/** Returns the route path without the prefix of the service: `/explore/:collection/_search`. */
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

/** Path of a URL that matches no route. */
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
