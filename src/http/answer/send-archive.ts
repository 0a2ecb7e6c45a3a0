import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Archive } from '../../formats/shapefile/shapefile-archive.ts'
import { liftTimeLimit } from '../request/request-lifetime.ts'
import { attach, formats } from '../request/response-format.ts'
import { matchedTag } from './entity-tag.ts'

/** Sends a zip as a download with its ETag; 304 if the client already has it. */
export function sendArchive(
  request: FastifyRequest,
  reply: FastifyReply,
  { digest, stream }: Archive,
  { name, maxAge }: { readonly name: string; readonly maxAge: number | undefined },
): FastifyReply {
  const { type, extension } = formats.shapefile
  // The duration depends on how fast the client reads.
  liftTimeLimit(request)
  if (maxAge !== undefined) reply.header('cache-control', `no-transform, max-age=${maxAge}`)
  if (request.method !== 'POST') {
    const tag = `"${digest}"`
    reply.header('etag', tag)
    if (matchedTag(request.headers['if-none-match'], tag) !== undefined) {
      stream.destroy()
      return reply.code(304).send()
    }
  }
  attach(reply, name, extension)
  return reply.type(type).send(stream)
}
