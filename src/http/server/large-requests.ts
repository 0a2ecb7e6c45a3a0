import type { FastifyInstance } from 'fastify'
import { Turn } from '../../turn.ts'

/** Larger requests take a noticeable time to read. */
const LARGE_BYTES = 16 * 1024

/** Handlers of large requests begin one per round of the event loop, so that small ones come in between. */
export function separateLargeRequests(app: FastifyInstance): void {
  app.addHook('preHandler', async (request) => {
    const { url = '' } = request.raw
    const bodyBytes = request.body instanceof Uint8Array ? request.body.length : 0
    if (bodyBytes + url.length + headerLength(request.raw.rawHeaders) > LARGE_BYTES) await new Turn().next()
  })
}

const headerLength = (rawHeaders: readonly string[]): number => rawHeaders.reduce((sum, text) => sum + text.length, 0)
