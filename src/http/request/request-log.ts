import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { withoutToken } from './auth-query-token.ts'
import { finalStatus, onRequestEnd } from './request-end.ts'

/** Logs one line per request. */
export function logRequests(app: FastifyInstance): void {
  onRequestEnd(app, (request, reply) => logRequest(request, reply, finalStatus(request, reply)))
}

export function logRequest(request: FastifyRequest, reply: FastifyReply, status: number): void {
  const ms = Math.round(reply.elapsedTime * 10) / 10
  const url = withoutToken(request.raw.url ?? '')
  request.log.info({ method: request.method, route: routeOf(request), url, status, ms }, 'request')
}

/** Returns the path pattern of the route, to group requests by; undefined if no route matches. */
export function routeOf(request: FastifyRequest): string | undefined {
  return request.is404 ? undefined : request.routeOptions.url
}
