import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ClientLeft, requestSignal } from './caller.ts'

/** The status logged and counted when the client left before the answer; none was sent. */
export const CLIENT_LEFT_STATUS = 499

/** One line per request. */
export function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    request.log.info(
      {
        method: request.method,
        route: routeOf(request),
        url: request.raw.url,
        status: finalStatus(request, reply.statusCode),
        ms: Math.round(reply.elapsedTime * 10) / 10,
      },
      'request',
    )
  })
}

/** The path as the route writes it, so that requests can be grouped; undefined when there is no route. */
export function routeOf(request: FastifyRequest): string | undefined {
  return request.is404 ? undefined : request.routeOptions.url
}

export function finalStatus(request: FastifyRequest, status: number): number {
  return requestSignal(request).reason instanceof ClientLeft ? CLIENT_LEFT_STATUS : status
}
