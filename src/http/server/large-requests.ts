import { AsyncResource } from 'node:async_hooks'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/** Minimum size of a request that takes noticeable time to parse. Bytes. */
const LARGE_BYTES = 16 * 1024

/**
 * Starts one handler of a large request per round of the event loop, so that small requests run in between. The first
 * one does not wait.
 */
export function separateLargeRequests(app: FastifyInstance): void {
  const waiting: (() => void)[] = []
  let hasStarted = false
  const startNext = (): void => {
    const start = waiting.shift()
    hasStarted = start !== undefined
    if (!start) return
    start()
    setImmediate(startNext)
  }
  app.addHook('preHandler', (request, _reply, done) => {
    if (!isLarge(request)) return done()
    // Bound, so that each handler runs in the asynchronous context of its own request.
    if (hasStarted) return void waiting.push(AsyncResource.bind(() => done()))
    hasStarted = true
    setImmediate(startNext)
    done()
  })
}

function isLarge(request: FastifyRequest): boolean {
  const { url = '' } = request.raw
  const bodyBytes = request.body instanceof Uint8Array ? request.body.length : 0
  return bodyBytes + url.length + headerLength(request.raw.rawHeaders) > LARGE_BYTES
}

const headerLength = (rawHeaders: readonly string[]): number => rawHeaders.reduce((sum, text) => sum + text.length, 0)
