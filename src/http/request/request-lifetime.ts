import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { problem } from '../../errors.ts'
import { abortForClient, abortForTime } from './caller.ts'
import { onRequestEnd } from './request-end.ts'

/** How long a handler may take to notice that its time is over before the answer is sent without it. */
const NOTICE_MS = 1_000

const timers = new WeakMap<FastifyRequest, NodeJS.Timeout>()

/** For answers that are sent while they are made, and take as long as the client takes to read them. */
export function liftTimeLimit(request: FastifyRequest): void {
  clearTimeout(timers.get(request))
}

/**
 * Ends the work of a request when its client leaves or its time is over. The time begins when the body has been read,
 * so a slow upload does not count.
 */
export function limitLifetimes(app: FastifyInstance, timeMs: number): void {
  onRequestEnd(app, (request, reply) => {
    clearTimeout(timers.get(request))
    if (!reply.raw.writableFinished) abortForClient(request)
  })
  app.addHook('preHandler', async (request, reply) => {
    if (request.routeOptions.config.timeLimit === false) return
    timers.set(
      request,
      setTimeout(() => {
        abortForTime(request)
        timers.set(
          request,
          setTimeout(() => answerLate(reply), NOTICE_MS),
        )
      }, timeMs),
    )
  })
}

function answerLate(reply: FastifyReply): void {
  if (reply.sent) return
  // Once the answer has begun, only a broken connection can tell that it is not whole.
  if (reply.raw.headersSent) reply.raw.destroy()
  else reply.send(problem('ENGINE_TIMEOUT', {}))
}
