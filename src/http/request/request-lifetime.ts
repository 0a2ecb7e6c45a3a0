import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { problem } from '../../errors.ts'
import { abortForClient, abortForTime } from './caller.ts'
import { onRequestEnd } from './request-end.ts'

/** Time a handler has to react to the abort before the error is sent without it. Milliseconds. */
const NOTICE_MS = 1_000

const timers = new WeakMap<FastifyRequest, NodeJS.Timeout>()

/** Lifts the time limit of streamed answers, because their duration depends on the client. */
export function liftTimeLimit(request: FastifyRequest): void {
  clearTimeout(timers.get(request))
}

/**
 * Aborts a request when its client leaves or its time limit passes. The time starts when the body was read, so slow
 * uploads do not count.
 */
export function limitLifetimes(app: FastifyInstance, timeMs: number): void {
  onRequestEnd(app, (request, reply) => {
    clearTimeout(timers.get(request))
    if (!reply.raw.writableFinished) abortForClient(request)
  })
  app.addHook('preHandler', (request, reply, done) => {
    if (request.routeOptions.config.timeLimit !== false) timers.set(request, startTimer(request, reply, timeMs))
    done()
  })
}

function startTimer(request: FastifyRequest, reply: FastifyReply, timeMs: number): NodeJS.Timeout {
  return setTimeout(() => {
    abortForTime(request)
    timers.set(
      request,
      setTimeout(() => answerLate(reply), NOTICE_MS),
    )
  }, timeMs)
}

function answerLate(reply: FastifyReply): void {
  if (reply.sent) return
  // Once the answer has started, only closing the connection can signal that it is incomplete.
  if (reply.raw.headersSent) reply.raw.destroy()
  else reply.send(problem('ENGINE_TIMEOUT', {}))
}
