import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { onArrival } from '../on-arrival.ts'
import { hasLeft } from './caller.ts'

/** Status logged and counted if the client left before an answer was sent. */
export const CLIENT_LEFT_STATUS = 499

type EndListener = (request: FastifyRequest, reply: FastifyReply) => void

const listeners = new WeakMap<FastifyInstance, EndListener[]>()

/**
 * Calls the listener once per request, when its answer was sent or its client has left; Fastify's onResponse misses the
 * latter. All listeners share one event listener of the response, since Node warns above ten.
 */
export function onRequestEnd(app: FastifyInstance, listener: EndListener): void {
  const known = listeners.get(app)
  if (known !== undefined) {
    known.push(listener)
    return
  }
  const all = [listener]
  listeners.set(app, all)
  onArrival(app, (request, reply) => {
    reply.raw.once('close', () => {
      for (const tell of all) tell(request, reply)
    })
  })
}

export function finalStatus(request: FastifyRequest, reply: FastifyReply): number {
  const left = hasLeft(request) || !reply.raw.writableFinished
  return left ? CLIENT_LEFT_STATUS : reply.statusCode
}
