import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { liftTimeLimit } from '../request/request-lifetime.ts'

/**
 * Sends what is made piece by piece. The first piece is awaited, so that a fault until then is answered as one; later,
 * only a broken connection can tell that the answer is not whole.
 */
export async function sendStream(
  request: FastifyRequest,
  reply: FastifyReply,
  pieces: AsyncIterable<string | Uint8Array>,
): Promise<FastifyReply> {
  // Nobody reads what is made for a HEAD.
  if (request.method === 'HEAD') return reply.send(Readable.from([]))
  // The operation bounds each of its steps.
  liftTimeLimit(request)
  const iterator = pieces[Symbol.asyncIterator]()
  const first = await iterator.next()
  async function* all(): AsyncIterable<string | Uint8Array> {
    try {
      if (first.done !== true) yield first.value
      for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value
    } finally {
      await iterator.return?.()
    }
  }
  return reply.send(Readable.from(all(), { objectMode: false }))
}
