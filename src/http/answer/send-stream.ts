import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { liftTimeLimit } from '../request/request-lifetime.ts'

/**
 * Sends an answer produced piece by piece. Awaits the first piece, so that an error up to then gets an error answer. A
 * later error can only be signalled by closing the connection.
 */
export async function sendStream(
  request: FastifyRequest,
  reply: FastifyReply,
  pieces: AsyncIterable<string | Uint8Array>,
): Promise<FastifyReply> {
  // The operation limits the duration of each of its steps.
  liftTimeLimit(request)
  const iterator = pieces[Symbol.asyncIterator]()
  const first = await iterator.next()
  // The status and the headers are those of GET, the body is discarded.
  if (request.method === 'HEAD') {
    await iterator.return?.()
    return reply.send(Readable.from([]))
  }
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
