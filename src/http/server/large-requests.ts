import type { FastifyInstance } from 'fastify'
import { Turn } from '../../turn.ts'

/** Minimum size of a request that takes noticeable time to parse. Bytes. */
const LARGE_BYTES = 16 * 1024

/** Starts one handler of a large request per round of the event loop, so that small requests run in between. */
export function separateLargeRequests(app: FastifyInstance): void {
  app.addHook('preHandler', async (request) => {
    const { url = '' } = request.raw
    const bodyBytes = request.body instanceof Uint8Array ? request.body.length : 0
    if (bodyBytes + url.length + headerLength(request.raw.rawHeaders) > LARGE_BYTES) await new Turn().next()
  })
}

const headerLength = (rawHeaders: readonly string[]): number => rawHeaders.reduce((sum, text) => sum + text.length, 0)
