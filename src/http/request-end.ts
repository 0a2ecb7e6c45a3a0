import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ClientLeft, requestSignal } from './caller.ts'

/** The status logged and counted when the client left before the answer; none was sent. */
export const CLIENT_LEFT_STATUS = 499

/**
 * Calls the listener once for every request, when its answer has been sent or its client has left; the framework's
 * onResponse does not hear of the latter.
 */
export function onRequestEnd(
  app: FastifyInstance,
  listener: (request: FastifyRequest, reply: FastifyReply) => void,
): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.raw.once('close', () => listener(request, reply))
  })
}

export function finalStatus(request: FastifyRequest, reply: FastifyReply): number {
  const left = requestSignal(request).reason instanceof ClientLeft || !reply.raw.writableFinished
  return left ? CLIENT_LEFT_STATUS : reply.statusCode
}
