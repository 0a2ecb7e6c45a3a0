import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ClientLeft, requestSignal } from './caller.ts'

/** The status logged and counted when the client left before the answer; none was sent. */
export const CLIENT_LEFT_STATUS = 499

type EndListener = (request: FastifyRequest, reply: FastifyReply) => void

const listeners = new WeakMap<FastifyInstance, EndListener[]>()

/**
 * Calls the listener once for every request, when its answer has been sent or its client has left; the framework's
 * onResponse does not hear of the latter. All of them share one listener of the answer, which warns of more than ten.
 */
export function onRequestEnd(app: FastifyInstance, listener: EndListener): void {
  const known = listeners.get(app)
  if (known !== undefined) {
    known.push(listener)
    return
  }
  const all = [listener]
  listeners.set(app, all)
  app.addHook('onRequest', async (request, reply) => {
    reply.raw.once('close', () => {
      for (const tell of all) tell(request, reply)
    })
  })
}

export function finalStatus(request: FastifyRequest, reply: FastifyReply): number {
  const left = requestSignal(request).reason instanceof ClientLeft || !reply.raw.writableFinished
  return left ? CLIENT_LEFT_STATUS : reply.statusCode
}
