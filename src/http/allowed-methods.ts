import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'
import { problem } from '../errors.ts'
import { onArrival } from './on-arrival.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Value of the Allow header for the path; set on the routes added by this file. */
    readonly allow?: string
  }
}

const routes = new WeakMap<FastifyInstance, ReadonlyMap<string, ReadonlySet<string>>>()

/** All paths of the server with their methods, including those hidden from the OpenAPI document. */
export const routesOf = (app: FastifyInstance): ReadonlyMap<string, ReadonlySet<string>> => routes.get(app) ?? new Map()

interface AllowedMethods {
  /** Parts of the path of a route. */
  readonly pattern: readonly string[]
  readonly allow: string
}

const allowedMethods = new WeakMap<FastifyInstance, readonly AllowedMethods[]>()

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

/**
 * Makes every path answer every method (spec 1.1.4): OPTIONS with the list of methods, 405 with Allow for unsupported
 * ones. Call it before the routes are registered, and call the returned function after them. Without these routes, a
 * literal path would fall through to a parameter (`PUT /collections/_export` to `PUT /collections/:collection`).
 * Methods that no route has, such as PROPFIND, are refused without routes: thousands of them would slow down the start.
 */
export function watchMethods(app: FastifyInstance): () => void {
  const paths = new Map<string, Set<string>>()
  app.addHook('onRoute', (route: RouteOptions) => {
    const methods = paths.get(route.url) ?? new Set()
    for (const method of [route.method].flat()) methods.add(method)
    paths.set(route.url, methods)
  })
  return () => {
    routes.set(app, new Map([...paths].map(([url, methods]) => [url, new Set(methods)])))
    const allowed: AllowedMethods[] = []
    for (const [url, methods] of [...paths]) {
      // Catch-all route of the CORS plugin for preflights.
      if (url === '*') continue
      const allow = [...METHODS.filter((method) => methods.has(method)), 'OPTIONS'].join(', ')
      allowed.push({ pattern: url.split('/'), allow })
      const refused = METHODS.filter((method) => !methods.has(method))
      const route = { url, exposeHeadRoute: false, schema: { hide: true }, config: { allow } }
      // The hook answers before a body is read; the handler exists only because Fastify requires one.
      if (refused.length > 0) app.route({ ...route, method: refused, onRequest: refuse, handler: refuse })
      app.route({
        ...route,
        method: 'OPTIONS',
        handler: (_request, reply) => reply.code(204).header('allow', allow).send(),
      })
    }
    allowedMethods.set(app, allowed)
  }
}

/** The error of a request that no route answers: 405 for a method without routes on an existing path, otherwise 404. */
export function unroutedProblem(request: FastifyRequest): Error {
  const path = requestPath(request)
  const isRouted = METHODS.includes(request.method) || request.method === 'OPTIONS'
  const allow = isRouted ? undefined : allowedAt(allowedMethods.get(request.server) ?? [], path)
  return allow === undefined ? problem('ROUTE_NOT_FOUND', { name: path }) : notAllowed(request, allow)
}

/** The methods of the route that matches a path; literal parts precede parameters, as in the router. */
function allowedAt(allowed: readonly AllowedMethods[], path: string): string | undefined {
  const parts = path.length > 1 && path.endsWith('/') ? path.slice(0, -1).split('/') : path.split('/')
  let matching = allowed.filter(({ pattern }) => matches(pattern, parts))
  for (const [i, part] of parts.entries()) {
    const literal = matching.filter(({ pattern }) => pattern[i] === part)
    if (literal.length > 0) matching = literal
  }
  return matching[0]?.allow
}

function matches(pattern: readonly string[], parts: readonly string[]): boolean {
  if (pattern.at(-1) === '*') return parts.length >= pattern.length
  return pattern.length === parts.length && pattern.every((part, i) => part.startsWith(':') || part === parts[i])
}

async function refuse(request: FastifyRequest): Promise<never> {
  throw notAllowed(request, request.routeOptions.config.allow ?? '')
}

const notAllowed = (request: FastifyRequest, allow: string): Error =>
  problem('METHOD_NOT_ALLOWED', { value: request.method, name: requestPath(request) }, { Allow: allow })

/**
 * Answers OPTIONS requests that are not CORS preflights with the methods of the path. Register it before the CORS
 * plugin, which treats every OPTIONS as a preflight.
 */
export function answerPlainOptions(app: FastifyInstance): void {
  onArrival(app, (request, reply) => {
    if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] !== undefined) return
    const { allow } = request.routeOptions.config
    if (allow === undefined) throw problem('ROUTE_NOT_FOUND', { name: requestPath(request) })
    reply.code(204).header('allow', allow).send()
  })
}

export function requestPath(request: FastifyRequest): string {
  return request.raw.url?.split('?', 1)[0] ?? '/'
}
