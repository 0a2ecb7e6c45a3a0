import type { FastifyReply, FastifyRequest } from 'fastify'
import { strongTag } from './entity-tag.ts'
import { sendTagged } from './send-json.ts'

/** Sends XML with its ETag; 304 if the client already has it. */
export function sendXml(
  request: FastifyRequest,
  reply: FastifyReply,
  xml: string,
  type: string,
  { maxAge }: { readonly maxAge?: number | undefined },
): FastifyReply {
  reply.header('content-type', `${type};charset=utf-8`)
  if (maxAge !== undefined) reply.header('cache-control', `no-transform, max-age=${maxAge}`)
  return sendTagged(request, reply, xml, () => strongTag(xml))
}
