import { METHODS } from 'node:http'
import type { FastifyInstance, FastifyRequest, HTTPMethods, RouteOptions } from 'fastify'
import { problem } from '../errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Value of the Allow header for the path; set on the routes added by this file. */
    readonly allow?: string
  }
}

const routes = new WeakMap<FastifyInstance, ReadonlyMap<string, ReadonlySet<string>>>()

/** All paths of the server with their methods, including those hidden from the OpenAPI document. */
export const routesOf = (app: FastifyInstance): ReadonlyMap<string, ReadonlySet<string>> => routes.get(app) ?? new Map()

const ORDER = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

/**
 * Makes every path answer every method (spec 1.1.4): OPTIONS with the list of methods, 405 with Allow for unsupported
 * ones. Call it before the routes are registered, and call the returned function after them. Without these routes, a
 * literal path would fall through to a parameter (`PUT /collections/_export` to `PUT /collections/:collection`).
 */
export function watchMethods(app: FastifyInstance): () => void {
  const routable = addMethods(app)
  const paths = new Map<string, Set<string>>()
  app.addHook('onRoute', (route: RouteOptions) => {
    const methods = paths.get(route.url) ?? new Set()
    for (const method of [route.method].flat()) methods.add(method)
    paths.set(route.url, methods)
  })
  return () => {
    routes.set(app, new Map([...paths].map(([url, methods]) => [url, new Set(methods)])))
    for (const [url, methods] of [...paths]) {
      // Catch-all route of the CORS plugin for preflights.
      if (url === '*') continue
      const allow = [...ORDER.filter((method) => methods.has(method)), 'OPTIONS'].join(', ')
      const refused = routable.filter((method) => method !== 'OPTIONS' && !methods.has(method))
      const route = { url, exposeHeadRoute: false, schema: { hide: true }, config: { allow } }
      // The hook answers before a body is read; the handler exists only because Fastify requires one.
      app.route({ ...route, method: refused, onRequest: refuse, handler: refuse })
      app.route({
        ...route,
        method: 'OPTIONS',
        handler: (_request, reply) => reply.code(204).header('allow', allow).send(),
      })
    }
  }
}

async function refuse(request: FastifyRequest): Promise<never> {
  const allow = request.routeOptions.config.allow ?? ''
  throw problem('METHOD_NOT_ALLOWED', { value: request.method, name: requestPath(request) }, { Allow: allow })
}

/**
 * Answers OPTIONS requests that are not CORS preflights with the methods of the path. Register it before the CORS
 * plugin, which treats every OPTIONS as a preflight.
 */
export function answerPlainOptions(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] !== undefined) return
    const { allow } = request.routeOptions.config
    if (allow === undefined) throw problem('ROUTE_NOT_FOUND', { name: requestPath(request) })
    return reply.code(204).header('allow', allow).send()
  })
}

export function requestPath(request: FastifyRequest): string {
  return request.raw.url?.split('?', 1)[0] ?? '/'
}

/** Makes all methods of Node's parser routable, so that none of them is a 404 on a known path. */
function addMethods(app: FastifyInstance): readonly HTTPMethods[] {
  const methods = METHODS.filter((method) => method !== 'CONNECT')
  for (const method of methods) {
    if (!app.supportedMethods.includes(method as HTTPMethods)) app.addHttpMethod(method)
  }
  return methods as readonly HTTPMethods[]
}
