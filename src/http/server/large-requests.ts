import type { FastifyInstance } from 'fastify'

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
  // Awaited, so that each handler runs in the asynchronous context of its own request.
  app.addHook('preHandler', async (request) => {
    const { url = '' } = request.raw
    const bodyBytes = request.body instanceof Uint8Array ? request.body.length : 0
    if (bodyBytes + url.length + headerLength(request.raw.rawHeaders) <= LARGE_BYTES) return
    if (hasStarted) await new Promise<void>((start) => waiting.push(start))
    else {
      hasStarted = true
      setImmediate(startNext)
    }
  })
}

const headerLength = (rawHeaders: readonly string[]): number => rawHeaders.reduce((sum, text) => sum + text.length, 0)
