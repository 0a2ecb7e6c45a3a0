import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/**
 * Runs a check of every request when it arrives, in the order of the calls. It refuses a request by throwing, or
 * answers it. Not asynchronous: a dozen promises would take longer than the checks themselves.
 */
export function onArrival(app: FastifyInstance, check: (request: FastifyRequest, reply: FastifyReply) => void): void {
  app.addHook('onRequest', (request, reply, done) => {
    check(request, reply)
    if (!reply.sent) done()
  })
}
